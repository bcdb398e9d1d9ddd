"""An instruction as a person corrects it: which place it is about, which words it changes, and from when."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from law.amendments.forms import mask
from law.amendments.instructions import Action, Instruction, Place, Where
from law.amendments.places import read_places
from law.languages.scripts import main_language
from law.patterns import regex
from law.structure.lines.quoted import turns

MAX_WORDS_LENGTH = 500  # characters of what is given
OF_WORDS = {Action.REPLACE_WORDS, Action.REPLACE_EVERYWHERE, Action.INSERT_WORDS, Action.STRIKE_FROM}
_NUMBER = regex(r"\d|\(\w{1,5}\)")
_SIGN = regex("[,;:]")
_OTHER_QUOTATION = regex(r"(?<!\w)['‘‚«]\w")


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


def says_all(correction: Correction, instruction: Instruction) -> bool:
    """Whether an unread instruction puts new words in place of old ones at one place: these, and it says no more.

    The words are its two quotations, in the order that the words between them give. The place is the one that was read,
    or stands there whole. No number is left but those in the name of the act, and no sign behind the quotations.
    """
    masked, language = mask(instruction.words), main_language(instruction.words)
    is_open = any(turns(masked.text)) or _OTHER_QUOTATION.search(masked.text) or instruction.text
    if instruction.action is not Action.UNREAD or len(masked.quotations) != 2 or is_open:
        return False
    before, between, behind = re.split("\ue000\\d+\ue001", masked.text)
    quoted = tuple(" ".join(one.split()) for one in masked.quotations)
    is_old_last = re.search(rf"(?:{language.amending.pattern('before_old')})$", between, re.IGNORECASE)
    if not all(quoted) or (correction.old, correction.new) != (quoted[::-1] if is_old_last else quoted):
        return False
    place = correction.place or place_of(instruction)
    named = read_places(place, language)
    read = instruction.places or named.places
    if len(read) != 1 or read[0].last or (correction.place and named.places != read):
        return False
    said = " \ue000 ".join((before, between, behind)).replace(instruction.act or " ", " ")
    prefixes = "".join(sorted(language.prefixes))
    opening = rf"(?<!\w)[{prefixes}]{{0,2}}" if prefixes else r"(?<!\w)"
    whole = rf"{opening}(?i:{re.escape(place[:1])}){re.escape(place[1:])}(?!\w|\s*\(|\.\w)"
    rest, times = re.subn(whole, "", said)
    return (times == 1 or not correction.place) and not (_NUMBER.search(rest) or _SIGN.search(behind))


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
