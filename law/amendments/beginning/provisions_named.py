"""Which provisions of an amending act words name: its sections and clauses, its parts, and all of it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from law.amendments.instructions import ANNEX, Instruction, Place
from law.amendments.places import read_places
from law.languages import Language
from law.structure.lines.clauses import clause_values

Divisions = tuple[tuple[str, str], ...]
MAX_LISTED = 60


@dataclass(frozen=True, slots=True)
class Range:
    """Divisions of one kind: the one of a number, or all from that to the last."""

    unit: str
    first: str
    last: str = ""

    def holds(self, unit: str, number: str) -> bool:
        if unit != self.unit:
            return False
        if not self.last:
            return number.casefold() == self.first.casefold()
        return _order(self.first) <= _order(number) <= _order(self.last)


@dataclass(frozen=True, slots=True)
class ProvisionsNamed:
    """`parts` are divisions, each with those that it is of: `Division 1 of Part 2` is a tuple of two.

    `act` is the act whose they are, '' where none is named. With `is_whole_act` nothing else is. `unread` are words
    that were not understood.
    """

    places: tuple[Place, ...] = ()
    parts: tuple[tuple[Range, ...], ...] = ()
    act: str = ""
    is_whole_act: bool = False
    unread: str = ""

    def __bool__(self) -> bool:
        return bool(self.places or self.parts)

    def hold(self, instruction: Instruction) -> bool:
        return any(_holds(place, instruction) for place in self.places) or any(
            _is_in(part, instruction.divisions) for part in self.parts
        )


NONE = ProvisionsNamed()


def entered(divisions: Sequence[tuple[str, str]], heading: re.Match[str]) -> list[tuple[str, str]]:
    """The parts of an amending act that a text stands in below the heading of one."""
    of = heading.groupdict()
    if of.get(ANNEX):  # it is of no part of the act
        return [(ANNEX, of.get("of_annex") or "")]
    unit, number = heading["unit"].casefold(), heading["number"]
    units = [one for one, _ in divisions]
    return [*divisions[: units.index(unit) if unit in units else len(units)], (unit, number)]


def read_provisions(words: str, language: Language) -> ProvisionsNamed:
    """What words name of an amending act; nothing where they name something else, or nothing."""
    rows = language.amending
    words = re.sub(rows.pattern("own_act"), "", words, flags=re.IGNORECASE)
    parts: list[tuple[Range, ...]] = []

    def take(said: re.Match[str]) -> str:
        chains: list[tuple[Range, ...]] = [()]
        for listed in re.finditer(rows.pattern("divisions_named"), said[0], re.IGNORECASE):
            ranges = _ranges(listed, rows.pattern("to"))
            chains = [(*chain, one) for chain in chains for one in ranges][:MAX_LISTED]
        parts.extend(chains)
        return ""

    chain = f"(?:(?:{_ungrouped(rows.pattern('divisions_named'))})(?:{rows.pattern('of_division')}|$|(?=\\W)))+"
    rest = re.sub(chain, take, words, flags=re.IGNORECASE) if rows.pattern("divisions_named") else words
    rest = re.sub(rows.pattern("left_of_list"), "", rest.strip(" ,"))
    named = read_places(rest, language) if rest.strip(" ,") else None
    places = tuple(place for place in named.places if place.section) if named else ()
    is_whole_act = bool(named and not parts and all(place.is_whole_act for place in named.places))
    return ProvisionsNamed(
        places, tuple(parts), named.act if named else "", is_whole_act, named.unread if named else ""
    )


def never_begun(said: str, language: Language) -> str | None:
    """The provisions of the act itself that a sentence says never came into force, None where it says no such thing.

    '' where it is not understood of which. `that section 1` is the one that was named last. None for what it says of
    an act by its name, or repeals without a condition: that is an instruction.
    """
    rows = language.amending
    match = re.search(rows.pattern("never_begun"), said)
    if match is None:
        return None
    before, own, meant = said[: match.start("what")], rf"(?i:{rows.pattern('own_act')})", list[str]()
    for part in re.split(rows.joins, match["what"]):
        words = re.sub(f"^{rows.pattern('those')}", "", part)
        if words != part and before:
            mentions = re.findall(rf"(?<!\w){re.escape(words)}(?: \d[\w.()]*)?(?![\w(])(?:{own})?", before)
            words = mentions[-1] if mentions and re.search(own, mentions[-1]) else ""
        if match["repealed"] and not (re.search(own, words) and re.match(rows.pattern("conditional"), said)):
            return None
        meant.append(re.sub(own, "", words))
    if any(read_places(words, language).act for words in meant):
        return None
    return ", ".join(filter(None, meant))


def _ranges(listed: re.Match[str], to: str) -> list[Range]:
    unit = ANNEX if listed[ANNEX] else listed["unit"].casefold()
    numbers = re.split(r"(?:,? (?:and|or) |, ?| ו-?)(?=\S)", listed["numbers"] or "")
    ranges = []
    for number in numbers:
        first, *last = re.split(to, number.strip(" ,"), maxsplit=1)
        ranges.append(Range(unit, first.strip("'׳ "), last[0].strip("'׳ ") if last else ""))
    return ranges


def _ungrouped(pattern: str) -> str:
    return re.sub(r"\(\?P<\w+>", "(?:", pattern)


def _is_in(part: Sequence[Range], divisions: Divisions) -> bool:
    """Whether a text in these divisions is in a part; a part of the act itself is not one of a schedule."""
    is_of_annex = any(one.unit == ANNEX for one in part)
    if is_of_annex != any(unit == ANNEX for unit, _ in divisions):
        return False
    return all(any(one.holds(unit, number) for unit, number in divisions) for one in part)


def _holds(place: Place, instruction: Instruction) -> bool:
    section, clauses = instruction.amending[:1], instruction.amending[1:]
    is_of_annex = any(unit == ANNEX for unit, _ in instruction.divisions)
    if not section or not place.section or is_of_annex != bool(place.annex):
        return False
    own = _order(section[0])
    if place.last:
        return _order(place.section) <= own <= _order(place.last)
    if section[0] != place.section:
        return False
    if place.last_clauses:
        first, last = (_order(one[-1]) for one in (place.clauses, place.last_clauses))
        depth = len(place.clauses)
        return len(clauses) >= depth and first <= _order(clauses[depth - 1]) <= last
    return clauses[: len(place.clauses)] == place.clauses


def _order(label: str) -> tuple[int, ...]:
    """By which numbers and clauses are in order: `5`, `5.1`, `6`; `a`, `b`."""
    return tuple(next(iter(clause_values(part).values()), 0) for part in label.split("."))
