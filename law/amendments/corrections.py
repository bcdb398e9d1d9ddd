"""An instruction as a person corrects it: which place it is about, which words it changes, and from when."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from law.amendments.instructions import Action, Instruction, Place, Where
from law.amendments.places import read_places
from law.languages.scripts import main_language

MAX_WORDS_LENGTH = 500  # characters of what is given
OF_WORDS = {Action.REPLACE_WORDS, Action.REPLACE_EVERYWHERE, Action.INSERT_WORDS, Action.STRIKE_FROM}


class PlaceNotRead(ValueError):
    """A place that was given is not understood, or not in full. The argument is what was not."""


@dataclass(frozen=True, kw_only=True)
class Correction:
    """What is said in place of what was read; empty stays as it was read. An unread instruction replaces words.

    `proposed_by` is the model that proposed it, '' for a person.
    """

    place: str = ""
    old: str = ""
    new: str = ""
    day: dt.date | None = None
    proposed_by: str = ""

    def __bool__(self) -> bool:
        return self != Correction()

    def as_json(self) -> dict[str, Any]:
        return {**asdict(self), "day": self.day.isoformat() if self.day else None}

    @classmethod
    def from_json(cls, said: Mapping[str, Any]) -> Correction:
        day = said.get("day")
        return cls(**{**said, "day": dt.date.fromisoformat(day) if day else None})


def corrected(instruction: Instruction, correction: Correction) -> Instruction:
    """The instruction as it is corrected. Raises `PlaceNotRead`."""
    if not correction:
        return instruction
    if correction.place:
        instruction = _at(instruction, correction.place)
    if instruction.action is Action.UNREAD and correction.old:
        instruction = replace(instruction, action=Action.REPLACE_WORDS)
    if correction.old:
        instruction = replace(instruction, old=(correction.old,))
    if correction.new:
        instruction = replace(instruction, new=(correction.new,))
    said_anew = correction.place or correction.old or correction.new  # a day does not tell what the words mean
    return replace(instruction, day=correction.day or instruction.day, unread="" if said_anew else instruction.unread)


def place_of(instruction: Instruction) -> str:
    """The words of the place that a person may correct: where something changes, or beside what it is put."""
    return (instruction.beside or next(iter(instruction.places), Place())).words


def _at(instruction: Instruction, words: str) -> Instruction:
    named = read_places(words, main_language(words))
    if not named.places or named.unread or named.act:
        raise PlaceNotRead(named.unread or words)
    first = named.places[0]
    if instruction.action is not Action.INSERT or instruction.where not in {Where.AFTER, Where.BEFORE}:
        return replace(instruction, places=named.places)
    is_section = not (first.clauses or first.terms)
    scope = Place(words=words) if is_section else Place(section=first.section, words=words)
    return replace(instruction, places=(scope,), beside=first)
