"""Which places of an instruction change together, and which are whole sections."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from law.amendments.instructions import Action, Instruction, Place


def is_range(place: Place) -> bool:
    """Whether it is several sections, and nothing in them."""
    return is_section(place) and bool(place.last)


def is_of_first(place: Place, instruction: Instruction) -> bool:
    """Whether words are changed wherever they are in the first clause of a section, with its note."""
    return instruction.action is Action.REPLACE_EVERYWHERE and place.clauses == ("1",) and not place.terms


def is_section(place: Place) -> bool:
    """Whether it is a section, or several, and nothing in them."""
    return bool(place.section) and not (place.clauses or place.terms or place.edge or place.heading)


def together(instruction: Instruction) -> list[list[Place]]:
    """The places of an instruction, those together that one new text stands for."""
    groups: list[list[Place]] = []
    places = instruction.places
    if instruction.action is Action.REPLACE and any(map(is_section, places)):
        places = tuple(place for place in places if not place.heading)  # their headings come with the new text
    for place in places:
        last = groups[-1][-1] if groups else None
        is_same = (
            last is not None
            and not (last.heading or place.heading)
            and (last.section == place.section or (is_section(last) and is_section(place)))
        )
        if instruction.action is Action.REPLACE and is_same:
            groups[-1].append(place)
        else:
            groups.append([place])
    return groups


def given_twice(instructions: Sequence[Instruction]) -> dict[int, str]:
    """The instructions that give a place a text to which another one gives another text on the same day, by identity.

    With the words for that place. Both cannot be right: one of them begins on another day.
    """
    new = [
        (one, place)
        for one in instructions
        if one.action is Action.REPLACE and not (one.is_other_version or one.is_reading or one.condition)
        for place in one.places
    ]
    texts = defaultdict(set)
    for one, place in new:
        texts[one.act, one.day, place].add((one.where, one.text))
    return {id(one): place.words for one, place in new if len(texts[one.act, one.day, place]) > 1}
