"""The sentences and paragraphs of a text, which no quotation, abbreviation or number ends."""

from bisect import bisect_right
from collections.abc import Sequence

from law.checking.quotations import Quotation
from law.languages import LANGUAGES
from law.patterns import regex

_SHORT = frozenset(
    word
    for language in LANGUAGES
    for word in (*language.abbreviations.split(), "s", "ss", "art", "no", "v", "id", "ibid")
)
_STOP = regex(r"[.?!;][\"”’״)\]]*[⁰¹²³⁴-⁹]*(?=\s)|\n[ \t]*\n|\n(?=[ \t]*(?:\d{1,3}[.)]|[-•*]) )")
_LAST_WORD = regex(r"([^\W\d_]+)$")
_EMPTY_LINE = regex(r"\n[ \t]*\n")


class Sentences:
    """Where the sentences of a text end."""

    def __init__(self, text: str, quotations: Sequence[Quotation] = ()) -> None:
        self._text = text
        inside = [(one.outer_start, one.outer_end) for one in quotations]
        self._ends = [0, *self._stops(text, inside), len(text)]
        self._breaks = [0, *(found.end() for found in _EMPTY_LINE.finditer(text)), len(text)]

    @staticmethod
    def _stops(text: str, inside: Sequence[tuple[int, int]]) -> list[int]:
        starts = [start for start, _ in inside]
        ends = []
        for found in _STOP.finditer(text):
            at = bisect_right(starts, found.start()) - 1
            if at >= 0 and found.start() < inside[at][1] - 1:
                continue
            word = _LAST_WORD.search(text, max(0, found.start() - 20), found.start())
            if found[0].startswith(".") and word and (word[0].casefold() in _SHORT or len(word[0]) == 1):
                continue
            ends.append(found.end())
        return ends

    def around(self, start: int, end: int) -> tuple[int, int]:
        """The characters of the sentence, or of the sentences, that a stretch stands in."""
        return self._between(self._ends, start, end)

    def paragraph(self, start: int, end: int) -> tuple[int, int]:
        """The same for paragraphs, between empty lines."""
        return self._between(self._breaks, start, end)

    @staticmethod
    def _between(borders: Sequence[int], start: int, end: int) -> tuple[int, int]:
        first = borders[max(bisect_right(borders, start) - 1, 0)]
        last = bisect_right(borders, max(end - 1, start))
        return first, borders[last] if last < len(borders) else borders[-1]
