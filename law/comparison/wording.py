"""What a text says, as words and signs that two texts are compared by.

These make no difference, so that a law that is taken from another file says the same:

- white space, line and page breaks. Running heads are dropped when a file is read
- which signs are used as quotation marks, dashes and bullets, how often dots or dashes are repeated, invisible
  characters, vowel points, numbers of footnotes
- the form of a mark in a list: `(a)`, `a)` and `a.` at the beginning of a line
- notes on who amended a provision, beside its text (`StatuteWords.amendment_note`)

Everything else does: a comma, a capital, a number.
"""

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from law.languages import LANGUAGES
from law.languages.scripts import either
from law.patterns import regex
from law.words.analysis import QUOTES, RAISED_DIGITS, SMALL_LETTERS

_VOWELS = "".join(language.marks for language in LANGUAGES)
_DASHES = "\u05be\u2010-\u2015\u2212-"
_BULLETS = "•▪▫◦●○■□·‣∙*\uf0b7"
_RAISED = RAISED_DIGITS + SMALL_LETTERS  # marks of footnotes
_LETTERS = rf"(?:[^\W_{_RAISED}]++[\u0300-\u036f{_VOWELS}]*+)++"
_TOKEN = regex(
    rf"""
    \([ ]?(?P<mark>\w{{1,5}}[{QUOTES}]?\w?)[ ]?\)
    |^[ \t]*(?P<opening>\d{{1,3}}|[^\W\d_]|[ivx]{{1,5}})(?:[.]|\))(?=\s|$)
    |(?P<word>{_LETTERS}(?:(?:[{QUOTES}]+|(?<=\d)[.,/](?=\d)){_LETTERS})*)
    |(?P<drop>^[ \t]*[{_BULLETS}](?=[ \t])|[{_RAISED}]+|[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff])
    |(?P<quotes>[{QUOTES}]+)
    |(?P<dashes>[_{_DASHES}]+)
    |(?P<sign>\S)(?P=sign)*
    """,
    re.VERBOSE | re.MULTILINE,
)
_SIGNS = {"quotes": '"', "dashes": "-"}
_NOTE = regex(either(language.statutes.amendment_note for language in LANGUAGES), re.MULTILINE)
_VOWEL = regex(rf"[{_VOWELS}]")
_QUOTE_RUN = regex(rf"[{QUOTES}]+")
_REMEMBERED = 100_000


class Word(NamedTuple):
    """A word, a sign or a mark of a list: what it is compared by, and the characters of the text that it is."""

    form: str
    start: int
    end: int


def words(text: str) -> list[Word]:
    """The words and signs of a text in order. What makes no difference is none."""
    return [Word(_form(found), *found.span()) for found in _found(text)]


def normal_forms(text: str, *, start: int = 0) -> tuple[str, ...]:
    """What the words and signs of a text are compared by, from a character on."""
    return tuple([_form(found) for found in _found(text, start)])


def _found(text: str, start: int = 0) -> Iterator[re.Match[str]]:
    notes = [found.span() for found in _NOTE.finditer(text)]
    for found in _TOKEN.finditer(text, start):
        while notes and notes[0][1] <= found.start():
            notes.pop(0)
        if found.lastgroup != "drop" and not (notes and notes[0][0] <= found.start()):
            yield found


def _form(found: re.Match[str]) -> str:
    name = found.lastgroup or ""
    if name in _SIGNS:
        return _SIGNS[name]
    form = _plain(found[name])
    return f"({_QUOTE_RUN.sub('', form)})" if name in ("mark", "opening") else form


@lru_cache(maxsize=_REMEMBERED)
def _plain(word: str) -> str:
    return _QUOTE_RUN.sub('"', _VOWEL.sub("", unicodedata.normalize("NFKC", word)))
