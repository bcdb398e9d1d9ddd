"""Carrying instructions out on the text of an act: what becomes of it, and what could not be done and why."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from copy import copy
from dataclasses import dataclass, field, replace

from law.amendments.blocks import Block, Edit, blocks_in, blocks_of, edits_between, is_stub
from law.amendments.edits.places_together import given_twice, is_of_first, is_range, is_section, together
from law.amendments.edits.section_edits import begins_with_sign, edited, new_heading
from law.amendments.edits.word_edits import OF_PLACES, has_old_words, is_of_text, reworded_where_found
from law.amendments.finding import Failure, NotCarriedOut
from law.amendments.instructions import Action, Instruction, Place, Where, is_named
from law.languages import Language
from law.languages.amending import HouseStyle
from law.languages.scripts import main_language
from law.structure.lines.headings import looks_like_heading
from law.structure.lines.number_keys import key_of
from law.structure.provisions import ParsedProvision

_OF_RANGES = frozenset({Action.REPLACE, Action.REPEAL})  # what is done to all of several sections at once


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What became of an instruction. Without `failure` it was carried out, and `sections` are those that it changed.

    `edits` of one that depends on something are what it would change if that is so.
    """

    instruction: Instruction
    failure: Failure | None = None
    detail: str = ""
    sections: tuple[str, ...] = ()
    edits: tuple[Edit, ...] = ()


@dataclass(frozen=True)
class Consolidation:
    """The text of an act after instructions, and what became of each of them, in the order given."""

    text: str
    outcomes: list[Outcome] = field(default_factory=list)


def carry_out(
    instructions: Iterable[Instruction],
    *,
    text: str,
    provisions: Sequence[ParsedProvision],
    titles: Sequence[str],
    chapter: str = "",
) -> Consolidation:
    """Carry instructions out in their order. `titles` are the names of the act, `chapter` the amending act's number."""
    act, given = _Act(text, provisions), list(instructions)
    rivals = given_twice(given)
    outcomes = [
        Outcome(instruction=one, failure=Failure.TWO_TEXTS, detail=rivals[id(one)])
        if id(one) in rivals
        else _outcome(act, one, titles, chapter)
        for one in given
    ]
    return Consolidation(act.text, outcomes)


def _outcome(act: _Act, instruction: Instruction, titles: Sequence[str], chapter: str) -> Outcome:
    try:
        _refuse(instruction, titles)
        sections, edits = act.change(instruction, chapter)
        return Outcome(instruction=instruction, sections=sections, edits=edits)
    except NotCarriedOut as failed:
        edits = _if_it_is_so(act, instruction, titles, chapter) if failed.reason is Failure.CONDITION else ()
        return Outcome(instruction=instruction, failure=failed.reason, detail=failed.detail, edits=edits)


def _if_it_is_so(act: _Act, instruction: Instruction, titles: Sequence[str], chapter: str) -> tuple[Edit, ...]:
    """What an instruction would change if that is so on which it depends. Nothing is changed."""
    return _outcome(act.copied(), replace(instruction, condition=""), titles, chapter).edits


def _refuse(instruction: Instruction, titles: Sequence[str]) -> None:
    """Raise for what is not to be carried out whatever the act says."""
    if instruction.condition:
        raise NotCarriedOut(Failure.CONDITION, instruction.condition)
    is_open = not instruction.act and (instruction.is_reading or instruction.unread)
    if not is_open and not any(is_named(title, instruction.act) for title in titles):
        raise NotCarriedOut(Failure.TARGET_UNKNOWN, instruction.act)
    if instruction.is_other_version:
        raise NotCarriedOut(Failure.OTHER_VERSION)
    if instruction.is_reading:
        raise NotCarriedOut(Failure.READ_AS)
    if instruction.unread or instruction.action is Action.UNREAD or not instruction.places:
        raise NotCarriedOut(Failure.NOT_UNDERSTOOD, instruction.unread)
    if "" in (*instruction.old, *instruction.new):
        raise NotCarriedOut(Failure.NOT_UNDERSTOOD, instruction.words)
    is_behind = instruction.action is Action.INSERT and instruction.where in {Where.AFTER, Where.AT_END}
    if begins_with_sign(instruction.text) and not (is_behind and instruction.places[0].section):
        raise NotCarriedOut(Failure.NOT_UNDERSTOOD, instruction.text[0])


class _Act:
    """The text of an act as blocks that are edited."""

    def __init__(self, text: str, provisions: Sequence[ParsedProvision]) -> None:
        self._language: Language = main_language(text)
        self._blocks = list(blocks_in(text, provisions))

    def copied(self) -> _Act:
        act = copy(self)
        act._blocks = [replace(block, lines=list(block.lines)) for block in self._blocks]
        return act

    @property
    def text(self) -> str:
        return "\n".join(line for block in self._blocks for line in block.lines)

    def change(self, instruction: Instruction, chapter: str) -> tuple[tuple[str, ...], tuple[Edit, ...]]:
        """Carry one out, all or nothing. Returns the numbers of the sections that changed, and what was edited."""
        before = [(block, list(block.lines)) for block in self._blocks]
        try:
            changed: list[str] = []
            for places in together(instruction):
                changed += self._change(places, instruction, self._style(instruction, chapter))
            edits = tuple(edits_between(before, [(one, one.lines) for one in self._blocks]))
            if not edits:
                raise NotCarriedOut(Failure.ALREADY_SO, instruction.words)
            return tuple(dict.fromkeys(changed)), edits
        except NotCarriedOut:
            self._blocks = [block for block, _ in before]
            for block, lines in before:
                block.lines = lines
            raise

    def _style(self, instruction: Instruction, chapter: str) -> HouseStyle:
        """How the acts of the country are written, with the note of what the instruction repeals."""
        styles = self._language.amending.styles
        section = instruction.amending[0] if instruction.amending else ""
        for style in styles:
            if style.chapter and (match := re.search(style.chapter, chapter)):
                return replace(style, noted=style.noted.format(chapter=match["chapter"], section=section))
        return next((style for style in styles if not style.chapter), HouseStyle(noted="[Repealed]"))

    def _change(self, places: Sequence[Place], instruction: Instruction, style: HouseStyle) -> list[str]:
        place = places[0]
        if place.is_whole_act and instruction.action is Action.REPEAL:
            raise NotCarriedOut(Failure.WHOLE_ACT, instruction.act)
        if place.is_whole_act and instruction.action is Action.INSERT:
            return self._insert_sections(instruction)
        if place.annex:
            raise NotCarriedOut(Failure.NOT_UNDERSTOOD, place.words)
        is_of_all = is_section(place) and instruction.action in _OF_RANGES and instruction.where is not Where.BODY
        if not instruction.times and instruction.action in OF_PLACES and (place.is_whole_act or is_range(place)):
            return self._wherever(place, instruction, style)
        if place.last and not is_of_all:  # of `sections 3 to 5` it is not said in which of them
            raise NotCarriedOut(Failure.NOT_UNDERSTOOD, place.words)
        if place.heading:
            return self._change_heading(place, instruction)
        if is_section(place):
            if instruction.action is Action.REPLACE and instruction.where is Where.BODY:
                return self._say_anew(place, instruction)
            if instruction.action is Action.REPLACE:
                return self._replace_sections(places, instruction, style.noted)
            if instruction.action is Action.REPEAL:
                return self._repeal_sections(place, style.noted)
        block = self._blocks[self._index(place.section)]
        above = int(is_section(place) and is_of_text(place, instruction) and block.is_headed)
        lines = [*block.lines[:above], *edited(block.lines[above:], places, instruction, style=style)]
        if style.heads_first and block.heading and is_of_first(place, instruction):
            lines[0] = reworded_where_found(lines[0], instruction)
        if lines == block.lines:
            raise NotCarriedOut(Failure.ALREADY_SO, place.words)
        block.lines = lines
        return [block.number]

    # Sections

    def _index(self, number: str) -> int:
        places = [at for at, one in enumerate(self._blocks) if number and one.number == number and not one.annex]
        if len(places) != 1:
            raise NotCarriedOut(Failure.TWICE if places else Failure.NOT_FOUND, number)
        return places[0]

    def _all(self, place: Place) -> list[Block]:
        """The blocks of a section, or of all up to the last of a range, with what stands between them."""
        first = self._index(place.section)
        return self._blocks[first : (self._index(place.last) if place.last else first) + 1]

    def _wherever(self, place: Place, instruction: Instruction, style: HouseStyle) -> list[str]:
        """Words wherever they are in the sections of a range, or of the act, if they are in its sections alone."""
        blocks = self._blocks[1:] if place.is_whole_act else self._all(place)
        changed = []
        for block in blocks:
            if not block.number or block.annex:
                if place.is_whole_act and has_old_words(block.lines, instruction):
                    raise NotCarriedOut(Failure.NOT_UNDERSTOOD, block.lines[0])
                continue
            try:
                block.lines = edited(block.lines, [Place(section=block.number)], instruction, style=style)
            except NotCarriedOut as failed:
                if failed.reason is not Failure.NOT_FOUND:
                    raise
            else:
                changed.append(block.number)
        if not changed:
            raise NotCarriedOut(Failure.NOT_FOUND, ", ".join(instruction.old))
        return changed

    def _insert_sections(self, instruction: Instruction) -> list[str]:
        beside = instruction.beside
        if beside is None and instruction.where is Where.AT_END:
            last = next((one.number for one in reversed(self._blocks) if one.number and not one.annex), "")
            beside, instruction = Place(section=last), replace(instruction, where=Where.AFTER)
        if beside is None or not beside.section or beside.clauses:
            raise NotCarriedOut(Failure.NOT_UNDERSTOOD, instruction.words)
        at = self._index(beside.last or beside.section)
        new = blocks_of(instruction.text)
        for block in new:
            if any(
                one.number == block.number and not is_stub(one) for one in self._blocks if not one.annex and one.number
            ):
                raise NotCarriedOut(Failure.ALREADY_SO, block.number)
        numbers = {block.number for block in new if block.number}
        kept = [one for one in self._blocks if not (one.number in numbers and not one.annex)]
        at = kept.index(self._blocks[at]) + (instruction.where is Where.AFTER)
        self._blocks = [*kept[:at], *new, *kept[at:]]
        return sorted(numbers, key=key_of)

    def _replace_sections(self, places: Sequence[Place], instruction: Instruction, note: str) -> list[str]:
        """New sections in place of old ones, the first where the first one stood."""
        old = [block for place in places for block in self._all(place)]
        new = blocks_of(instruction.text)
        if not any(block.number for block in new):
            raise NotCarriedOut(Failure.NOT_UNDERSTOOD, instruction.words)
        if not new[0].number and any(place.heading for place in instruction.places):
            before = self._heading_before(old[0].number)
            before.lines = before.lines[:-1]
        if [block.lines for block in old] == [block.lines for block in new]:
            raise NotCarriedOut(Failure.ALREADY_SO, places[0].words)
        numbers = {block.number for block in new}
        for block in old:
            if block.number and block.number not in numbers:
                later = (at for at, one in enumerate(new) if key_of(one.number) > key_of(block.number))
                new.insert(next(later, len(new)), Block([f"{block.number}.", note], number=block.number))
        at = self._blocks.index(old[0])
        kept = [block for block in self._blocks if block not in old]
        self._blocks = [*kept[:at], *new, *kept[at:]]
        return list(dict.fromkeys(block.number for block in (*old, *new) if block.number))

    def _say_anew(self, place: Place, instruction: Instruction) -> list[str]:
        """New text below the number and the heading of a section."""
        block = self._blocks[self._index(place.section)]
        if not block.heading or not instruction.text:
            raise NotCarriedOut(Failure.NOT_UNDERSTOOD, instruction.words)
        block.lines = [block.lines[0], *instruction.text]
        return [block.number]

    def _repeal_sections(self, place: Place, note: str) -> list[str]:
        gone = [block for block in self._all(place) if block.number and not is_stub(block)]
        for block in gone:
            block.lines = [f"{block.number}.", note]
        return [block.number for block in gone]

    def _change_heading(self, place: Place, instruction: Instruction) -> list[str]:
        """The heading of a section stands behind its number, the one before it is the last line above it."""
        if not place.section or place.clauses:
            raise NotCarriedOut(Failure.NOT_UNDERSTOOD, place.words)
        if place.heading == "of":
            block = self._blocks[self._index(place.section)]
            if not block.heading:
                raise NotCarriedOut(Failure.NOT_FOUND, place.words)
            [heading, *more] = new_heading(block.heading, instruction) or [""]
            if more:
                raise NotCarriedOut(Failure.NOT_UNDERSTOOD, instruction.words)
            block.lines = [f"{block.number}. {heading}".strip(), *block.lines[1:]]
            return [block.number]
        block = self._heading_before(place.section)
        block.lines = [*block.lines[:-1], *new_heading(block.lines[-1], instruction)]
        return [place.section]

    def _heading_before(self, section: str) -> Block:
        """The block whose last line is the heading before a section. What is repealed may stand between them."""
        at = self._index(section)
        block = next((one for one in reversed(self._blocks[:at]) if not (one.number and is_stub(one))), None)
        if block is None or not block.lines or (block.number and not looks_like_heading(block.lines[-1])):
            raise NotCarriedOut(Failure.NOT_FOUND, section)
        return block
