"""Which clauses a section prints, and which of its words are theirs, though it was not divided at them."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from law.checking.comparing import ComparedText, QuotedWords
from law.patterns import regex
from law.references.mentions import read_references

# `1.` or `(1.1)` at the beginning of a line
_SIGN = r"(?:(?P<plain>\d{1,3})\.(?=[ \t])|\((?P<bracket>\w{1,5}(?:\.\d{1,2})?)\))"
_MARK = regex(rf"^[ \t]*{_SIGN}", re.MULTILINE)

# The same behind the section's own number
_BEGUN = regex(rf"[^\w\n(]*(?:\d{{1,4}}[^\W\d_]{{0,2}}[.\s–—-]+)?{_SIGN}")
_ANY_MARK = regex(r"\(\w{1,4}\)|^\s*(?:\d+[a-z]?\s*)?[.–—-]?\s*\d{1,2}\.\s", re.MULTILINE)
_NUMBER = regex(r"\s*\d+[^\W\d_]{0,2}\d*\.(?=[ \t])")
_PARAGRAPH = regex(r"^[ \t]*(\d{1,2})\.[ \t]", re.MULTILINE)
MIN_PARAGRAPHS = 2  # that are numbered in a row, for a further one to be missed


def is_printed(text: str, path: Sequence[str]) -> bool:
    """Whether the marks of all clauses stand in the text one behind the other, `(2)` or, at a line's beginning, `2.`.

    Then they are there, in whatever way the text was divided. None stands behind the mark that follows the one before
    it at the beginning of a line: `(d)` of `(4)` is none of `(3)`.
    """
    at, text = 0, _of_its_own(text)
    end = len(text)
    for clause in path:
        mark = re.escape(clause)
        found = regex(rf"\({mark}\)|^[ \t]*{mark}\.[ \t]", re.IGNORECASE | re.MULTILINE).search(text, at, end)
        if found is None:
            return False
        at, end = found.end(), _next_beside(text, found.start(), end)
    return bool(path)


def _next_beside(text: str, start: int, end: int) -> int:
    """Where a clause ends whose mark is there, if it and the next one begin lines and none is missing between them."""
    begins = text.rfind("\n", 0, start) + 1
    here = _BEGUN.match(text, begins, end)  # behind a section's own number or dash too: `3. (1)`, `4.—(1)`
    if here is None or here.end() <= start:
        return end
    following = (mark for mark in _MARK.finditer(text, here.end(), end) if _follows(here, mark))
    mark = next(following, None)
    return mark.start() if mark and _is_next(_said(here), _said(mark)) else end


def _is_next(one: str, other: str) -> bool:
    """Whether a number is the next one. Of letters only such follow."""
    return not one.isdecimal() or (other.isdecimal() and int(other) == int(one) + 1)


def is_beyond(text: str, path: Sequence[str]) -> bool:
    """Whether the text is numbered `1.`, `2.` without a gap, and not as far as the clause."""
    numbers = [int(number) for number in _PARAGRAPH.findall(_of_its_own(text))]
    in_a_row = len(numbers) >= MIN_PARAGRAPHS and numbers == list(range(1, len(numbers) + 1))
    return in_a_row and bool(path) and path[0].isdecimal() and int(path[0]) > len(numbers)


def has_no_marks(text: str) -> bool:
    return not _ANY_MARK.search(_of_its_own(text))


@lru_cache(maxsize=16)  # what is asked of a section is asked in a row
def _of_its_own(text: str) -> str:
    """A section without its own number, and without what it cites: `section 2(1) and (7)` marks no clause of it.

    What begins a line is no part of a citation.
    """
    number = _NUMBER.match(text)
    parts, at = [], number.end() if number else 0
    for cited in read_references(text, (), title="", kind=""):
        end = text.find("\n", cited.start, cited.end)
        parts.append(text[at : max(at, cited.start)])
        at = max(at, cited.end if end < 0 else end)
    return "".join([*parts, text[at:]])


def has_in_clause(text: str, path: Sequence[str], quoted: QuotedWords) -> bool:
    """Whether the clause, or what leads up to it, has the words. Also where the clause is not printed."""
    return any(ComparedText(one).find(quoted) for one in _stretches(text, path))


def _stretches(text: str, path: Sequence[str]) -> Iterator[str]:
    """The words that lead up to each clause on the way, and those of the last one."""
    start, end = 0, len(text)
    for clause in path:
        marks = list(_MARK.finditer(text, start, end))
        places = [place for place, mark in enumerate(marks) if _said(mark).casefold() == clause.casefold()]
        if not places:
            break
        here = marks[places[0]]
        yield text[start : marks[0].start()]
        following = (mark.start() for mark in marks[places[0] + 1 :] if _follows(here, mark))
        start, end = here.end(), next(following, end)
    yield text[start:end]


def _said(mark: re.Match[str]) -> str:
    return mark["plain"] or mark["bracket"]


def _follows(mark: re.Match[str], other: re.Match[str]) -> bool:
    """Whether the other begins a clause beside it."""
    one, then = _said(mark), _said(other)
    if bool(mark["plain"]) != bool(other["plain"]) or one[:1].isdigit() != then[:1].isdigit():
        return False
    if one[:1].isdigit():
        return _value(then) > _value(one)
    return (then[:1] == one[:1] and len(then) > 1 and not then.isalpha()) or ord(then[0]) == ord(one[0]) + 1


def _value(number: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", number))
