"""Headings, titles of chapters and tables of contents: words of a document that are no evidence by themselves."""

import re
from collections.abc import Iterator

from law.structure.lines.headings import is_contents_title, looks_like_heading, read_division
from law.structure.lines.numbers import VERB, read_label
from search.results import SearchHit

_CONTENTS_ENTRY = re.compile(r"(?:\.{4,}|(?:\. ){3,}|…|\t)\s*\d{1,4}\s*$")
_FINISHED = re.compile(r"[.!?][\"'”“״)\]]*$")
_SENTENCE = re.compile(r"[.!?:;][\"'”“״)\]]*$")
_MAX_SUB_HEADING_LENGTH = 60  # characters
_MAX_ENTRY_LENGTH = 130  # characters
_ROW = re.compile(r"[^\n]+")
_WORD = re.compile(r"\w+")


def is_heading_alone(passage: SearchHit, start: int, end: int) -> bool:
    """Whether that range of the passage's text holds nothing but headings, their numbers, or lines of contents."""
    known = {_key(name) for name in (passage.heading, *passage.path, passage.source.title)} - {""}
    if _is_known(passage.text[start:end], known):
        return True
    lines = list(re.finditer(r"[^\n]*\S[^\n]*", passage.text))
    rows = set(_rows(passage))
    for at, line in enumerate(lines):
        touched = passage.text[max(start, line.start()) : min(end, line.end())]
        if any(char.isalpha() for char in touched):
            if line.start() in rows:
                return False
            before, after = (lines[other][0].strip() if 0 <= other < len(lines) else "" for other in (at - 1, at + 1))
            if not _is_heading(line[0].strip(), before=before, after=after, known=known):
                return False
    return True


def _rows(passage: SearchHit) -> Iterator[int]:
    """Where the rows of tables begin but for those that name columns: they say something, and look like contents."""
    for part in passage.tables:
        yield from [row.start() for row in _ROW.finditer(passage.text, part.start, part.end)][part.head :]


def _is_heading(line: str, *, before: str, after: str, known: set[str]) -> bool:
    if _is_known(line, known) or is_contents_title(line) or _CONTENTS_ENTRY.search(line) or read_division(line):
        return True
    if _is_entry(line) and (_is_entry(before) or is_contents_title(before) or _is_entry(after)):
        return True
    # A sub-heading. Items of a list look like it, but follow a lead-in or one another. Wrapped lines are longer.
    stands_above = (not before or _FINISHED.search(before)) and _SENTENCE.search(after) and not after[:1].islower()
    return bool(len(line) <= _MAX_SUB_HEADING_LENGTH and stands_above and looks_like_heading(line))


def _is_entry(line: str) -> bool:
    """Whether it is a number with a title, as of several in a row a table of contents is made."""
    if len(line) > _MAX_ENTRY_LENGTH or not line[:1].isdigit() or line.endswith((";", ",", ":")):
        return False
    label = read_label(line)
    return label is not None and bool(label.rest) and not label.clause and VERB.search(label.rest) is None


def _is_known(text: str, known: set[str]) -> bool:
    """Whether it is one of these headings, with its number or without."""
    label = read_label(text.strip())
    return _key(text) in known or (label is not None and _key(label.rest) in known)


def _key(text: str) -> str:
    return " ".join(_WORD.findall(text.casefold()))
