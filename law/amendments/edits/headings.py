"""What an instruction makes of a heading."""

from __future__ import annotations

from dataclasses import replace

from law.amendments.edits.word_edits import exchanged, in_capitals, is_in_capitals
from law.amendments.finding import Failure, NotCarriedOut
from law.amendments.instructions import Action, Instruction


def new_heading(heading: str, instruction: Instruction) -> list[str]:
    """Its lines after the instruction. Raises `NotCarriedOut`."""
    match instruction.action:
        case Action.REPEAL:
            return []
        case Action.REPLACE if instruction.text:
            return list(instruction.text)
        case Action.REPLACE_EVERYWHERE | Action.REPLACE_WORDS | Action.INSERT_WORDS:
            new = tuple(map(in_capitals, instruction.new)) if is_in_capitals(heading) else instruction.new
            return [exchanged(heading, replace(instruction, new=new))]
    raise NotCarriedOut(Failure.NOT_UNDERSTOOD, instruction.words)
