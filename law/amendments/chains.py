"""Several amending acts on one act: what it says on a day, whatever the order in which they begin.

The text is made anew from that of the act for each day. So a temporary order leaves when it ends, what begins on a day
that has passed takes its place before what is there, and an amending act that is taken away leaves nothing behind.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby

from law.amendments.carrying_out import Outcome, carry_out
from law.amendments.consolidating import HEAD_LENGTH, instructions_of, is_due, provisions_of, waiting
from law.amendments.instructions import Instruction, is_named

MAX_ACTS = 100


@dataclass(frozen=True, kw_only=True)
class AmendingAct:
    """`titles` are its names, by which acts that are passed later change it. `days` are those that it leaves open."""

    text: str
    titles: tuple[str, ...] = ()
    days: Mapping[str, dt.date] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class ChainedAct:
    """The text on a day, and what became of each instruction, by the place of its act among those given.

    Instructions about another act of the chain are among them: their `sections` are sections of that act.
    """

    text: str
    outcomes: list[tuple[int, Outcome]]


def carry_out_all(
    acts: Sequence[AmendingAct], *, text: str, titles: Sequence[str], on: dt.date, since: dt.date | None = None
) -> ChainedAct:
    """What an act says on a day after amending acts, which are given in the order in which they were passed.

    An act among them that changes another one before that begins is carried out on it first. `since` is the day of the
    act's text: what began on it or before is in it. Raises `ValueError` for more than MAX_ACTS.
    """
    if len(acts) > MAX_ACTS:
        raise ValueError(f"{len(acts)} amending acts: at most {MAX_ACTS} are carried out together.")
    chain = _Chain(acts, titles)
    text = chain.carried_out([item for item in chain.named if is_due(item[1], on, since)], text, titles)
    outcomes = [(number, chain.outcome(one, on, since)) for number, one in chain.read]
    return ChainedAct(text=text, outcomes=outcomes)


def carried_out_in_order(
    due: Iterable[tuple[int, Instruction]], *, text: str, titles: Sequence[str], heads: Sequence[str]
) -> tuple[str, dict[int, Outcome]]:
    """A text after instructions, in the order of their days and of their acts, of which `heads` are the beginnings.

    Returns also what became of each, by the identity of the instruction.
    """
    told: dict[int, Outcome] = {}
    ordered = sorted(due, key=lambda item: (_day(item[1]), item[0]))
    for number, group in groupby(ordered, key=lambda item: item[0]):
        made = carry_out(
            [one for _, one in group],
            text=text,
            provisions=provisions_of(text),
            titles=titles,
            chapter=heads[number][:HEAD_LENGTH],
        )
        text = made.text
        told |= {id(one.instruction): one for one in made.outcomes}
    return text, told


def _day(instruction: Instruction) -> dt.date:
    return instruction.day or dt.date.max


class _Chain:
    """The instructions of amending acts, each as its act reads on the day on which it begins.

    `read` are all of them, in their order, and `named` those about the act, each with the place of its amending act.
    """

    def __init__(self, acts: Sequence[AmendingAct], titles: Sequence[str]) -> None:
        self._acts = acts
        self._told: dict[int, Outcome] = {}
        self._of_acts: set[int] = set()  # instructions about another act of the chain
        self.read: list[tuple[int, Instruction]] = []
        for number in range(len(acts) - 1, -1, -1):  # an act is changed only by those that are passed after it
            self.read = [*((number, one) for one in self._as_amended(number, self.read)), *self.read]
        self.named = [item for item in self.read if any(is_named(title, item[1].act) for title in titles)]
        self._of_act = {id(one) for _, one in self.named}

    def carried_out(self, due: Iterable[tuple[int, Instruction]], text: str, titles: Sequence[str]) -> str:
        """A text after instructions, in the order of their days and of their acts."""
        text, told = carried_out_in_order(due, text=text, titles=titles, heads=[act.text for act in self._acts])
        self._told |= told
        return text

    def outcome(self, instruction: Instruction, on: dt.date, since: dt.date | None) -> Outcome:
        """What became of an instruction; one of an act that is neither the act nor in the chain is named as such."""
        key = id(instruction)
        if key in self._of_act or key in self._of_acts:
            since = since if key in self._of_act else None
            told = self._told.get(key) if is_due(instruction, on, since) else None
            return told or waiting(instruction, on, since)
        return carry_out([instruction], text="", provisions=[], titles=[]).outcomes[0]

    def _as_amended(self, number: int, later: Sequence[tuple[int, Instruction]]) -> list[Instruction]:
        """The instructions of an act that is changed by later ones, perhaps before they begin."""
        act = self._acts[number]
        about = [item for item in later if any(is_named(title, item[1].act) for title in act.titles)]
        self._of_acts |= {id(one) for _, one in about}
        starts = [dt.date.min, *sorted({day for _, one in about for day in (one.day, one.until) if day})]
        readings = []
        for start in starts:
            text = self.carried_out([item for item in about if is_due(item[1], start, None)], act.text, act.titles)
            readings.append(instructions_of(text, days=act.days))
        found = []
        for at, (start, read) in enumerate(zip(starts, readings, strict=True)):
            end = starts[at + 1] if at + 1 < len(starts) else None
            now = [one for one in read if start <= _day(one) and (end is None or _day(one) < end)]
            found += [_until(one, list(zip(starts, readings, strict=True))[at + 1 :]) for one in now]
        return found


def _until(instruction: Instruction, later: Sequence[tuple[dt.date, list[Instruction]]]) -> Instruction:
    """A temporary instruction with the end that it has when it comes to it: it may have been put off before."""
    for start, read in later:
        if instruction.until is None or start > instruction.until:
            break
        same = next((one for one in read if _key(one) == _key(instruction)), None)
        if same is not None:
            instruction = replace(instruction, until=same.until, lapses=same.lapses)
    return instruction


def _key(instruction: Instruction) -> tuple[object, ...]:
    return instruction.amending, instruction.words, instruction.places, instruction.text, instruction.new
