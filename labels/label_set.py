"""Labels in a form: what its slugs and names lead to, and a chip for each."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from labels import topic_labels
from labels.models import Label, LabelAlias
from law.words.slugs import MAX_NAME_LENGTH, clean_name, slugify

MAX_LABELS = 50


class LabelSet:
    """The labels that a set of slugs and names lead to, found with two queries for any number of forms.

    With topics as `within`, by those aliases that are known in one of them. `resolve` asks the same of the labels.
    """

    def __init__(
        self, slugs: Iterable[str] = (), *, names: Iterable[str] = (), within: Collection[int] | None = None
    ) -> None:
        # No slug of a label has a zero byte, and Postgres takes none.
        wanted = {slug for slug in (*slugs, *map(slugify, names)) if "\0" not in slug}
        self._within = within
        self._labels = {label.slug: label for label in Label.objects.filter(slug__in=wanted)} if wanted else {}
        self._free: set[str] = set()  # for a label that is to have the name of that slug
        missing = wanted - self._labels.keys()
        if missing:
            aliases = LabelAlias.objects.select_related("label").filter(slug__in=missing)
            for alias in aliases if within is None else aliases.filter(known_in__overlap=list(within)):
                self._labels[alias.slug] = alias.label
                if not alias.keeps_slug:
                    self._free.add(alias.slug)

    def find(self, slug: str) -> Label | None:
        """The label with this slug, or the one that an alias of this slug leads to."""
        return self._labels.get(slug)

    def find_named(self, name: str) -> Label | None:
        """The label that a name leads to: one with its slug, or that of an alias whose own name has that slug still."""
        slug = slugify(name)
        return None if slug in self._free else self.find(slug)

    def resolve(self, slug: str, name: str = "") -> Label | None:
        """The label that was chosen, None where there is none or where it is known in none of the topics.

        By its slug. Without a script in the page the slug may be of an earlier choice than the name, which then counts.
        """
        chosen = self.find(slug) if slug else None
        if name and (chosen is None or chosen.name != name):
            chosen = self.find_named(name)
        return chosen if chosen and (self._within is None or chosen.pk in self._known) else None

    @cached_property
    def _known(self) -> set[int]:
        return topic_labels.known_among({label.pk for label in self._labels.values()}, within=self._within)


@dataclass(frozen=True, slots=True)
class Chip:
    """A label in the form. `value` is `slug:…` of an existing one or `name:…` of a new one."""

    value: str
    name: str
    ticked: bool
    count: int | None = None

    @property
    def is_new(self) -> bool:
        return self.value.startswith("name:")


def chips_of(values: Iterable[str], known: LabelSet) -> list[Chip]:
    """Ticked chips for `slug:…` and `name:…` values, each label once."""
    chips: dict[str, Chip] = {}
    for value in values:
        sort, _colon, text = value.partition(":")
        label = known.find(text) if sort == "slug" else known.find_named(text)
        if label:
            chip = Chip(f"slug:{label.slug}", label.name, True, label.usage_count)
        else:
            chip = Chip(f"name:{text}", text, True)
        chips.setdefault(chip.value, chip)
    return list(chips.values())


class ChipsField(forms.Field):
    """Repeated `slug:…` and `name:…` values."""

    widget = forms.MultipleHiddenInput

    def clean(self, value: Any) -> list[str]:
        chips = [text for text in value or [] if text.startswith(("slug:", "name:"))]
        if len(chips) > MAX_LABELS:
            raise forms.ValidationError(_("At most %d labels.") % MAX_LABELS)
        return chips


class NamesField(forms.CharField):
    """Label names, separated by commas: the way without the label chooser."""

    def clean(self, value: Any) -> list[str]:
        names = [clean_name(part) for part in super().clean(value).split(",")]
        if any(len(name) > MAX_NAME_LENGTH for name in names):
            raise forms.ValidationError(_("A label has at most %d characters.") % MAX_NAME_LENGTH)
        return [name for name in names if name]
