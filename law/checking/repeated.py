"""Citations that are no more than `Ibid.`: what was cited last."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from law.checking.notes import Notes
from law.languages import LANGUAGES
from law.languages.scripts import either
from law.patterns import regex
from law.references.citation import Citation, cited_again

MAX_BETWEEN = 40  # characters between citations that stand together
_SAME = either(language.quoting.same for language in LANGUAGES)
_SIGNALS = either(language.quoting.signals for language in LANGUAGES)
_QUOTES = "\"“”„״'‘’׳"
# `(ibid.)`, a sentence of it alone, or a note: `¹ See ibid.`
_ALONE = regex(
    rf"[(\[] ?(?P<inside>{_SAME}\.?)(?= ?[)\]])"
    rf"|(?<=[.”\"’] )(?P<sentence>{_SAME}\.)(?=\s+(?:[{_QUOTES}]|(?-i:[^\W\d_a-z]))|\s*\Z)"
    rf"|(?<=[⁰¹²³⁴-⁹])[^\S\n]*(?:(?:{_SIGNALS})\s)?(?P<note>{_SAME}\.?)(?=[^\S\n]*(?:[;\n]|\Z))",
    re.IGNORECASE,
)


def with_repeated(text: str, mentions: Sequence[Citation]) -> list[Citation]:
    """The mentions of a text, which are in order, and those that repeat the last one and say nothing else.

    In a note that is the last one of the notes before it, or of the text up to its sign if these have none. Which of
    several that stand together is meant is not known: then the words are `unread`.
    """
    alone = [one.span(one.lastgroup or 0) for one in _ALONE.finditer(text)]
    if not alone:
        return list(mentions)
    notes = _NotesByPlace(text)
    starts = [one.start for one in mentions]
    in_text = _Cited(text, [one for one in mentions if not notes.around(one.start)])
    in_notes = _Cited(text, [one for one in mentions if notes.around(one.start)])
    found: list[Citation] = []
    for start, end in alone:
        at = bisect_left(starts, end)
        if at and mentions[at - 1].end > start:
            continue
        sign = notes.around(start)
        cited = (in_notes.before(start) if sign else []) or in_text.before(sign or start)
        if cited:
            found.append(_again(cited, start, end, words=text[start:end]))
    return sorted((*mentions, *found), key=lambda one: one.start)


class _NotesByPlace:
    """The places of the signs of the notes of a text, by the characters of the notes."""

    def __init__(self, text: str) -> None:
        self._lines = sorted((line, sign) for sign, line in Notes(text).signs())
        self._starts = [line[0] for line, _sign in self._lines]

    def around(self, place: int) -> int:
        """Where the sign stands of the note that a place is in, 0 for a place in none."""
        at = bisect_right(self._starts, place) - 1
        if at < 0:
            return 0
        (_start, end), sign = self._lines[at]
        return sign if place < end else 0


class _Cited:
    """Mentions of a text in order."""

    def __init__(self, text: str, mentions: Sequence[Citation]) -> None:
        self._text, self._mentions = text, mentions
        self._starts = [one.start for one in mentions]

    def before(self, place: int) -> list[Citation]:
        """The last one before a place, with the provision that stands together with it, if there is such."""
        at = bisect_left(self._starts, place)
        last = list(self._mentions[max(at - 2, 0) : at])
        if len(last) < 2 or not last[0].number:
            return last[-1:]
        between = self._text[last[0].end : last[-1].start]
        return last if len(between) <= MAX_BETWEEN and "\n" not in between else last[-1:]


def _again(cited: Sequence[Citation], start: int, end: int, *, words: str) -> Citation:
    last = cited[-1]
    if len(cited) > 1 or last.first or not (last.internal or last.title or last.identifier):
        return Citation(start=start, end=end, unread=words)
    return cited_again(last, start=start, end=end)
