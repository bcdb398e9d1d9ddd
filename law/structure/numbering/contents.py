"""Finds tables of contents: their lines look like sections and are none."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from law.languages import LANGUAGES
from law.languages.scripts import either
from law.patterns import regex
from law.structure.lines.headings import is_contents_title, looks_like_heading, read_division
from law.structure.lines.numbers import begins_sentence, read_label

_MAX_LINES = 2_000
_LONG_LINE = 200  # characters
_SENTENCES = 0.25  # the share of lines of a table that may be sentences
_SENTENCE = regex(r"\w[\"'”“״)\]]{0,2}[.;:][\"'”“״]?$")
_SENTENCE_WORDS = 4
_PAGE = regex(r"[\s.…]*\d*$")
_COLUMNS = regex(rf"\w+\s+(?:{either(language.documents.page_word for language in LANGUAGES)})(?: [Nn]o\.)?", re.I)
_WORDS = regex(r"\w+")
_SECTION = either(language.statutes.section_words for language in LANGUAGES).replace(r"\.", "")
_NUMBER = regex(rf"^(?:{_SECTION} )?\d[\w ]{{0,6}}? (?=[^\W\d])")


def find_contents(texts: Sequence[str]) -> set[int]:
    """The places of the lines that are tables of contents, their titles included."""
    found: set[int] = set()
    for place, text in enumerate(texts):
        if place not in found and is_contents_title(text):
            found.update(range(place, _end(texts, place)))
    return found


def _end(texts: Sequence[str], title: int) -> int:
    """Where a table ends: its first entry stands again, or any of them, or prose begins.

    Without any of that the table was lost, and only its title is left.
    """
    lines = list(_entries(texts, title))
    if not lines or _is_sentence(texts[min(lines[0][0] + 1, len(texts) - 1)]):
        return title + 1
    (first, opening), *more = lines
    for place, entry in more:
        if _same_entry(entry, opening):
            return _with_number(texts, place)
    if again := _begins_anew(texts, lines):
        return again
    known = {_bare(opening)}
    for place, entry in more:
        if _bare(entry) in known:
            return _with_number(texts, place)
        known.add(_bare(entry))
    end = lines[-1][0] + 1
    sentences = sum(_is_sentence(texts[place]) for place in range(first, end))
    return end if end < len(texts) and sentences <= _SENTENCES * (end - first) else title + 1


def _begins_anew(texts: Sequence[str], lines: Sequence[tuple[int, str]]) -> int | None:
    """Where a table ends whose headings stand nowhere else: behind the last number before they begin again.

    None where they do not, or a sentence is among them.
    """
    numbered = [(place, label) for place, _ in lines if (label := read_label(texts[place])) is not None]
    for (before, _), (_, label) in pairwise(numbered):
        if _is_sentence(texts[before]):
            return None
        if label.key == numbered[0][1].key and before > numbered[0][0]:
            end = before + 1
            while (division := read_division(texts[end])) is not None and division.annex:
                end += 1
            return end
    return None


def _with_number(texts: Sequence[str], place: int) -> int:
    """The place of the number above a heading that stands on a line of its own, or below the first line of its text."""
    label = read_label(texts[place - 1])
    is_number = label is not None and (not label.rest or begins_sentence(label.rest))
    return place - 1 if is_number and read_label(texts[place]) is None else place


def _entries(texts: Sequence[str], title: int) -> Iterator[tuple[int, str]]:
    """The words of each line that may be of the table, without page numbers and the names of columns."""
    for place in range(title + 1, min(title + _MAX_LINES, len(texts))):
        text = texts[place]
        if len(text) > _LONG_LINE:
            return
        words = _WORDS.findall(_PAGE.sub("", text))
        entry = " ".join(words if len(words) > 1 else _WORDS.findall(text))  # the number in `Part 2` is no page
        names_columns = place == title + 1 and (entry.isalpha() or _COLUMNS.fullmatch(text) is not None)
        if entry and not names_columns:
            yield place, entry


def _is_sentence(text: str) -> bool:
    if not _SENTENCE.search(text) or len(text.split()) < _SENTENCE_WORDS:
        return False
    label = read_label(text)
    words = label.rest.rstrip(".\"'”“״") if label is not None else ""
    return not looks_like_heading(words) or begins_sentence(words)


def _bare(entry: str) -> str:
    return _NUMBER.sub("", entry).casefold()


def _same_entry(one: str, other: str) -> bool:
    """Whether a line is the entry: with more behind it, or without its number, as a heading above that."""
    shorter, longer = sorted((one, other), key=len)
    if longer == shorter or longer.startswith(shorter + " "):
        return True
    bare = _bare(other)
    return bare != other.casefold() and f"{_bare(one)} ".startswith(f"{bare} ")
