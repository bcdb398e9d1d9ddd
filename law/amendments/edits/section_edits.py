"""What an instruction makes of the lines of a section. Each function returns new lines, or raises `NotCarriedOut`."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import chain, pairwise

from law.amendments.edits.definition_edits import Lines, definitions_in, definitions_replaced, in_alphabetical_place
from law.amendments.edits.ends import added, begins_with_sign, gone_on, struck
from law.amendments.edits.word_edits import SIGNS, cut, exchanged, in_capitals, is_in_capitals, reworded
from law.amendments.finding import Failure, NotCarriedOut, found, lines_of_one, only
from law.amendments.instructions import Action, Instruction, Place, Where
from law.amendments.portions import Portion, labels_of, portions, unlabelled
from law.languages.amending import HouseStyle
from law.patterns import regex
from law.structure.lines.repealed import says_repealed

QUOTES = {'"': '"', "“": "”", "”": "“", "„": "“", "״": "״"}  # that open, with those that close
_HEAD = regex(r"(?P<number>\d[\w.]*?)\.(?: .*)?")


def edited(lines: Lines, places: Sequence[Place], instruction: Instruction, *, style: HouseStyle) -> Lines:
    """The lines of a section after an instruction for places in it."""
    if instruction.action is Action.REPLACE and instruction.where is Where.BODY:
        return _said_anew(lines, places[0], instruction)
    if instruction.action is Action.REPLACE:
        return _replaced(lines, places, list(instruction.text), style.noted)
    for place in places:
        lines = _edited(lines, place, instruction, style)
    return lines


def _edited(lines: Lines, place: Place, instruction: Instruction, style: HouseStyle) -> Lines:
    match instruction.action:
        case Action.REPEAL:
            return _repealed(lines, place, style)
        case Action.INSERT:
            return _inserted(lines, place, instruction, style)
        case Action.RENUMBER:
            return _renumbered(lines, place, instruction)
        case Action.STRIKE_FROM:
            return cut(lines, place, instruction)
        case Action.STRIKE_END:
            return _at_end(lines, place, lambda line: struck(line, instruction))
        case Action.ADD_END:
            return _at_end(lines, place, lambda line: added(line, instruction, _mark_of_list(lines, place)))
        case Action.REPLACE_WORDS | Action.REPLACE_EVERYWHERE | Action.INSERT_WORDS:
            return reworded(lines, place, instruction)
    raise NotCarriedOut(Failure.NOT_UNDERSTOOD, instruction.words)


def _replaced(lines: Lines, places: Sequence[Place], new: Lines, note: str) -> Lines:
    """New text in place of all that the places name. A clause that has no new text is noted as repealed."""
    place = places[0]
    there = [portion for one in places for portion in found(lines, one)]
    head, new = _own_head(place, new)
    if place.terms and not place.inside and not place.edge:
        return definitions_replaced(lines, there, new)
    there.sort(key=lambda portion: portion.start)
    if len(places) > 1 and any(one.edge for one in places):
        raise NotCarriedOut(Failure.NOT_UNDERSTOOD, place.words)
    if _are_apart(lines, there):
        return _each_replaced(lines, there, new, place.words)
    start, end = lines_of_one(lines, place) if place.edge else (there[0].start, there[-1].end)
    if place.edge or there[0].label:
        start = max(start, 1)  # the section's number and heading stay, if the new text has none
    if not place.edge and there[0].label:
        lines = _without_stubs(lines, end, new)
        new = _with_stubs(lines, there, new, note)
    return [*(head or lines[: min(1, start)]), *lines[1:start], *new, *lines[end:]]


def _are_apart(lines: Lines, there: Sequence[Portion]) -> bool:
    """Whether something stands between portions that is law: `subsections (1) and (3)`."""
    gaps = (lines[one.end : other.start] for one, other in pairwise(there))
    return any(not says_repealed(line) for gap in gaps for line in gap)


def _each_replaced(lines: Lines, there: Sequence[Portion], new: Lines, words: str) -> Lines:
    """New text in place of portions that stand apart: for each what begins with its label. What is between stays."""
    wanted = iter(there)
    texts: list[Lines] = []
    portion = next(wanted, None)
    for line in new:
        if portion is not None and labels_of(line)[:1] == [portion.label]:
            texts.append([])
            portion = next(wanted, None)
        if not texts:
            raise NotCarriedOut(Failure.NOT_UNDERSTOOD, words)
        texts[-1].append(line)
    if portion is not None:
        raise NotCarriedOut(Failure.NOT_UNDERSTOOD, words)
    out = list(lines)
    for one, text in zip(reversed(there), reversed(texts), strict=True):
        out[one.start : one.end] = text
    return out


def _said_anew(lines: Lines, place: Place, instruction: Instruction) -> Lines:
    """A clause with its label, and new text behind that."""
    one = only(lines, place)
    if place.edge or not one.label or not instruction.text or labels_of(instruction.text[0]):
        raise NotCarriedOut(Failure.NOT_UNDERSTOOD, instruction.words)
    own = f"({_printed_label(lines[one.own], one.label)}) {instruction.text[0]}"
    return [*lines[: one.own], own, *instruction.text[1:], *lines[one.end :]]


def _own_head(place: Place, new: Lines) -> tuple[Lines, Lines]:
    """The section's number and heading, where new text of a part of it begins with them."""
    match = _HEAD.fullmatch(new[0]) if new else None
    if match is None or match["number"] != place.section or not (place.clauses or place.edge):
        return [], new
    return new[:1], new[1:]


def _repealed(lines: Lines, place: Place, style: HouseStyle) -> Lines:
    if place.edge:
        start, end = lines_of_one(lines, place)
        return [*lines[:start], *lines[end:]]
    there = [one for one in found(lines, place) if not says_repealed(lines[one.own])]
    if not there:
        raise NotCarriedOut(Failure.ALREADY_SO, place.words)
    note, out = style.noted, list(lines)
    if style.ends_lists and (before := _last_before(lines, there[0], there[-1])) is not None:
        out[before] = _ending_as(out[before], lines[there[-1].end - 1])
    for one in reversed(there):
        line = lines[one.own]
        if one.term:
            term = (place.terms if len(there) == 1 else one.term).strip("".join(QUOTES))
            stub = f"{line[:1]}{term}{QUOTES[line[:1]]} {note}" if line[:1] in QUOTES else f"{term} {note}"
        elif one.label:
            stub = f"({_printed_label(line, one.label)}) {note}"
        else:
            stub = note
        out[one.start : one.end] = [stub]
    return out


def _with_stubs(lines: Lines, there: Sequence[Portion], new: Lines, note: str) -> Lines:
    """New text with notes of the clauses that it does not have any more: before it those before its first."""
    labels = {label for line in new for label in labels_of(line)}
    first = next((at for at, one in enumerate(there) if one.label in labels), 0)
    stubs = [
        [] if one.label in labels or not one.label else [f"({_printed_label(lines[one.own], one.label)}) {note}"]
        for one in there
    ]
    if not any(one.label in labels for one in there):
        return new
    return [*chain(*stubs[:first]), *new, *chain(*stubs[first:])]


def _printed_label(line: str, label: str) -> str:
    match = re.search(rf"\(({re.escape(label)})\)", line, re.IGNORECASE)
    return match[1] if match else label


def _last_before(lines: Lines, first: Portion, last: Portion) -> int | None:
    """The last line of the clause that ends a list once what stands last in it is gone."""
    clauses = [one for one in _beside(lines, first) if one.label and not says_repealed(lines[one.own])]
    at = next((at for at, one in enumerate(clauses) if _same(first, one)), 0)
    return clauses[at - 1].end - 1 if at and _same(last, clauses[-1]) else None


def _beside(lines: Sequence[str], portion: Portion) -> list[Portion]:
    """A portion among those that stand beside it, in their order."""
    parents = (one for one in portions(lines).walk() if any(_same(portion, child) for child in one.children))
    return next((one.children for one in parents), [])


def _same(one: Portion, other: Portion) -> bool:
    return (one.label, one.own) == (other.label, other.own)


def _is_item(line: str) -> bool:
    """Whether a clause is one of a list in a sentence, and no sentence of its own."""
    return bool(labels_of(line)) and unlabelled(line)[:1].islower()


def _ending_as(line: str, other: str) -> str:
    """A line with the sign at the end of another one, unless it ends in a word that joins, or either in none."""
    if line[-1:] not in SIGNS or other[-1:] not in SIGNS:
        return line
    return f"{line[:-1]}{other[-1]}"


def _inserted(lines: Lines, place: Place, instruction: Instruction, style: HouseStyle) -> Lines:
    new = list(instruction.text)
    if instruction.where is Where.ALPHABETICAL:
        found(lines, place)
        out = list(lines)
        for block in definitions_in(new).values():
            out = in_alphabetical_place(out, place, block)
        return out
    _refuse_labels(lines, instruction.beside or place, new, is_beside=instruction.beside is not None)
    if begins_with_sign(new):
        return gone_on(lines, found(lines, instruction.beside or place)[-1].end, new)
    if instruction.beside is not None:
        there = found(lines, instruction.beside)
        at = there[-1].end if instruction.where is Where.AFTER else there[0].start
        lines = _without_stubs(lines, at, new)
        is_last = style.ends_lists and instruction.where is Where.AFTER and there[-1].label
        if is_last and _is_item(new[0]) and lines[at - 1][-1:] == new[-1][-1:] == ".":
            lines = [*lines[: at - 1], f"{lines[at - 1][:-1]}{_mark_of_list(lines, instruction.beside)}", *lines[at:]]
        return [*lines[:at], *new, *lines[at:]]
    _, end = lines_of_one(lines, place)
    return [*lines[:end], *new, *lines[end:]]


def _refuse_labels(lines: Lines, place: Place, new: Sequence[str], *, is_beside: bool) -> None:
    """Raise where a new clause, and not one inside of it, has the label of one that is there, and is not repealed."""
    there = found(lines, place)[-1]
    others = _beside(lines, there) if is_beside else there.children
    labels = {one.label for one in portions(["", *new]).children if one.label}
    if taken := [one.label for one in others if one.label in labels and not says_repealed(lines[one.own])]:
        raise NotCarriedOut(Failure.TWICE, f"({taken[0]})")


def _without_stubs(lines: Lines, at: int, new: Sequence[str]) -> Lines:
    """Without the lines of repealed clauses right behind a place whose numbers new text has."""
    labels = {labels_of(line)[0] for line in new if labels_of(line)}
    end = at
    while end < len(lines) and (own := labels_of(lines[end])) and own[0] in labels and says_repealed(lines[end]):
        end += 1
    return [*lines[:at], *lines[end:]]


def _renumbered(lines: Lines, place: Place, instruction: Instruction) -> Lines:
    """What a section says becomes its first clause, or a clause gets another label; new text goes beside it."""
    label = instruction.beside.clauses[-1:] if instruction.beside else ()
    if not label or place.terms or place.edge:
        raise NotCarriedOut(Failure.NOT_UNDERSTOOD, instruction.words)
    if not place.clauses:
        said, text = [f"({label[0]}) {line}" for line in lines[1:2]] + lines[2:], list(instruction.text)
        is_section_before = instruction.where is Where.BEFORE and not labels_of("".join(text[:1]))
        if not said or labels_of(lines[1]) or is_section_before:
            raise NotCarriedOut(Failure.NOT_UNDERSTOOD, instruction.words)
        return [lines[0], *(text + said if instruction.where is Where.BEFORE else said + text)]
    one = only(lines, place)
    line = lines[one.own]
    if len(labels_of(line)) != 1 or any(other.label == label[0] for other in _beside(lines, one)):
        raise NotCarriedOut(Failure.TWICE, f"({label[0]})")
    clause = [*lines[one.start : one.own], f"({label[0]}) {unlabelled(line)}", *lines[one.own + 1 : one.end]]
    text = list(instruction.text)
    new = [*text, *clause] if instruction.where is Where.BEFORE else [*clause, *text]
    return [*lines[: one.start], *new, *lines[one.end :]]


def _at_end(lines: Lines, place: Place, change: Callable[[str], str]) -> Lines:
    at = lines_of_one(lines, place)[1] - 1
    return [*lines[:at], change(lines[at]), *lines[at + 1 :]]


def _mark_of_list(lines: Sequence[str], place: Place) -> str:
    """The sign with which the clauses beside one end."""
    there = found(lines, place)[-1]
    for one in _beside(lines, there):
        if not _same(one, there) and (match := re.search(r"([;,])(?:\s+\w+)?\s*$", lines[one.end - 1])):
            return match[1]
    return ";"


def new_heading(heading: str, instruction: Instruction) -> list[str]:
    """The lines of a heading after the instruction. Raises `NotCarriedOut`."""
    match instruction.action:
        case Action.REPEAL:
            return []
        case Action.REPLACE if instruction.text:
            return list(instruction.text)
        case Action.REPLACE_EVERYWHERE | Action.REPLACE_WORDS | Action.INSERT_WORDS:
            new = tuple(map(in_capitals, instruction.new)) if is_in_capitals(heading) else instruction.new
            return [exchanged(heading, replace(instruction, new=new))]
    raise NotCarriedOut(Failure.NOT_UNDERSTOOD, instruction.words)
