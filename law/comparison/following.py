"""One provision followed from version to version of its work, by what it says rather than by its number alone."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cached_property, lru_cache

from law.comparison.matching import Pairs, are_unlike, match, tells
from law.comparison.provision_texts import ProvisionText, without_marks

_MAX_PAIRED = 8  # pairs of versions that are remembered
ClausesOf = Callable[[ProvisionText], Sequence[ProvisionText]]


@dataclass(frozen=True)
class VersionTexts:
    """A version of a work as it reads from a day on, which tell it from others: the own texts of its provisions."""

    name: int | str
    begins: date | None
    texts: Sequence[ProvisionText] = field(repr=False, compare=False)

    @cached_property
    def places(self) -> dict[str, int]:
        return {one.eid: place for place, one in reversed(list(enumerate(self.texts))) if one.eid}

    @cached_property
    def _inside(self) -> dict[str, list[ProvisionText]]:
        found: dict[str, list[ProvisionText]] = {}
        for one in self.texts:
            names = one.eid.split("__")
            for length in range(1, len(names) + 1 if one.eid else 0):
                found.setdefault("__".join(names[:length]), []).append(one)
        return found

    def whole(self, eid: str) -> ProvisionText | None:
        """The stored provision with that address, with all that is inside it."""
        if eid not in self.places:
            return None
        first, inside = self.texts[self.places[eid]], self._inside[eid]
        others = [one.text for one in inside if one is not first]
        return replace(first, text="\n".join([first.text, *others])) if others else first

    def holder(self, eid: str) -> str:
        """The address of the innermost stored provision that a clause's address begins with, '' where none is."""
        names = eid.split("__")
        above = ("__".join(names[:length]) for length in range(len(names) - 1, 0, -1))
        return next((one for one in above if one in self.places), "")


def _matched(one: VersionTexts, other: VersionTexts) -> Pairs:
    return match(one.texts, other.texts)


class Follower:
    """Follows provisions between versions, and remembers how those were matched."""

    def __init__(self, clauses_of: ClausesOf) -> None:
        self._clauses_of = clauses_of
        self._matched = lru_cache(maxsize=_MAX_PAIRED)(_matched)

    def read(self, version: VersionTexts, eid: str) -> ProvisionText | None:
        """What an address says in a version, a clause's too."""
        if (whole := version.whole(eid)) is not None:
            return whole
        return next((one for one in self._clauses(version, version.holder(eid)) if one.eid == eid), None)

    def next_eid(self, one: VersionTexts, other: VersionTexts, eid: str) -> str:
        """The address in the other version of what has this one in the first, '' where it has none.

        A clause whose provision is there and that is not found in it has the address of that.
        """
        mine, same = self.read(one, eid), self.read(other, eid)
        if mine and same and mine.body == same.body:
            return eid
        if eid in one.places:
            place = self._matched(one, other).get(one.places[eid])
            return other.texts[place].eid if place is not None else ""
        holder = one.holder(eid)
        within = self.next_eid(one, other, holder) if holder else ""
        return self._next_clause(one, other, eid, holder, within) if within else ""

    def locate(self, text: ProvisionText, version: VersionTexts) -> str:
        """The address of what a text from elsewhere is in a version, '' if it is not there."""
        if eid := self.same(text, version):
            return eid
        same = self.read(version, text.eid)
        if same is not None and not are_unlike(text, same):
            return text.eid
        found = match([replace(text, key="")], version.texts).get(0)
        return version.texts[found].eid if found is not None else ""

    def same(self, text: ProvisionText, version: VersionTexts) -> str:
        """The address of what says the same as a text from elsewhere, its own before others, else ''.

        What says too little to be known by it is at its own alone.
        """
        own = self.read(version, text.eid) if text.eid else None
        if own is not None and own.body == text.body:
            return own.eid
        return next((one.eid for one in version.texts if one.eid and one.body == text.body and tells(text)), "")

    def _next_clause(self, one: VersionTexts, other: VersionTexts, eid: str, holder: str, within: str) -> str:
        before, after = self._clauses(one, holder, bare=True), self._clauses(other, within, bare=True)
        place = next((at for at, clause in enumerate(before) if clause.eid == eid), None)
        found = match(before, after).get(place) if place is not None else None
        return after[found].eid if found is not None else within

    def _clauses(self, version: VersionTexts, holder: str, *, bare: bool = False) -> list[ProvisionText]:
        """The clauses of a provision, known by their place in it. If `bare`, without the marks that open them."""
        whole = version.whole(holder)
        clauses = self._clauses_of(whole) if whole else []
        return [
            replace(one, key=one.eid.removeprefix(holder), text=without_marks(one.text) if bare else one.text)
            for one in clauses
        ]
