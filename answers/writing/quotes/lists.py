"""Lists of a passage: the line that opens one, and its items to the last. Half of a list is another rule."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile

from answers.writing.quotes.pieces import Run
from law.languages import LANGUAGES
from law.languages.scripts import either
from law.structure.lines.clauses import FIRST, Path, outline

MAX_LIST_LENGTH = 1_500  # characters of a quote that is a list with its lead-in
_JOINS = either(language.statutes.joins for language in LANGUAGES)
_OPEN = re.compile(rf"(?:[:;,–—-](?:\s*{_JOINS})?|\s{_JOINS})\s*\Z", re.IGNORECASE)
_ENDED = re.compile(r"[.!?][\"'“”״׳)\]]{0,3}\s*\Z")


@dataclass(frozen=True, slots=True)
class ClauseList:
    """Neighbouring clauses, and the line that leads in to them, as a range. `ends` are where its items end."""

    lead: Run
    ends: tuple[int, ...]

    @property
    def start(self) -> int:
        return self.lead[0]

    @property
    def end(self) -> int:
        return self.ends[-1]


def is_open(piece: str) -> bool:
    """Whether something goes on behind it: a lead-in, or an item that is not the last, as `(b) the fee; and`."""
    return bool(_OPEN.search(piece))


def lists(text: str, pieces: Sequence[Run]) -> Iterator[ClauseList]:
    """Those whose items are clauses with marks of their own, the outer ones before those inside."""
    clauses = outline(text)
    for place, (start, path) in enumerate(clauses):
        lead = next((piece for piece in reversed(pieces) if piece[0] < start), None)
        if path[-1] not in FIRST or not _is_first(clauses, place) or lead is None or not is_open(text[lead[0] : start]):
            continue
        inside = list(_inside(path[:-1], clauses[place:]))
        behind = clauses[place + len(inside)][0] if place + len(inside) < len(clauses) else len(text)
        items = [at for at, its in inside if len(its) == len(path)]
        end = _end(text, pieces, inside[-1][0], behind)
        yield ClauseList((lead[0], start), (*items[1:], end))


def _is_first(clauses: Sequence[tuple[int, Path]], place: int) -> bool:
    """Whether no clause of its level, within the same one, comes before."""
    path = clauses[place][1]
    before = takewhile(_within(path[:-1]), reversed(clauses[:place]))
    return all(len(its) != len(path) for _, its in before)


def _inside(holder: Path, clauses: Sequence[tuple[int, Path]]) -> Iterator[tuple[int, Path]]:
    """Those inside another clause. `(2)` behind `(c)` is none: a level begins with the first of its kind."""
    before: Path = clauses[0][1]
    for one in takewhile(_within(holder), clauses):
        path = one[1]
        if len(path) > len(before) and path[-1] not in FIRST:
            return
        before = path
        yield one


def _within(holder: Path) -> Callable[[tuple[int, Path]], bool]:
    """Whether a clause is inside another."""
    return lambda clause: len(clause[1]) > len(holder) and clause[1][: len(holder)] == holder


def _end(text: str, pieces: Sequence[Run], last: int, behind: int) -> int:
    """Where the last item ends, with what stands flush below the list and ends its sentence."""
    end = behind
    for start, end in pieces:
        if end > last and (_ENDED.search(text[start:end]) or end >= behind):
            break
    return min(end, behind)
