"""The sentences and paragraphs of a text, which no quotation, abbreviation or number ends."""

from bisect import bisect_right
from collections.abc import Sequence

from law.checking.quotations import Quotation
from law.patterns import regex
from law.words.sentences import stops

_STOP = regex(r"[.?!;][\"”’״)\]]*[⁰¹²³⁴-⁹]*(?=\s)|\n[ \t]*\n|\n(?=[ \t]*(?:\d{1,3}[.)]|[-•*]) )")
_EMPTY_LINE = regex(r"\n[ \t]*\n")


class Sentences:
    """Where the sentences of a text end."""

    def __init__(self, text: str, quotations: Sequence[Quotation] = ()) -> None:
        self._text = text
        inside = [(one.outer_start, one.outer_end) for one in quotations]
        self._ends = [0, *(found.end() for found in stops(text, _STOP, within=inside)), len(text)]
        self._breaks = [0, *(found.end() for found in _EMPTY_LINE.finditer(text)), len(text)]

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
