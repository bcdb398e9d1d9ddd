"""The sentences, which no quotation, abbreviation or number ends, the paragraphs of a text, and line ends in them."""

from bisect import bisect_right
from collections.abc import Sequence

from law.checking.quotation_marks import Quotation
from law.patterns import regex
from law.words.sentences import stops

_STOP = regex(r"[.?!;][\"”’״)\]]*[⁰¹²³⁴-⁹]*(?=\s)|\n[ \t]*\n|\n(?=[ \t]*(?:\d{1,3}[.)]|[-•*]) )")
_ENDED = regex(r"[.!?][^\w\s][⁰¹²³⁴-⁹]")
_EMPTY_LINE = regex(r"\n[ \t]*\n")
_MIN_TOGETHER = 80  # characters of two lines that are one paragraph: shorter ones may be a list
# No sentence ends here, and the next line begins neither further in nor with the mark of a list.
_INSIDE = regex(r"(?<![.:;?!\s\d])\n(?=\w|[\"“„״]\w|\([^\W\d]{3})")
_MARKED = regex(r"(?:\d{1,3}|\w)[.)]\s")


class Sentences:
    """Where the sentences of a text end."""

    def __init__(self, text: str, quotations: Sequence[Quotation] = ()) -> None:
        self._text = text
        # `“… at night.”¹` ends the sentence around it too
        ended = (_ENDED.match(text, one.outer_end - 2) is not None for one in quotations)
        inside = [(one.outer_start, one.outer_end - is_last) for one, is_last in zip(quotations, ended, strict=True)]
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


def without_line_ends(text: str) -> str:
    """The text with spaces for line ends inside paragraphs, as long as before. It has blank lines between these."""
    if not _EMPTY_LINE.search(text):
        return text
    return _INSIDE.sub(lambda end: " " if _is_inside(text, end.start()) else "\n", text)


def _is_inside(text: str, place: int) -> bool:
    begins = text.rfind("\n", 0, place) + 1
    ends = text.find("\n", place + 1)
    together = (ends if ends >= 0 else len(text)) - begins
    is_list = _MARKED.match(text, place + 1) or text[begins : begins + 1].isspace()
    return together >= _MIN_TOGETHER and not is_list
