"""What the slugs and names of a form lead to."""

from collections.abc import Collection, Iterable
from functools import cached_property

from labels import topic_labels
from labels.models import Label, LabelAlias
from law.words.slugs import slugify


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
