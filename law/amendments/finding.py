"""Where a place is in the lines of a section."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from law.amendments.instructions import Place, numbered
from law.amendments.portions import Portion, portions
from law.patterns import regex

_QUOTES = '"“”„'
_AND = regex(r",? and |, | ו(?=[\"”“])")


class Failure(StrEnum):
    """Why an instruction was not carried out."""

    NOT_FOUND = "not_found"  # the place, or words in it, are not there
    TWICE = "twice"  # they are there more than once
    TWO_TEXTS = "two_texts"  # another instruction gives the place another text on the same day
    ALREADY_SO = "already_so"
    TARGET_UNKNOWN = "target_unknown"  # it is of another act
    OTHER_VERSION = "other_version"  # of the text in another language
    DAY_UNKNOWN = "day_unknown"
    NOT_YET = "not_yet"  # it is in force on a later day
    ENDED = "ended"  # it was temporary, and the text reads as before again
    RETURNS = "returns"  # it has ended and is in the text: what was there before has to come back
    END_UNKNOWN = "end_unknown"  # it is temporary, and until when is not known
    CONDITION = "condition"  # it depends on what another act does
    READ_AS = "read_as"  # the text stays as it is
    WHOLE_ACT = "whole_act"  # the act is repealed, which is said of the document and not in its text
    NOT_UNDERSTOOD = "not_understood"


class NotCarriedOut(Exception):
    """An instruction cannot be carried out: `reason`, and `detail` in the words of the act or of the instruction."""

    def __init__(self, reason: Failure, detail: str = "") -> None:
        super().__init__(f"{reason}: {detail}")
        self.reason, self.detail = reason, detail


def found(lines: Sequence[str], place: Place) -> list[Portion]:
    """The portions that a place names, in order; the section itself for none inside it."""
    root = portions(lines)
    start = root
    if place.clauses:
        start = find_clause(root, place.clauses)
        if place.last_clauses:
            return _range(root, place.clauses, place.last_clauses)
    if place.terms:
        definitions = _definitions(lines, start, place.terms)
        if not place.inside:
            return definitions
        start = definitions[0]
        if place.last_inside:
            return _range(start, place.inside, place.last_inside)
        start = find_clause(start, place.inside)
    return [start]


def find_clause(root: Portion, path: Sequence[str]) -> Portion:
    """The clause at the end of a path. Raises `NotCarriedOut` where it is not there."""
    at: Portion | None = root
    for label in path:
        at = at and at.clause(label)
    if at is None:
        raise NotCarriedOut(Failure.NOT_FOUND, numbered("", path))
    return at


def find_edge(there: Portion, place: Place) -> tuple[int, int]:
    """The lines of a portion before, or behind, a clause of it; before its list or behind without one."""
    if not place.edge_clauses:
        return (there.start, there.head_end) if place.edge == "before" else (there.list_end, there.end)
    clause = find_clause(there, place.edge_clauses)
    return (there.start, clause.start) if place.edge == "before" else (clause.end, there.end)


def lines_of(lines: Sequence[str], place: Place) -> list[tuple[int, int]]:
    """The first line of each portion that a place names, and the one behind its last.

    Raises `NotCarriedOut`, also for the words before a list, or behind it, where there is no list.
    """
    spans = [find_edge(one, place) if place.edge else (one.start, one.end) for one in found(lines, place)]
    if place.edge and any(start >= end for start, end in spans):
        raise NotCarriedOut(Failure.NOT_FOUND, place.words)
    return spans


def only(lines: Sequence[str], place: Place) -> Portion:
    """The one portion that a place names. Raises `NotCarriedOut` where there are several: it is not said of which."""
    one, *more = found(lines, place)
    if more:
        raise NotCarriedOut(Failure.NOT_UNDERSTOOD, place.words)
    return one


def lines_of_one(lines: Sequence[str], place: Place) -> tuple[int, int]:
    """As `lines_of`, of the one portion that a place names."""
    only(lines, place)
    return lines_of(lines, place)[0]


def defines(line: str, term: str) -> bool:
    """Whether a line begins with the term."""
    bare = line.strip().lstrip(_QUOTES)
    said = term.strip(_QUOTES)
    return bare.casefold().startswith(said.casefold()) and not bare[len(said) : len(said) + 1].isalnum()


def _range(root: Portion, first: Sequence[str], last: Sequence[str]) -> list[Portion]:
    parent = find_clause(root, first[:-1])
    start, end = find_clause(root, first), find_clause(root, (*first[:-1], last[-1]))
    between = [one for one in parent.children if start.start <= one.start <= end.start]
    if start not in between or end not in between:
        raise NotCarriedOut(Failure.NOT_FOUND, numbered("", last))
    return between


def _definitions(lines: Sequence[str], start: Portion, named: str) -> list[Portion]:
    """The definitions of terms in words: `age of retirement and survivor` are two."""
    defined = [one for one in start.walk() if one.term]
    pieces = _AND.split(named.strip())
    found: list[Portion] = []
    while pieces:
        for count in range(len(pieces), 0, -1):
            term = _joined(named, pieces[:count])
            hits = [one for one in defined if defines(lines[one.own], term)]
            if hits:
                found.append(hits[0])
                pieces = pieces[count:]
                break
        else:
            raise NotCarriedOut(Failure.NOT_FOUND, " ".join(pieces))
    return found


def _joined(named: str, pieces: Sequence[str]) -> str:
    start = named.find(pieces[0])
    return named[start : named.find(pieces[-1], start) + len(pieces[-1])]
