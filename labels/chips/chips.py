"""Labels in a form: a chip for each, of a label that exists or of a name that is to become one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from labels.models import Label, LabelAlias
from labels.slugs import slugify


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


class KnownLabels:
    """The labels that a set of slugs and names lead to, found with two queries for any number of forms."""

    def __init__(self, slugs: Iterable[str]) -> None:
        wanted = {slug for slug in slugs if "\0" not in slug}  # no label has one, and Postgres takes none
        self._labels = {label.slug: label for label in Label.objects.filter(slug__in=wanted)} if wanted else {}
        self._free: set[str] = set()  # for a label that is to have the name of that slug
        missing = wanted - self._labels.keys()
        if missing:
            for alias in LabelAlias.objects.select_related("label").filter(slug__in=missing):
                self._labels[alias.slug] = alias.label
                if not alias.keeps_slug:
                    self._free.add(alias.slug)

    def find(self, slug: str) -> Label | None:
        return self._labels.get(slug)

    def find_named(self, name: str) -> Label | None:
        """As `labels.naming.find_named`, of a name whose slug was among those given."""
        slug = slugify(name)
        return None if slug in self._free else self.find(slug)


def chips_of(values: Iterable[str], known: KnownLabels) -> list[Chip]:
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
