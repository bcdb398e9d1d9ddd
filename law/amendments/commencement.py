"""From when each instruction of an amending act is in force, and until when, as the act itself says.

A day that is left to an order stays unknown. What the act says of its parts goes before what it says of itself.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from law.amendments.instructions import Instruction, Place
from law.amendments.places import read_places
from law.amendments.reading import SECTION, entered
from law.languages import Language
from law.languages.dates import find_dates
from law.languages.scripts import main_language
from law.patterns import regex
from law.structure.lines.clauses import clause_values

_LABELS = regex(r"^(?:\d[\w.]*\.\s+)?(?:\(\w{1,5}(?:\.\d{1,2})?\)\s*)*")
MAX_LINE_LENGTH = 3_000
MAX_STATEMENTS = 500


@dataclass(frozen=True, slots=True)
class Commencement:
    """What the act says of the beginning of some of its provisions, or of their end.

    `unit` is '' where `places` are named, or `act`, `part` and the like: the one that the statement stands in, which
    has the `divisions`. `excepted` are places of it that are not meant. `day` is None where it is not known. With
    `is_condition` the words say on what they depend, and nothing of a day. With `is_end`, `day` is the first one on
    which what they changed reads as before.
    """

    words: str
    day: dt.date | None
    unit: str = ""
    divisions: tuple[tuple[str, str], ...] = ()
    places: tuple[Place, ...] = ()
    excepted: tuple[Place, ...] = ()
    is_condition: bool = False
    is_end: bool = False

    def covers(self, instruction: Instruction) -> bool:
        if any(_holds(place, instruction) for place in self.excepted):
            return False
        if self.unit:
            depth = next((at + 1 for at, one in enumerate(self.divisions) if one[0] == self.unit), 0)
            return instruction.divisions[:depth] == self.divisions[:depth]
        return any(_holds(place, instruction) for place in self.places)


def dated(instructions: Sequence[Instruction], *, text: str, assented: dt.date | None) -> list[Instruction]:
    """The instructions with their days. `assented` is the day of the act itself, on which the rest begins."""
    language = main_language(text)
    said = list(islice(_statements(text, language, assented), MAX_STATEMENTS))
    said.sort(key=_breadth)
    return [_dated(one, said, assented) for one in instructions]


def _breadth(said: Commencement) -> tuple[int, int]:
    """By which what is said of more goes before what is said of less: the act, its divisions, sections, clauses."""
    if said.unit:
        return (0, 0) if said.unit == "act" else (1, len(said.divisions))
    return 2, min((len(place.clauses) for place in said.places), default=0)


def day_of_assent(text: str) -> dt.date | None:
    """The day that the head of an amending act gives as its own."""
    pattern = main_language(text).amending.pattern("assented")
    match = re.search(rf"^{pattern}$", text[:MAX_LINE_LENGTH], re.MULTILINE)
    return next((one.date for one in find_dates(match["day"])), None) if match else None


def _dated(instruction: Instruction, said: Iterable[Commencement], assented: dt.date | None) -> Instruction:
    day, words, condition = assented, "", instruction.condition
    until, lapses = None, ""
    for one in said:
        if not one.covers(instruction):
            continue
        if one.is_condition:
            condition = condition or one.words
        elif one.is_end:
            until, lapses = one.day, one.words
        else:
            day, words = one.day, one.words
    return replace(instruction, day=day, commences=words, condition=condition, until=until, lapses=lapses)


def _statements(text: str, language: Language, assented: dt.date | None) -> Iterator[Commencement]:
    rows = language.amending
    divisions: list[tuple[str, str]] = []
    section = ""
    if temporary := re.search(rows.pattern("temporary"), text[:MAX_LINE_LENGTH].split("\n")[0]):
        yield Commencement(temporary[0], None, "act", is_end=True)
    for line in text.split("\n"):
        said = line.strip()
        section = number["number"] if (number := SECTION.match(said)) else section
        if division := re.match(rows.divisions, said):
            divisions = entered(divisions, division)
        if len(said) > MAX_LINE_LENGTH or re.match(rows.pattern("conditional"), said):
            continue
        said = _LABELS.sub("", said)
        said = re.sub(f"^{rows.pattern('subject_to')}", "", said)
        if applies := re.match(rows.pattern("applies_if"), said):
            places = tuple(
                replace(one, section=one.section or section) for one in read_places(applies["what"], language).places
            )
            yield Commencement(said, None, "", tuple(divisions), places, is_condition=True)
            continue
        match = next((match for one in rows.commences if (match := re.match(one, said))), None)
        if match:
            yield from _statement(match, said, tuple(divisions), language, assented)
        ends = next((match for one in rows.lapses if (match := re.match(one, said))), None)
        if ends:
            yield from _statement(ends, said, tuple(divisions), language, assented)


def _statement(
    match: re.Match[str],
    words: str,
    divisions: tuple[tuple[str, str], ...],
    language: Language,
    assented: dt.date | None,
) -> Iterator[Commencement]:
    rows = language.amending
    what, *excepted = re.split(rows.excepts, match["what"], maxsplit=1)
    is_end = "when" not in match.groupdict()
    day = _end(match) if is_end else _day(match["when"], language, assented)
    left_out = tuple(place for one in excepted for place in read_places(one.strip(" ,"), language).places)
    whole = re.fullmatch(rows.pattern("whole"), what.strip(" ,"), re.IGNORECASE)
    if whole or not what.strip():
        unit = ((whole and whole["unit"]) or "act").casefold()
        yield Commencement(words, day, unit, divisions, (), left_out, is_end=is_end)
        return
    named = read_places(what, language)
    if named.places and not named.act:
        yield Commencement(words, day, "", divisions, named.places, left_out, is_end=is_end)


def _end(match: re.Match[str]) -> dt.date | None:
    """The first day on which what was changed reads as before, None where the words leave that open."""
    of = match.groupdict()
    ceases = next((one.date for one in find_dates(of.get("ceases") or "")), None)
    last = next((one.date for one in find_dates(of.get("until") or "")), None)
    return last + dt.timedelta(days=1) if last else ceases


def _day(when: str, language: Language, assented: dt.date | None) -> dt.date | None:
    rows = language.amending
    if re.match(rows.pattern("fixed_by_order"), when):
        return None
    if match := re.match(rows.pattern("after_assent"), when):
        return assented and assented + dt.timedelta(days=int(match["count"]))
    if re.match(rows.pattern("on_assent"), when):
        return assented
    return next((one.date for one in find_dates(when)), None)


def _holds(place: Place, instruction: Instruction) -> bool:
    section, clauses = instruction.amending[:1], instruction.amending[1:]
    if not section or not place.section:
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
