"""An act and an amending act in, the act as it reads from a day on out."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from extraction.document import Page
from law.amendments.beginning.commencement import dated, day_of_assent
from law.amendments.blocks import Edit, blocks_in
from law.amendments.carrying_out import Outcome, carry_out
from law.amendments.finding import Failure
from law.amendments.instructions import Instruction
from law.amendments.reading import read_instructions
from law.structure.lines.document_lines import lines
from law.structure.provisions import Outline, ParsedProvision
from law.structure.recogniser import Recogniser

MAX_TEXT_LENGTH = 1_000_000  # characters of an act, and of an amending act
HEAD_LENGTH = 2_000  # characters in which an amending act says its number


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
    return with_days(dated(read_instructions(text), text=text, assented=day_of_assent(text)), days or {})


def with_days(instructions: Iterable[Instruction], days: Mapping[str, dt.date]) -> list[Instruction]:
    """Instructions that were read, with such days."""
    return [_with_day(one, days) for one in instructions]


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
    due = sorted((one for one in instructions if is_due(one, on, since)), key=lambda one: one.day or dt.date.max)
    result = carry_out(
        due,
        text=text,
        provisions=provisions_of(text),
        titles=titles,
        chapter=amending[:HEAD_LENGTH],
    )
    told = {id(one.instruction): one for one in result.outcomes}
    return ConsolidatedAct(
        text=result.text, outcomes=[told.get(id(one)) or waiting(one, on, since) for one in instructions]
    )


def edits_of_texts(before: str, after: str) -> tuple[Edit, ...]:
    """What differs between two texts of an act, by section, and what stands between sections as one edit."""
    told: list[dict[str, list[str]]] = []
    for text in (before, after):
        lines: dict[str, list[str]] = {}
        for block in blocks_in(text, provisions_of(text)):
            lines.setdefault("" if block.annex else block.number, []).extend(block.lines)
        told.append(lines)
    old, new = told
    return tuple(
        Edit(number=key, before="\n".join(old.get(key, [])), after="\n".join(new.get(key, [])))
        for key in dict.fromkeys([*old, *new])
        if old.get(key) != new.get(key)
    )


def provisions_of(text: str) -> list[ParsedProvision]:
    """The provisions of a text, a line for each paragraph."""
    outline = Outline()
    page = Page(number=1, paragraphs=tuple(text.split("\n")))
    for _ in outline.follow(Recogniser(statutory=True).units(lines([page]))):
        pass
    return outline.provisions


def is_due(instruction: Instruction, on: dt.date, since: dt.date | None) -> bool:
    """Whether it is tried on a day: begun by then, after the day of the act's text, and known not to have ended.

    One that depends on something is tried on any day: what it would change is shown, and nothing is changed.
    """
    return not _why_not(instruction, on, since)


def _why_not(instruction: Instruction, on: dt.date, since: dt.date | None) -> tuple[Failure, str] | None:
    """Why an instruction is not carried out on a day, None where it is, or where another act decides from when."""
    if instruction.condition:
        return None
    if instruction.day is None:
        return Failure.DAY_UNKNOWN, instruction.commences
    if instruction.day > on:
        return Failure.NOT_YET, instruction.day.isoformat()
    if instruction.lapses and instruction.until is None:
        return Failure.END_UNKNOWN, instruction.lapses
    is_in_text = since is not None and instruction.day <= since
    if instruction.until is not None and instruction.until <= on:
        is_over = not is_in_text or (since is not None and instruction.until <= since)
        return Failure.ENDED if is_over else Failure.RETURNS, instruction.until.isoformat()
    return (Failure.ALREADY_SO, instruction.day.isoformat()) if is_in_text else None


def _with_day(instruction: Instruction, days: Mapping[str, dt.date]) -> Instruction:
    """An instruction with the day that was given for its provision, the innermost that was."""
    depth = len(instruction.amending)
    names = [replace(instruction, amending=instruction.amending[:count]).provision for count in range(depth, 0, -1)]
    day = next((days[name] for name in names if name in days), None)
    return instruction if day is None else replace(instruction, day=day)


def waiting(instruction: Instruction, on: dt.date, since: dt.date | None = None) -> Outcome:
    """The outcome of an instruction that is not due, because of its own days or of that of the act's text."""
    failure, detail = _why_not(instruction, on, since) or (Failure.ALREADY_SO, "")
    return Outcome(instruction=instruction, failure=failure, detail=detail)
