"""Which words of a section are a clause's that is printed there, though the section was not divided at it."""

import re
from collections.abc import Iterator, Sequence

from law.checking.comparing import ComparedText, QuotedWords

# `1.` or `(1.1)` at the beginning of a line
_MARK = re.compile(r"^[ \t]*(?:(?P<plain>\d{1,3})\.(?=[ \t])|\((?P<bracket>\w{1,5}(?:\.\d{1,2})?)\))", re.MULTILINE)


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
