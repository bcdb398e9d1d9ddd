"""Text as the patterns of citations see it, from which there is a way back to the characters of the original."""

import re
from bisect import bisect_right
from dataclasses import dataclass, field
from functools import lru_cache

from law.languages import LANGUAGES
from law.patterns import regex
from law.words.analysis import INVISIBLE, MARKS

_LEFT_OUT = f"{MARKS}{INVISIBLE}"
_TWO_APOSTROPHES = r"(?<=[^\W\d_])['׳‘’]{2}(?=[^\W\d_])"  # the mark of an abbreviation, typed as two
# A line feed or a tab ends what is cited, if the text is a document's; in a query it is white space.
_SHORT = [row for language in LANGUAGES for row in language.citations.written_out]
_WORDS = {"space": " ", "mark": '"', **{f"short_{place}": word for place, (_, word) in enumerate(_SHORT)}}
_OTHERS = "|".join(
    [f"(?P<mark>{_TWO_APOSTROPHES})", *(f"(?P<short_{place}>{form})" for place, (form, _) in enumerate(_SHORT))]
)
_UNEVEN = regex(rf"(?P<space>[^\S\n\t]{{2,}}|[^\S\n\t ])|[{_LEFT_OUT}]+|{_OTHERS}")
_UNEVEN_IN_QUERY = regex(rf"(?P<space>\s{{2,}}|[^\S ])|[{_LEFT_OUT}]+|{_OTHERS}")
_UNUSUAL = regex(f"[{_LEFT_OUT}\r\v\f\x1c-\x1f\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]")
_MORE = regex("|".join(("['׳‘’]{2}", *(form for form, _ in _SHORT))))


@dataclass(frozen=True, slots=True)
class NormalizedText:
    """A text with single spaces, without vowel points and marks of direction, with one mark in an abbreviation.

    Words for acts that are cut short are written out.
    `places` and `dropped` count what each change left out.
    """

    text: str
    _places: list[int] = field(default_factory=list)
    _dropped: list[int] = field(default_factory=list)
    _originals: list[int] = field(default_factory=list)

    @property
    def changed(self) -> bool:
        return bool(self._places)

    def start(self, place: int) -> int:
        """Where the original has the character at this place."""
        change = bisect_right(self._places, place)
        return place + (self._dropped[change - 1] if change else 0)

    def place(self, start: int) -> int:
        """Where the character of the original is, or the one before it if it was left out."""
        change = bisect_right(self._originals, start)
        return start - (self._dropped[change - 1] if change else 0)

    def end(self, place: int) -> int:
        """Where what ends at this place ends in the original."""
        return self.start(place - 1) + 1 if place else 0


def normalize(text: str) -> NormalizedText:
    """A document's text. Most have nothing to be changed."""
    if "  " not in text and not _UNUSUAL.search(text) and not _MORE.search(text):
        return NormalizedText(text)
    return _folded(text, _UNEVEN)


@lru_cache(maxsize=64)
def fold_query(text: str) -> NormalizedText:
    """A query, as one line. Remembered for a moment: a search reads several things of it."""
    return _folded(text.strip(), _UNEVEN_IN_QUERY)


def _folded(text: str, uneven: re.Pattern[str]) -> NormalizedText:
    parts: list[str] = []
    places: list[int] = []
    dropped: list[int] = []
    length = last = 0
    for match in uneven.finditer(text):
        kept = _WORDS.get(match.lastgroup or "", "")
        parts += (text[last : match.start()], kept)
        length += match.start() - last + len(kept)
        last = match.end()
        if last - length:
            places.append(length)
            dropped.append(last - length)
    parts.append(text[last:])
    originals = [place + more for place, more in zip(places, dropped, strict=True)]
    return NormalizedText("".join(parts), places, dropped, originals)
