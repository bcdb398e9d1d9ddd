"""The sentences of a text, which no quotation, abbreviation or number ends, its paragraphs, line ends and notes."""

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence

from law.checking.quotations import Quotation
from law.citations.items import CLAUSE_UNIT
from law.citations.numbers import UNIT
from law.languages import LANGUAGES
from law.languages.scripts import either
from law.patterns import regex
from law.words.sentences import is_shortened, stops

_STOP = regex(r"[.?!;][\"”’״)\]]*[⁰¹²³⁴-⁹]*(?=\s)|\n[ \t]*\n|\n(?=[ \t]*(?:\d{1,3}[.)]|[-•*]) )")
_ENDED = regex(r"[.!?][^\w\s][⁰¹²³⁴-⁹]")
_EMPTY_LINE = regex(r"\n[ \t]*\n")
_MIN_TOGETHER = 80  # characters of two lines that are one paragraph: shorter ones may be a list
_MIN_LINE = 50  # characters of a line whose paragraph goes on, however short the next one is
_MIN_LINES, _MAX_WIDTH, _WIDEST = 8, 120, 0.95  # of a text that was broken at a width: of its lines the longest
_FULL = 0.9  # of the width that a line and the next word have, as letters are not equally wide
_MAX_LEAD = 24  # characters on either side of a line end, in which a citation is broken
# Where perhaps no sentence ends, and the next line begins neither further in nor with the mark of a list.
# `Grant at [12]` may be broken before its bracket, which begins a paragraph where words follow.
_INSIDE = regex(r"(?<![;?!\s])\n(?![⁰¹²³⁴-⁹])(?=\w|[\"“”„״«‘']\w|\(|[–—-] \w|\[\d{1,4}\][.,;)])")
_CLAUSE = regex(r"\(\w{1,3}\)")
_OF_CLAUSE = regex(rf"{CLAUSE_UNIT.pattern}\s?\Z", re.IGNORECASE)
# `sections 1 and`, `(a) to`
_LISTS = regex(
    rf"[\d)] ?{either(words for one in LANGUAGES for words in (one.citations.and_words, one.citations.to_words))} ?\Z"
)
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
    width = _width(text)
    return _INSIDE.sub(lambda end: " " if _is_inside(text, end.start(), width) else "\n", text)


def _width(text: str) -> int:
    """How many characters the lines of a text have that was broken at a width, else 0."""
    lengths = sorted(len(line) for line in text.split("\n") if line.strip())
    width = lengths[int(len(lengths) * _WIDEST)] if len(lengths) >= _MIN_LINES else 0
    return width if width <= _MAX_WIDTH else 0


def _is_inside(text: str, place: int, width: int) -> bool:
    """Whether no paragraph ends at a line end: the line is long, the next word had no room in it, or is its number."""
    begins = text.rfind("\n", 0, place) + 1
    ends = text.find("\n", place + 1)
    lead, behind = text[max(begins, place - _MAX_LEAD) : place], text[place + 1 : place + 1 + _MAX_LEAD]
    is_cited = (behind[0] == "(" or behind[0].isdigit()) and _leads_to_number(lead, behind)
    is_list = text[begins : begins + 1].isspace() or (_begins_item(behind) and not is_cited)
    together = (ends if ends >= 0 else len(text)) - begins
    is_full = place - begins + len(behind.split(maxsplit=1)[0]) >= width * _FULL
    is_one = place - begins >= _MIN_LINE or (together >= _MIN_TOGETHER and not lead[-1:].isdigit())
    is_one = is_one or (width > 0 and is_full) or (is_cited and " " in lead.strip())
    return is_one and not is_list and _goes_on(text, begins, place)


def _goes_on(text: str, begins: int, place: int) -> bool:
    """Whether no sentence and no lead ends there: behind a point that shortens a word one goes on, and in brackets."""
    if text[place - 1] == ":" or text[place + 1] in "–—-":
        return text.rfind("(", begins, place) > text.rfind(")", begins, place)
    return text[place - 1] != "." or is_shortened(text, place - 1)


def _begins_item(line: str) -> bool:
    """Whether a line begins like one of a list: `2. `, `b) `, `(b)`, but for `s. 12`."""
    if _CLAUSE.match(line):
        return True
    return _MARKED.match(line) is not None and UNIT.match(line, 0) is None


def _leads_to_number(lead: str, behind: str) -> bool:
    """Whether a line ends inside a citation, whose number begins the next one: `section`, `sections 1 and`."""
    joined, number = f"{lead} {behind}", len(lead) + 1
    if _OF_CLAUSE.search(joined, 0, number) or _LISTS.search(joined, 0, number):
        return True
    return any(unit.end() == number for start in UNIT.starts(joined, 0, number) if (unit := UNIT.match(joined, start)))


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
