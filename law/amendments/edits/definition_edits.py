"""Definitions that are replaced, and new ones in their alphabetical place."""

from __future__ import annotations

import re
from collections.abc import Sequence

from law.amendments.finding import Failure, NotCarriedOut, defines, find_clause
from law.amendments.instructions import Place
from law.amendments.portions import Portion, portions, term_of
from law.structure.lines.repealed import says_repealed

Lines = list[str]


def definitions_replaced(lines: Lines, there: Sequence[Portion], new: Lines) -> Lines:
    """The lines of a section with new definitions in place of old ones: each where the one of its term was."""
    blocks = definitions_in(new)
    out = list(lines)
    left = dict(blocks)
    for one in sorted(there, key=lambda portion: -portion.start):
        term = max((term for term in left if defines(lines[one.own], term)), key=len, default=None)
        if term is None and len(there) == len(blocks) == 1:
            term = next(iter(left))
        out[one.start : one.end] = left.pop(term) if term else []
    for block in left.values():
        out = in_alphabetical_place(out, None, block)
    return out


def definitions_in(lines: Sequence[str]) -> dict[str, Lines]:
    """New definitions by their terms."""
    blocks: dict[str, Lines] = {}
    for line in lines:
        term = term_of(line)
        if term or not blocks:
            blocks[term or line] = [line]
        else:
            blocks[next(reversed(blocks))].append(line)
    return blocks


def in_alphabetical_place(lines: Lines, place: Place | None, block: Lines) -> Lines:
    """With the lines of a new definition where its term belongs. Raises `NotCarriedOut` where nothing is
    defined, or the term is.
    """
    root = portions(lines)
    scope = find_clause(root, place.clauses) if place and place.clauses else root
    defined = [one for one in scope.walk() if one.term]
    if not defined:
        raise NotCarriedOut(Failure.NOT_FOUND, block[0][:80])
    key = _order(term_of(block[0]) or block[0])
    same = next((one for one in defined if _order(one.term) == key), None)
    if same is not None and says_repealed(lines[same.own]):
        return [*lines[: same.start], *block, *lines[same.end :]]
    if same is not None:
        is_so = [line.strip() for line in lines[same.own : same.end]] == [line.strip() for line in block]
        raise NotCarriedOut(Failure.ALREADY_SO if is_so else Failure.TWICE, term_of(block[0]))
    behind = next((one for one in defined if _order(one.term) > key), None)
    at = behind.start if behind else defined[-1].end
    return [*lines[:at], *block, *lines[at:]]


def _order(term: str) -> list[str]:
    """Its words, by which terms are in order: a term goes before a longer one that begins with it."""
    return re.sub(r"[^\w ]", "", term.casefold().replace("-", " ")).split()
