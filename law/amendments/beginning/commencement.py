"""From when each instruction of an amending act is in force, and until when, as the act itself says.

A day that is left to an order stays unknown. What the act says of its parts goes before what it says of itself.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice, takewhile

from law.amendments.beginning.provisions_named import NONE, ProvisionsNamed, entered, never_begun, read_provisions
from law.amendments.instructions import Action, Instruction
from law.amendments.places import read_places
from law.amendments.reading import SECTION
from law.languages import Language
from law.languages.dates import find_dates
from law.languages.scripts import main_language
from law.patterns import regex
from law.structure.lines.number_keys import key_of

_LABELS = regex(r"^(?:\d[\w.]*\.\s+)?(?:\(\w{1,5}(?:\.\d{1,2})?\)\s*)*")
LABELS_ALONE = regex(r"^\(\w{1,5}(?:\.\d{1,2})?\)\s*\S")
_ITEM_END = regex(r"[\s,;.]*(?:\b(?:and|or)\b)?[\s,;.]*$")
_MARKS = "“”‘’\"' "
LEADS = frozenset(":—–-")
MAX_LISTED = 60  # provisions of a list
MAX_LINE_LENGTH = 3_000
MAX_STATEMENTS = 500


@dataclass(frozen=True, slots=True)
class Commencement:
    """What the act says of the beginning of some of its provisions, or of their end.

    `unit` is '' where provisions are `named`, or `act`, `part` and the like: the one that the statement stands in,
    which has the `divisions`. `excepted` are provisions of it that are not meant. `day` is None where it is not known.
    With `is_condition` the words say on what they depend, and nothing of a day. With `is_end`, `day` is the first one
    on which what they changed reads as before. `line` is the number of the line in which the words begin.
    """

    words: str
    day: dt.date | None
    unit: str = ""
    divisions: tuple[tuple[str, str], ...] = ()
    named: ProvisionsNamed = NONE
    excepted: ProvisionsNamed = NONE
    is_condition: bool = False
    is_end: bool = False
    line: int = 0

    def covers(self, instruction: Instruction) -> bool:
        if self.excepted.hold(instruction):
            return False
        if self.unit:
            depth = next((at + 1 for at, one in enumerate(self.divisions) if one[0] == self.unit), 0)
            return instruction.divisions[:depth] == self.divisions[:depth]
        return self.named.hold(instruction)


def dated(instructions: Sequence[Instruction], *, text: str, assented: dt.date | None) -> list[Instruction]:
    """The instructions with their days. `assented` is the day of the act itself, on which the rest begins."""
    language = main_language(text)
    lines = text.split("\n")
    new, perhaps = _new_text(lines, instructions), _perhaps_new(lines, instructions)
    mark = f"^{language.amending.pattern('own_section')}"
    own = ["" if at in new or at in perhaps else re.sub(mark, "", line) for at, line in enumerate(lines)]
    doubted = [line if at in perhaps and at not in new else "" for at, line in enumerate(lines)]
    said = list(islice(_statements(own, language, assented), MAX_STATEMENTS))
    said += [replace(one, day=None) for one in islice(_statements(doubted, language, assented), MAX_STATEMENTS)]
    said += filter(None, (_never_begun(one, language) for one in instructions))
    said.sort(key=breadth)
    return [_dated(one, said, assented) for one in instructions]


def _never_begun(instruction: Instruction, language: Language) -> Commencement | None:
    """On what the provisions depend of which an instruction says that they never came into force."""
    if instruction.action is not Action.UNREAD or not instruction.condition:
        return None
    words = " ".join(dict.fromkeys((instruction.condition, instruction.words)))
    section = next(iter(instruction.amending), "")
    named = read_places(never_begun(words, language) or "", language).places
    places = tuple(replace(one, section=one.section or section) for one in named)
    return Commencement(words, None, named=ProvisionsNamed(places), is_condition=True) if named else None


def breadth(said: Commencement) -> tuple[int, int]:
    """By which what is said of more goes before what is said of less: the act, its divisions, sections, clauses."""
    if said.unit:
        return (0, 0) if said.unit == "act" else (1, len(said.divisions))
    if said.named.parts:
        return 1, min(map(len, said.named.parts))
    return 2, min((len(place.clauses) for place in said.named.places), default=0)


def day_of_assent(text: str) -> dt.date | None:
    """The day that the head of an amending act gives as its own."""
    pattern = main_language(text).amending.pattern("assented")
    match = re.search(rf"^{pattern}$", text[:MAX_LINE_LENGTH], re.MULTILINE)
    return next((one.date for one in find_dates(match["day"])), None) if match else None


def _dated(instruction: Instruction, said: Iterable[Commencement], assented: dt.date | None) -> Instruction:
    condition = instruction.condition
    begins, ends = Commencement("", assented), Commencement("", None)
    for one in said:
        if not one.covers(instruction):
            continue
        if one.is_condition:
            condition = condition or one.words
        elif one.is_end:
            ends = one
        else:
            begins = one
    return replace(
        instruction,
        condition=condition,
        day=begins.day,
        commences=begins.words,
        commences_line=begins.line,
        until=ends.day,
        lapses=ends.words,
        lapses_line=ends.line,
    )


def _new_text(lines: Sequence[str], instructions: Iterable[Instruction]) -> set[int]:
    """The numbers of the lines that are text which instructions put into another act."""
    new: set[int] = set()
    for one in instructions:
        text = {_bare(line) for line in one.text}
        behind = range(one.line + 1, len(lines)) if text else range(0)
        for at in behind:
            if lines[at].strip() and _bare(lines[at]) not in text:
                break
            new.add(at)
    return new


def _perhaps_new(lines: Sequence[str], instructions: Sequence[Instruction]) -> set[int]:
    """Those behind an instruction that leads to new text and did not get it, up to the next section of the act."""
    starts = {one.line for one in instructions}
    perhaps: set[int] = set()
    for one in instructions:
        if (one.text and not one.unread) or lines[one.line].strip()[-1:] not in LEADS:
            continue
        number = one.amending[0] if one.amending and one.amending[0] else "0"
        for at in range(one.line + 1, len(lines)):
            own = SECTION.match(lines[at].strip())
            if at in starts or (own and key_of(own["number"])[0][0] == key_of(number)[0][0] + 1):
                break
            perhaps.add(at)
    return perhaps


def _bare(line: str) -> str:
    return line.strip().strip(_MARKS)


def _statements(lines: Sequence[str], language: Language, assented: dt.date | None) -> Iterator[Commencement]:
    rows = language.amending
    divisions: list[tuple[str, str]] = []
    section = ""
    if temporary := re.search(rows.pattern("temporary"), lines[0][:MAX_LINE_LENGTH]):
        yield Commencement(temporary[0], None, "act", is_end=True)
    for at, line in enumerate(lines):
        said = line.strip()
        section = number["number"] if (number := SECTION.match(said)) else section
        if division := re.match(rows.divisions, said):
            divisions = entered(divisions, division)
        if len(said) > MAX_LINE_LENGTH or re.match(rows.pattern("conditional"), said):
            continue
        said = with_list(lines, at, language)
        said = re.sub(f"^{rows.pattern('subject_to')}", "", said)
        if applies := re.match(rows.pattern("applies_if"), said):
            places = tuple(
                replace(one, section=one.section or section) for one in read_places(applies["what"], language).places
            )
            yield Commencement(said, None, "", tuple(divisions), ProvisionsNamed(places), is_condition=True)
            continue
        for forms in (rows.commences, rows.lapses):
            if match := next((match for form in forms if (match := re.match(form, said))), None):
                for one in _statement(match, said, tuple(divisions), language, assented):
                    yield replace(one, line=at)


def with_list(lines: Sequence[str], at: int, language: Language) -> str:
    """A line without its label, and with the provisions that are listed below it: `The following … on 1 May—`."""
    said = _LABELS.sub("", lines[at].strip())
    following = re.match(language.amending.pattern("following"), said)
    if following is None or said[-1:] not in ":—–-":
        return said
    listed = takewhile(LABELS_ALONE.match, (line.strip() for line in lines[at + 1 : at + 1 + MAX_LISTED]))
    items = [_ITEM_END.sub("", _LABELS.sub("", line)) for line in listed]
    return f"{' and '.join(items)}{following['of'] or ''} {said[following.end() :].strip()}" if items else said


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
    when, *behind = re.split(rows.excepts, "" if is_end else match["when"], maxsplit=1)
    day = _end(match) if is_end else day_in(when, language, assented)
    left_out = read_provisions(" and ".join([*excepted, *behind]).strip(" ,.()"), language)
    is_open = bool(behind) and (bool(left_out.unread) or not left_out)
    if is_open or (len(list(find_dates(when))) > 1 and not any(re.match(one, words) for one in rows.lapses)):
        yield Commencement(words, None, "act")  # it says several days, and of which provisions was not understood
        return
    whole = re.fullmatch(rows.pattern("whole"), what.strip(" ,"), re.IGNORECASE)
    if whole or not what.strip():
        unit = ((whole and whole["unit"]) or "act").casefold()
        yield Commencement(words, day, unit, divisions, excepted=left_out, is_end=is_end)
        return
    named = read_provisions(what, language)
    if not named.act:
        for one in (ProvisionsNamed(parts=named.parts), ProvisionsNamed(named.places)):
            if one:
                yield Commencement(words, day, "", divisions, one, left_out, is_end=is_end)


def _end(match: re.Match[str]) -> dt.date | None:
    """The first day on which what was changed reads as before, None where the words leave that open."""
    of = match.groupdict()
    ceases = next((one.date for one in find_dates(of.get("ceases") or "")), None)
    last = next((one.date for one in find_dates(of.get("until") or "")), None)
    return last + dt.timedelta(days=1) if last else ceases


def day_in(when: str, language: Language, assented: dt.date | None) -> dt.date | None:
    """The day that words give, None where they leave it open."""
    rows = language.amending
    if re.match(rows.pattern("fixed_by_order"), when):
        return None
    if match := re.match(rows.pattern("after_assent"), when):
        return assented and assented + dt.timedelta(days=int(match["count"]))
    if re.match(rows.pattern("on_assent"), when):
        return assented
    return next((one.date for one in find_dates(when)), None)
