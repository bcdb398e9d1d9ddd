"""The sentences of a text, which no quotation, abbreviation or number ends, its paragraphs, line ends and notes."""

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence

from law.checking.quotations import Quotation
from law.patterns import regex
from law.words.sentences import stops

_STOP = regex(r"[.?!;][\"”’״)\]]*[⁰¹²³⁴-⁹]*(?=\s)|\n[ \t]*\n|\n(?=[ \t]*(?:\d{1,3}[.)]|[-•*]) )")
_ENDED = regex(r"[.!?][^\w\s][⁰¹²³⁴-⁹]")
_EMPTY_LINE = regex(r"\n[ \t]*\n")
_MIN_TOGETHER = 80  # characters of two lines that are one paragraph: shorter ones may be a list
# No sentence ends here, and the next line begins neither further in nor with the mark of a list.
_INSIDE = regex(r"(?<![.:;?!\s\d])\n(?=\w|[\"“„״]\w|\([^\W\d]{3})")
_MARKED = regex(r"(?:\d{1,3}|\w)[.)]\s")
_SIGNS = r"[⁰¹²³⁴-⁹]{1,4}"
_SIGN = regex(_SIGNS)
_LINE = regex(rf"^[ \t]*(?P<sign>{_SIGNS})[ \t]*(?=\S)[^\n]*", re.MULTILINE)


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


class Notes:
    """The notes of a text: which line a sign such as `¹` leads to.

    Each note begins a line with its sign. Numbers may begin anew, as on each page.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._lines: dict[str, list[tuple[int, int]]] = defaultdict(list)
        for line in _LINE.finditer(text):
            self._lines[line["sign"]].append((line.end("sign"), line.end()))

    def at(self, place: int) -> tuple[int, int] | None:
        """The characters of the note whose sign stands at a place."""
        sign = _SIGN.match(self._text, place) if self._lines else None
        return self._line(sign) if sign else None

    def between(self, start: int, end: int) -> list[tuple[int, int]]:
        """The characters of the notes whose signs stand between two places."""
        signs = _SIGN.finditer(self._text, start, end) if self._lines else ()
        return [line for sign in signs if (line := self._line(sign))]

    def signs(self) -> Iterator[tuple[int, tuple[int, int]]]:
        """Where each sign stands that leads to a note, with the characters of the note."""
        signs = _SIGN.finditer(self._text) if self._lines else ()
        return ((sign.start(), line) for sign in signs if (line := self._line(sign)))

    def _line(self, sign: re.Match[str]) -> tuple[int, int] | None:
        """The next line with the sign, None for the sign of the line itself."""
        lines = self._lines[sign[0]]
        following = bisect_right(lines, (sign.start(), len(self._text)))
        own = following < len(lines) and lines[following][0] == sign.end()
        return None if own or following == len(lines) else lines[following]
