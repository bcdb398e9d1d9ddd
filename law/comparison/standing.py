"""What became of words that were quoted from a version of a work: whether they stand, and if not, since when.

A provision is followed from version to version by what it says rather than by its number alone.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cached_property, lru_cache
from itertools import takewhile

from law.comparison.defined_terms import defined_for, defined_in, defined_since, defining, redefined
from law.comparison.matching import are_unlike, match, tells
from law.comparison.provision_texts import ProvisionText, without_marks
from law.comparison.statuses import StandingStatus
from law.comparison.wording import normal_forms
from law.patterns import regex

MIN_QUOTED = 6  # words by which a quote is known in another provision
_MAX_DEFINED = 8  # versions whose definitions are remembered
_MAX_PAIRED = 8  # pairs of versions that are remembered
_CUT = regex(r"…|\.\.\.")
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


class Follower:
    """Follows provisions between versions, and remembers how those were matched."""

    def __init__(self, clauses_of: ClausesOf) -> None:
        self._clauses_of = clauses_of
        self._matched = lru_cache(maxsize=_MAX_PAIRED)(lambda one, other: match(one.texts, other.texts))

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


@dataclass(frozen=True, slots=True)
class Standing:
    """`before` is what was cited, as it read then, `now` what stands for it. Each None where there is none.

    `since` is the day from which it is so, None where that is not known. `version` names the version that was looked
    at. What was renumbered may be `reworded` too. `quote_stands` says whether the quoted words are there still.
    `terms` are those that are defined otherwise now.
    """

    status: StandingStatus
    since: date | None = None
    before: ProvisionText | None = None
    now: ProvisionText | None = None
    version: int | str | None = None
    quote_stands: bool = False
    terms: tuple[str, ...] = ()

    @property
    def reworded(self) -> bool:
        return bool(self.before and self.now and self.before.body != self.now.body)


@dataclass(frozen=True, slots=True)
class _Step:
    """What became of it in one version."""

    status: StandingStatus
    version: VersionTexts
    now: ProvisionText | None = None


class StandingReader:
    """Tells what became of quotes. It remembers what it matched, so one looks at all of a work."""

    def __init__(self, clauses_of: ClausesOf) -> None:
        self._follower = Follower(clauses_of)
        self._defined_in = lru_cache(maxsize=_MAX_DEFINED)(lambda version: defined_in(version.texts))

    def text(self, version: VersionTexts, eid: str) -> ProvisionText | None:
        """What an address says in a version."""
        return self._follower.read(version, eid)

    def cited(self, version: VersionTexts, eid: str, quote: str) -> ProvisionText | None:
        """What a quote is of: the provision at the address, or the one inside it whose own text has the words."""
        return self._follower.read(version, self._innermost(version, eid, quote))

    def read(
        self, path: Sequence[VersionTexts], eid: str, *, quote: str = "", text: ProvisionText | None = None
    ) -> Standing:
        """What became of a provision on the way from the version that it was cited from to the last one of the path.

        `text` is what it said, where the first version of the path may say something else by now, or is another.
        Without an address the quote tells which provision is meant. A quote alone is enough for the whole.
        """
        eid = self._innermost(path[0], eid, quote) if text is None else eid
        before = text or self._follower.read(path[0], eid)
        if before is None:
            return Standing(StandingStatus.NOT_HERE, version=path[-1].name)
        steps = list(self._steps(path, eid, before, quote, is_known=text is not None))
        last = steps[-1]
        stands = last.status is StandingStatus.STANDS
        alike = list(takewhile(lambda step: step.status is last.status, reversed(steps[1:])))
        standing = Standing(
            last.status,
            since=alike[-1].version.begins if alike and not stands else None,
            before=before,
            now=last.now,
            version=last.version.name,
            quote_stands=last.now is not None and quote_stands(quote, last.now),
        )
        return self._with_definitions(standing, path) if stands else standing

    def _innermost(self, version: VersionTexts, eid: str, quote: str) -> str:
        """Of a provision with others inside, or without an address: the one whose own text has the quote."""
        if not quote or (eid and eid not in version.places):
            return eid
        inside = [one for one in version.texts if one.eid and (not eid or f"{one.eid}__".startswith(f"{eid}__"))]
        holding = [one.eid for one in inside if quote_stands(quote, one)] if len(inside) > 1 else []
        return holding[0] if len(holding) == 1 or (holding and eid) else eid

    def _steps(
        self, path: Sequence[VersionTexts], eid: str, before: ProvisionText, quote: str, *, is_known: bool
    ) -> Iterator[_Step]:
        here = eid
        for place, version in enumerate(path):
            if place:
                here = self._follower.next_eid(path[place - 1], version, here) if here else ""
                here = here or self._follower.same(before, version)  # it may come back
            elif is_known:
                here = self._follower.locate(before, version)
            stub = self._follower.read(version, eid) if eid else None
            if stub and stub.is_repealed and not before.is_repealed and here in ("", eid):
                yield self._step(version, None, before, quote)
                continue
            now = self._follower.read(version, here) if here else None
            if place and now and (other := _parted(before, now, version, quote)):
                here, now = other.eid, other
            yield self._step(version, now, before, quote)

    def _step(self, version: VersionTexts, now: ProvisionText | None, before: ProvisionText, quote: str) -> _Step:
        if now is None:
            now = _with_quote(version, quote)
            return _Step(StandingStatus.RENUMBERED if now else StandingStatus.REPEALED, version, now)
        if is_renumbered(before, now):
            return _Step(StandingStatus.RENUMBERED, version, now)
        status = StandingStatus.STANDS if before.body == now.body else StandingStatus.CHANGED
        return _Step(status, version, now)

    def _with_definitions(self, standing: Standing, path: Sequence[VersionTexts]) -> Standing:
        before = standing.before
        if before is None or path[0] == path[-1]:
            return standing
        defined = self._defined_in(path[0])
        if defining(defined) == before.eid:
            return standing
        known = defined_for(before.eid, defined, path[0].texts)
        terms: list[str] = []
        since = None
        for version in reversed(path[1:]):
            found = redefined(before.text, known, defined_since(known, self._defined_in(version))) if known else []
            if not found or (terms and not set(found) & set(terms)):
                break
            terms, since = terms or found, version.begins
        if not terms:
            return standing
        changed = StandingStatus.DEFINITION_CHANGED
        return replace(standing, status=changed, since=since, quote_stands=True, terms=tuple(terms))


def is_renumbered(before: ProvisionText, now: ProvisionText) -> bool:
    """Whether it has another number, or stands in something else that has numbers of its own.

    A clause that is lost in its provision is not.
    """
    if not before.eid or f"{before.eid}__".startswith(f"{now.eid}__"):
        return False
    within, within_now = before.eid.rpartition("__")[0], now.eid.rpartition("__")[0]
    return within != within_now or _number(before) != _number(now)


def quote_stands(quote: str, text: ProvisionText) -> bool:
    """Whether the quoted words are in a text. Marks, dots for what was left out, and its number do not count."""
    said = (_joined(one.form for one in text.words), _joined(text.body))
    parts = [ProvisionText("", part, number=text.number) for part in _CUT.split(quote) if part.strip()]
    return bool(parts) and all(
        any(forms in one for one in said for forms in {_joined(normal_forms(part.text)), _joined(part.body)})
        for part in parts
    )


def _parted(before: ProvisionText, now: ProvisionText, version: VersionTexts, quote: str) -> ProvisionText | None:
    """The provision that has the quoted words now, where what follows the one before has them no more."""
    if not quote or quote_stands(quote, now) or not quote_stands(quote, before):
        return None
    return _with_quote(version, quote)


def _with_quote(version: VersionTexts, quote: str) -> ProvisionText | None:
    """The only provision that has the quoted words, if these are enough to tell."""
    if sum(form.isalpha() for form in normal_forms(quote)) < MIN_QUOTED:
        return None
    found = [one for one in version.texts if one.eid and quote_stands(quote, one)]
    return found[0] if len(found) == 1 else None


def _number(text: ProvisionText) -> str:
    return text.number.strip(" .():").casefold()


def _joined(forms: Iterator[str] | Sequence[str]) -> str:
    return f"\0{chr(0).join(forms)}\0"
