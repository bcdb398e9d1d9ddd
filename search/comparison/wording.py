"""What a text says, as words and signs that two texts are compared by.

These make no difference, so that a law that is taken from another file says the same:

- white space, line and page breaks; running heads are dropped when a file is read
- which signs are used as quotation marks, dashes and bullets, how often dots or dashes are repeated, invisible
  characters, vowel points, numbers of footnotes
- the form of a mark in a list: `(a)`, `a)` and `a.` at the beginning of a line
- notes on who amended a provision, beside its text (`StatuteWords.amendment_note`)

Everything else does: a comma, a capital, a number.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from kb_project.languages import LANGUAGES
from kb_project.languages.scripts import either
from search.text.analysis import QUOTES

_VOWELS = "".join(language.marks for language in LANGUAGES)
_DASHES = "\u05be\u2010-\u2015\u2212-"
_BULLETS = "•▪▫◦●○■□·‣∙*\uf0b7"
_LETTER = rf"(?:[^\W_]|[\u0300-\u036f{_VOWELS}])"
_TOKEN = re.compile(
    rf"""
    (?P<drop>^[ \t]*[{_BULLETS}](?=[ \t])|[⁰¹²³⁴-⁹]+|[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff])
    |\([ ]?(?P<mark>{_LETTER}{{1,5}}[{QUOTES}]?{_LETTER}?)[ ]?\)
    |^[ \t]*(?P<opening>\d{{1,3}}|[^\W\d_]|[ivx]{{1,5}})(?:[.]|\))(?=\s|$)
    |(?P<word>{_LETTER}+(?:(?:[{QUOTES}]+|(?<=\d)[.,/](?=\d)){_LETTER}+)*)
    |(?P<quotes>[{QUOTES}]+)
    |(?P<dashes>[_{_DASHES}]+)
    |(?P<sign>\S)(?P=sign)*
    """,
    re.VERBOSE | re.MULTILINE,
)
_NOTE = re.compile(either(language.statutes.amendment_note for language in LANGUAGES), re.MULTILINE)
_VOWEL = re.compile(rf"[{_VOWELS}]")
_QUOTE_RUN = re.compile(rf"[{QUOTES}]+")


class Word(NamedTuple):
    """A word, a sign or a mark of a list: what it is compared by, and the characters of the text that it is."""

    form: str
    start: int
    end: int


def words(text: str) -> list[Word]:
    """The words and signs of a text in order. What makes no difference is none."""
    return list(_words(text))


def forms(some: Sequence[Word]) -> list[str]:
    return [word.form for word in some]


def _words(text: str) -> Iterator[Word]:
    notes = [found.span() for found in _NOTE.finditer(text)]
    for found in _TOKEN.finditer(text):
        start, end = found.span()
        while notes and notes[0][1] <= start:
            notes.pop(0)
        if found["drop"] is None and not (notes and notes[0][0] <= start):
            yield Word(_form(found), start, end)


def _form(found: re.Match[str]) -> str:
    if mark := found["mark"] or found["opening"]:
        return f"({_QUOTE_RUN.sub('', _plain(mark))})"
    if found["quotes"]:
        return '"'
    if found["dashes"]:
        return "-"
    return _plain(found["word"] or found["sign"])


def _plain(word: str) -> str:
    if word.isascii() and word.isalnum():
        return word
    return _QUOTE_RUN.sub('"', _VOWEL.sub("", unicodedata.normalize("NFKC", word)))
