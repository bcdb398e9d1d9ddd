"""Which sources that bear a number may be meant, as countries number their acts alike: `Act 12 of 2031`."""

from collections.abc import Mapping

from law.references.mentions import Citation
from law.words.countries import countries_of_document, country_named, country_of_key
from law.words.series import series_keys
from sources.citations.lookups import CitableSource, Stored
from sources.citations.source_keys import number_keys

Countries = frozenset[str] | None
"""Those that a text is of, none if unknown. None of a question: it asks for what is here."""


class Unsure(list[int]):
    """Sources of which it is not certain that one is meant, be it a single one."""


def is_shared(mention: Citation) -> bool:
    """Whether it names an act by a number alone, in words of no one country."""
    keys = number_keys(mention.title) if mention.title else series_keys(mention.identifier)
    return bool(keys) and not any(map(country_of_key, keys))


class ByCountry:
    """The sources that mentions may mean, among those that bear their numbers."""

    def __init__(self, lookup: Stored, sources: Mapping[int, CitableSource]) -> None:
        self._lookup = lookup
        self._sources = sources
        self._all: frozenset[str] | None = None

    def among(self, mention: Citation, ids: list[int], *, of: Countries) -> list[int]:
        """Those of the country that is named with the number, else of those that its text is `of`.

        Where either is not known, a source is surely meant only if all whose country is known are of one.
        """
        if not ids or not is_shared(mention):
            return ids
        named = mention.country or country_named(mention.title)
        said = frozenset([named]) if named else of
        if said is None:
            return ids
        known = {pk: self._countries(pk) for pk in ids}
        if same := [pk for pk in ids if said & known[pk]]:
            return same if len(same) < len(ids) else ids
        left = [pk for pk in ids if not (said and known[pk])]
        if not left or isinstance(ids, Unsure):
            return Unsure(left)
        is_one = len(said.union(self._everywhere(), *(known[pk] for pk in left))) <= 1
        return (ids if len(left) == len(ids) else left) if is_one else Unsure(left)

    def _countries(self, source_id: int) -> frozenset[str]:
        source = self._sources[source_id]
        return countries_of_document(source.title, source.identifiers)

    def _everywhere(self) -> frozenset[str]:
        """The countries of all sources, asked for once."""
        if self._all is None:
            self._all = self._lookup.countries()
        return self._all
