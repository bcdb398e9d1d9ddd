"""An act and an amending act in, the act as it reads from a day on out."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from extraction.document import Page
from law.amendments.carrying_out import Outcome, carry_out
from law.amendments.commencement import dated, day_of_assent
from law.amendments.finding import Failure
from law.amendments.instructions import Instruction, numbered
from law.amendments.reading import read_instructions
from law.structure.lines.document_lines import lines
from law.structure.provisions import Outline, ParsedProvision
from law.structure.recogniser import Recogniser

MAX_TEXT_LENGTH = 1_000_000  # characters of an act, and of an amending act
_HEAD_LENGTH = 2_000  # characters in which an amending act says its number


@dataclass(frozen=True, kw_only=True)
class ConsolidatedAct:
    """`text` is the act on the day, a line for each paragraph. `outcomes` are those of all instructions, as printed."""

    text: str
    outcomes: list[Outcome]


def instructions_of(text: str, *, days: Mapping[str, dt.date] | None = None) -> list[Instruction]:
    """The instructions of an amending act with the days on which they begin.

    `days` are days that the text does not say, by the provision of the amending act: `7`, or `7(2)` where its parts
    begin on days of their own.
    """
    read = dated(read_instructions(text), text=text, assented=day_of_assent(text))
    return [_with_day(one, days or {}) for one in read]


def consolidate(
    *,
    text: str,
    titles: Sequence[str],
    amending: str,
    on: dt.date,
    since: dt.date | None = None,
    days: Mapping[str, dt.date] | None = None,
) -> ConsolidatedAct:
    """An act after an amending act: see `carry_out_due`. `days` are those of `instructions_of`."""
    instructions = instructions_of(amending, days=days)
    return carry_out_due(instructions, text=text, titles=titles, amending=amending, on=on, since=since)


def carry_out_due(
    instructions: Sequence[Instruction],
    *,
    text: str,
    titles: Sequence[str],
    amending: str,
    on: dt.date,
    since: dt.date | None = None,
) -> ConsolidatedAct:
    """Carry out what is in force on a day, in the order of the days and then of the text.

    Both texts have a line for each paragraph, and at most MAX_TEXT_LENGTH characters. `titles` are names of the act.
    `since` is the day of the act's text: what began on it or before is in it. An instruction whose day is not known is
    not carried out.
    """
    due = sorted((one for one in instructions if one.day and one.day <= on), key=lambda one: one.day or dt.date.max)
    result = carry_out(
        [one for one in due if since is None or one.day is None or one.day > since],
        text=text,
        provisions=provisions_of(text),
        titles=titles,
        chapter=amending[:_HEAD_LENGTH],
    )
    told = {id(one.instruction): one for one in result.outcomes}
    return ConsolidatedAct(text=result.text, outcomes=[told.get(id(one)) or _waiting(one, on) for one in instructions])


def provisions_of(text: str) -> list[ParsedProvision]:
    """The provisions of a text, a line for each paragraph."""
    outline = Outline()
    page = Page(number=1, paragraphs=tuple(text.split("\n")))
    for _ in outline.follow(Recogniser(statutory=True).units(lines([page]))):
        pass
    return outline.provisions


def _with_day(instruction: Instruction, days: Mapping[str, dt.date]) -> Instruction:
    """An instruction with the day that was given for its provision, the innermost that was."""
    section, *clauses = instruction.amending or ("",)
    names = [numbered(section, clauses[:count]) for count in range(len(clauses), -1, -1)]
    day = next((days[name] for name in names if name in days), None)
    return instruction if day is None else replace(instruction, day=day)


def _waiting(instruction: Instruction, on: dt.date) -> Outcome:
    if instruction.day is None:
        return Outcome(instruction=instruction, failure=Failure.DAY_UNKNOWN, detail=instruction.commences)
    if instruction.day > on:
        return Outcome(instruction=instruction, failure=Failure.NOT_YET, detail=instruction.day.isoformat())
    return Outcome(instruction=instruction, failure=Failure.ALREADY_SO, detail=instruction.day.isoformat())
