"""A section as a tree of its lines: clauses, definitions, and words that go on behind a list.

The text has one line for each of them, and no indentation that could be relied on. So labels tell how deep a line lies,
and words without a label belong to what their next label goes on with.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import takewhile

from law.languages import LANGUAGES
from law.languages.scripts import either
from law.patterns import regex
from law.structure.lines.clauses import BEFORE_CLAUSE, FIRST, MARKER, above, clause_key, is_clause
from law.structure.lines.headings import looks_like_heading
from law.structure.lines.repealed import says_repealed

_MARKERS = regex(rf"[ \t]*{BEFORE_CLAUSE}(?P<markers>(?:{MARKER}){{1,4}})")
_ONE = regex(r"\(([^)]*)\)")
_NOTE = regex(r"\[[^\]\n]{1,200}\]")
_DEFINES = regex(either(language.amending.defines for language in LANGUAGES))
_GOES_ON = regex(either(language.amending.pattern("goes_on") for language in LANGUAGES))
_PRONOUNS = frozenset(" ".join(language.function_words for language in LANGUAGES).split())
_FINISHED = frozenset('.;!?])”"')
_QUOTES = "\"“”„״'"
MAX_TERM_LENGTH = 120


@dataclass(eq=False)
class Portion:
    """A clause, a definition, words behind a list, or the section itself; lines are counted from the section's first.

    `label` is a clause's key, `term` what a definition defines. `start` is its first line, a marginal note included,
    `own` the line that has its label, `end` is behind its last.
    """

    label: str = ""
    term: str = ""
    start: int = 0
    own: int = 0
    end: int = 0
    children: list[Portion] = field(default_factory=list)

    @property
    def head_end(self) -> int:
        """Behind the last line before its first part."""
        return self.children[0].start if self.children else self.end

    @property
    def list_end(self) -> int:
        """Behind the last clause of its list."""
        return next((one.end for one in reversed(self.children) if one.label), self.end)

    def clause(self, label: str) -> Portion | None:
        return next((one for one in self.children if one.label == label), None)

    def walk(self) -> Iterator[Portion]:
        yield self
        for child in self.children:
            yield from child.walk()


def portions(lines: Sequence[str]) -> Portion:
    """The tree of a section of which the first line has the number."""
    return _Reader(lines).read()


def end_of_section(lines: Sequence[str]) -> int:
    """Behind its last line: what heads the section below is not of it."""
    end = len(lines)
    while end > 1 and _heads_next(lines[end - 1]) and (_heads_next(lines[end - 2]) or lines[end - 2][-1:] in _FINISHED):
        end -= 1
    return end


def _heads_next(line: str) -> bool:
    return not line or (looks_like_heading(line) and not (labels_of(line) or _NOTE.fullmatch(line.strip())))


def labels_of(line: str) -> list[str]:
    """The keys of the clauses that a line opens: `(1)(a)` gives two."""
    match = _MARKERS.match(line)
    return list(takewhile(is_clause, map(clause_key, _ONE.findall(match["markers"])))) if match else []


def unlabelled(line: str) -> str:
    """A line without the labels of the clauses that it opens."""
    return line[match.end() :].lstrip() if labels_of(line) and (match := _MARKERS.match(line)) else line


def is_note(line: str) -> bool:
    """Whether a line is a note in the margin: `[Delegation]`, and not `[Repealed, 2012, c. 19]`."""
    bare = line.strip()
    return bool(_NOTE.fullmatch(bare)) and not says_repealed(bare)


def goes_on(words: str) -> bool:
    """Whether words begin with one that goes on with a sentence: `but`."""
    return bool(_GOES_ON.match(words))


def term_of(line: str) -> str:
    """The term that a line defines and begins with, '' for none."""
    bare = line.strip()
    if labels_of(bare) or goes_on(bare) or (bare[:1].islower() and not _DEFINES.search(bare[:MAX_TERM_LENGTH])):
        return ""
    match = _DEFINES.search(bare, 1, MAX_TERM_LENGTH)
    term = bare[: match.start()].strip(_QUOTES + " ,") if match else ""
    return "" if term.casefold() in _PRONOUNS else term


class _Reader:
    def __init__(self, lines: Sequence[str]) -> None:
        self._lines = lines
        self._root = Portion()
        self._open = [self._root]
        self._defines = any(map(term_of, lines[1:]))
        self._next_labels = self._labels_ahead()

    def read(self) -> Portion:
        note: int | None = None
        for at, line in enumerate(self._lines):
            labels = labels_of(line)
            if at and not labels and is_note(line):
                note = at if note is None else note
                continue
            start = at if note is None else note
            if labels:
                for place, label in enumerate(labels):
                    self._clause(label, start=at if place or not at else start, own=at)
            elif at and self._defines and (term := term_of(line)):
                self._definition(term, start=start, own=at)
            elif at:
                self._words(start)
            note = None
        self._close(0, len(self._lines))
        return self._root

    def _labels_ahead(self) -> list[str]:
        """Of each line, the first label that stands behind it."""
        ahead, last = [], ""
        for line in reversed(self._lines):
            ahead.append(last)
            labels = labels_of(line)
            last = labels[0] if labels else last
        return ahead[::-1]

    def _close(self, depth: int, end: int) -> None:
        """Leave what is open below a depth."""
        for one in self._open[depth:]:
            one.end = end
        del self._open[max(depth, 1) :]

    def _add(self, portion: Portion) -> None:
        self._open[-1].children.append(portion)
        self._open.append(portion)

    def _depth(self, label: str, at: int) -> int:
        """How many stay open above a clause."""
        following = self._next_labels[at]
        floor = max((place for place, one in enumerate(self._open) if one.term), default=0)
        outer, inner = [one.label for one in self._open[1:floor]], [one.label for one in self._open[floor + 1 :]]
        if floor and not _goes_on(inner, label) and _goes_on(outer, label):
            return 1 + len(above(outer, label))
        return floor + 1 + len(above(inner, label, following=following))

    def _clause(self, label: str, *, start: int, own: int) -> None:
        self._close(self._depth(label, own), start)
        self._add(Portion(label=label, start=start, own=own))

    def _definition(self, term: str, *, start: int, own: int) -> None:
        depth = next((place for place, one in enumerate(self._open) if one.term), 0)
        if not depth:
            depth = 1 + sum(1 for one in self._open[1:2] if one.label[:1].isdigit())
        self._close(depth, start)
        self._add(Portion(term=term, start=start, own=own))

    def _words(self, start: int) -> None:
        """Words without a label: the clause's own, or behind the list that ended."""
        last = self._open[-1]
        if len(self._open) == 1 or (len(self._open) == 2 and last.label[:1].isdigit() and not last.children):
            return
        label = self._next_labels[start]
        depth = self._depth(label, start) if label else 0
        if not label or depth <= 1:
            depth = next((place + 1 for place, one in enumerate(self._open) if one.term), 0)
            depth = depth or 1 + sum(1 for one in self._open[1:2] if one.label[:1].isdigit())
        else:
            depth = min(depth, len(self._open))
        self._close(depth, start)
        words = Portion(start=start, own=start)
        self._add(words)
        self._open.pop()
        words.end = start + 1


def _goes_on(levels: Sequence[str], label: str) -> bool:
    return label in FIRST or len(above(levels, label)) < len(levels)
