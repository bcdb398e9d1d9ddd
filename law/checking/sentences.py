"""The sentences of a text, which no quotation, abbreviation or number ends, its paragraphs, line ends and notes."""

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Sequence
from functools import cached_property

from law.checking.quotations import Quotation
from law.citations.items import CLAUSE_UNIT
from law.citations.numbers import UNIT
from law.languages import LANGUAGES
from law.languages.scripts import CASELESS, either
from law.patterns import regex
from law.words.analysis import RAISED_DIGITS
from law.words.sentences import is_shortened, stops

_STOP = regex(rf"[.?!;][\"”’״)\]]*[{RAISED_DIGITS}]*(?=\s)|\n[ \t]*\n|\n(?=[ \t]*(?:\d{{1,3}}[.)]|[-•*]) )")
_FIRST = either(one.citations.articles for one in LANGUAGES if one.has_capitals)
# The sign of a note, or a sentence that begins with no name: `“… at night.” The owner pays`
_ENDED = regex(rf"[.!?][^\w\s](?:[{RAISED_DIGITS}]|\s+(?=[A-Z])(?i:{_FIRST})\s+[a-z])")
_EMPTY_LINE = regex(r"\n[ \t]*\n")
_MIN_TOGETHER = 80  # characters of two lines that are one paragraph: shorter ones may be a list
_MIN_LINE = 50  # characters of a line whose paragraph goes on, however short the next one is
_MIN_LINES, _MAX_WIDTH, _WIDEST = 8, 120, 0.95  # of a text that was broken at a width: of its lines the longest
_MIN_LIST = 4  # lines of a list that is known by what its lines have in common
_MIN_INSIDE = 2  # lines of a paragraph that begin in small letters
_FULL = 0.9  # of the width that a line and the next word have, as letters are not equally wide
_MAX_LEAD = 24  # characters on either side of a line end, in which a citation is broken
# Where perhaps no sentence ends, and the next line begins neither further in nor with the mark of a list.
# `Grant at [12]` may be broken before its bracket, which begins a paragraph where words follow.
_INSIDE = regex(rf"(?<![;?!\s])\n(?![{RAISED_DIGITS}])(?=\w|[\"“”„״«‘']\w|\(|[–—-] \w|\[\d{{1,4}}\][.,;)])")
_CLAUSE = regex(r"\(\w{1,3}\)")
_OF_CLAUSE = regex(rf"{CLAUSE_UNIT.pattern}\s?\Z", re.IGNORECASE)
_AND = either(one.citations.and_words for one in LANGUAGES)
_TO = either(one.citations.to_words for one in LANGUAGES)
_LISTS = regex(rf"[\d)] ?{_AND} ?\Z")  # `sections 1 and`
_RANGES = regex(rf"[\d)] ?{_TO} ?\Z")  # `(a) to`: no list ends so
_OF_WORDS = either(one.citations.of_words for one in LANGUAGES)
_OF_LAWS = either(hint for one in LANGUAGES if not one.has_capitals for hint in one.acts.hints)
_IS_CASELESS = regex(rf"(?!{_OF_LAWS})[\"“”„״]?[{CASELESS}]")  # a line in such letters that names no law
_JOINS = regex(rf"{either(one.citations.glued_of for one in LANGUAGES)}{_OF_LAWS}|{_OF_WORDS} ")
_OF_CODE = regex(r"(?:[A-Z]\. ?){2,4}(?:§|\d)")  # `9 U.S.C. § 12`
_LEADS_ON = regex(
    rf" {either(words for one in LANGUAGES for words in (one.citations.articles, one.citations.link_words))}\Z"
)
_BRACKET = regex(r"\((?:[^\W\d]{3}|[\"“„״])")
_TYPES = either(hint for one in LANGUAGES if one.has_capitals for hint in one.acts.hints)
# The rest of a name: `Act.`, `Regulations 1990`, `1990.`, `2016/679,`, `(Lights)`
_CLOSES = regex(
    rf"{_TYPES}s?(?:[.,;)\"”“]|\s*\Z| (?:19|20)\d\d)|(?:19|20)\d\d[.,;)]"
    rf"|\d{{1,5}}(?:[./]\d{{1,5}})+(?=[.,]?\s)|\d{{2,5}}(?:\([A-Z]\))?, |{_BRACKET.pattern}"
)
_ARTICLE = regex(rf"{either(one.citations.articles for one in LANGUAGES)} ")
_IN_SMALL = regex(r"[\"“„«‘'(]?(?!(?-i:\w)[.)]\s)[a-zà-öø-ÿ]")
# `14, `, `8 of`, `(2).`: behind a section's word no count and no mark of a list
_CITED = regex(
    rf"(?:\d{{1,4}}[A-Z{CASELESS}]{{0,2}}(?:\(\w{{1,4}}\)){{0,4}}|(?:\(\w{{1,4}}\)){{1,4}})"
    rf"(?:[,;)]|\.(?=\s*\Z|\n)| (?:{_JOINS.pattern}|(?:{_AND}|{_TO}) ?[(\d]))"
)
_ALONE = regex(rf"[a-z{CASELESS}]{{1,8}}\.? ?\d{{1,4}}[A-Z{CASELESS}]{{0,2}}(?:\(\w{{1,4}}\)){{0,4}}(?:[.)]|\s*\Z|\n)")
_GLUED = regex(r"\d{1,4}[A-Z]{0,2}\(\w{1,4}\)(?:[,;.)]| [a-z])")
_MARK = regex(r"^[ \t]*\(?(?P<number>\d{1,3})[.)] ", re.MULTILINE)
_MAX_LIST = 2_000  # characters on either side in which the numbers of a list are looked for
_MARKED = regex(r"(?:\d{1,3}|\w)[.)]\s")
_SIGNS = rf"[{RAISED_DIGITS}]{{1,4}}"
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
    lines = _Lines(text)
    return _INSIDE.sub(lambda end: " " if lines.go_on(end.start()) else "\n", text)


class _Lines:
    """The lines of a text: which of them go on in the next one."""

    def __init__(self, text: str) -> None:
        self._text = text
        paragraphs = _EMPTY_LINE.split(text)
        # But for the last ones of paragraphs
        lengths = sorted(len(line) for one in paragraphs for line in one.split("\n")[:-1] if not line[:1].isspace())
        width = lengths[int(len(lengths) * _WIDEST)] if len(lengths) >= _MIN_LINES else 0
        self._width = width if 0 < width <= _MAX_WIDTH else None  # of a text that was broken at one
        self._borders = [0, *(found.end() for found in _EMPTY_LINE.finditer(text))]
        self._prose = [_is_prose(paragraph) for paragraph in paragraphs]
        self._lists = [_is_list(paragraph) for paragraph in paragraphs]

    def go_on(self, place: int) -> bool:
        """Whether no paragraph ends at a line end: the line is long or full, and what stands beside its end says so."""
        text = self._text
        begins, ends = text.rfind("\n", 0, place) + 1, text.find("\n", place + 1)
        lead, behind = text[max(begins, place - _MAX_LEAD) : place], text[place + 1 : place + 1 + _MAX_LEAD]
        if text[begins : begins + 1].isspace() or not _may_go_on(text, begins, place):
            return False
        is_long = (ends if ends >= 0 else len(text)) - begins >= _MIN_TOGETHER
        is_full = self._is_full(place - begins, behind)
        is_cited = _leads_to_number(lead, behind) and (
            _RANGES.search(f"{lead} ") is not None
            or _CITED.match(behind) is not None
            or (behind[0].isdigit() and is_full and self._is_no_item(place))
        )
        if not (is_long or is_full or place - begins >= _MIN_LINE):
            return is_cited and " " in lead.strip() and _GLUED.match(behind) is not None
        if is_cited or _begins_item(behind):
            return is_cited
        if lead[-1].isdigit():
            return _goes_on_behind_number(lead, behind)
        is_led = _LEADS_ON.search(lead) is not None
        is_inside = lead.split()[-1][:1].islower()
        if UNIT.match(behind, 0) and not (lead[-1] == "," or is_led or (is_inside and not behind[0].isupper())):
            return is_full and _ALONE.match(behind) is not None
        if is_long or is_led or _IN_SMALL.match(behind):
            return True
        if not is_full or self._lists[self._paragraph_at(place)]:
            return False
        is_inside = is_inside or _is_in_brackets(text, begins, place) or self._is_of_prose(place)
        return is_inside or _IS_CASELESS.match(behind) is not None or _CLOSES.match(behind) is not None

    def _is_full(self, length: int, behind: str) -> bool:
        """Whether the next word had no room in a line."""
        if self._width is None:
            return length >= _MIN_LINE
        return length + len(behind.split(maxsplit=1)[0]) >= self._width * _FULL

    def _is_no_item(self, place: int) -> bool:
        """Whether the next line begins with no number of a list, which has the one before or behind it too."""
        mark = _MARK.match(self._text, place + 1)
        if mark is None:
            return self._is_of_prose(place)
        before, behind = self._text[max(place - _MAX_LIST, 0) : place], self._text[place + 1 : place + _MAX_LIST]
        if self._is_of_prose(place):
            before, behind = _EMPTY_LINE.split(before)[-1], _EMPTY_LINE.split(behind, maxsplit=1)[0]
        beside = {int(one["number"]) - int(mark["number"]) for one in _MARK.finditer(f"{before}\n{behind}")}
        return not beside & {-1, 1}

    def _is_of_prose(self, place: int) -> bool:
        return self._prose[self._paragraph_at(place)]

    def _paragraph_at(self, place: int) -> int:
        return bisect_right(self._borders, place) - 1


def _is_prose(paragraph: str) -> bool:
    """Whether at least half of the lines of a paragraph begin inside a sentence, as those of lists do not."""
    lines = paragraph.split("\n")[1:]
    inside = sum(_IN_SMALL.match(line) is not None for line in lines)
    return inside >= _MIN_INSIDE and 2 * inside >= len(lines)


def _is_list(paragraph: str) -> bool:
    """Whether all of several lines begin in capitals, or many end in a number."""
    lines = paragraph.split("\n")
    numbered = sum(line[-1:].isdigit() for line in lines)
    is_in_capitals = all(line[:1].isupper() for line in lines)
    return len(lines) >= _MIN_LIST and (is_in_capitals or 3 * numbered >= len(lines))


def _may_go_on(text: str, begins: int, place: int) -> bool:
    """Whether no sentence and no lead ends there: behind a point that shortens a word one goes on, and in brackets."""
    if text[place - 1] == ":" or text[place + 1] in "–—-":
        return _is_in_brackets(text, begins, place)
    return text[place - 1] != "." or (is_shortened(text, place - 1) and not text[place + 1].isupper())


def _is_in_brackets(text: str, begins: int, place: int) -> bool:
    return text.rfind("(", begins, place) > text.rfind(")", begins, place)


def _begins_item(line: str) -> bool:
    """Whether a line begins like one of a list: `2. `, `b) `, `(b)`, but for `s. 12`."""
    if _CLAUSE.match(line):
        return True
    return _MARKED.match(line) is not None and UNIT.match(line, 0) is None


def _leads_to_number(lead: str, behind: str) -> bool:
    """Whether a line ends inside a citation, whose number begins the next one: `section`, `sections 1 and`."""
    if not (behind[0] == "(" or behind[0].isdigit()):
        return False
    joined, number = f"{lead} {behind}", len(lead) + 1
    if any(pattern.search(joined, 0, number) for pattern in (_OF_CLAUSE, _LISTS, _RANGES)):
        return True
    return any(unit.end() == number for start in UNIT.starts(joined, 0, number) if (unit := UNIT.match(joined, start)))


def _goes_on_behind_number(lead: str, behind: str) -> bool:
    """Whether what follows a number at a line end belongs to it, or the sentence goes on: no new line of a list."""
    joined, number = f"{lead} {behind}", len(lead) + 1
    if _OF_CODE.match(behind):
        return True
    if UNIT.match(joined, number):  # `9 USC 12`, but not `section 4 Section 2`
        return UNIT.match(behind, 0) is None
    if _JOINS.match(behind) or _BRACKET.match(behind):
        return True
    return _IN_SMALL.match(behind) is not None and not _ARTICLE.match(behind)


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

    def sign_of(self, place: int) -> int:
        """Where the sign stands that leads to the note around a place, 0 where none does."""
        following = bisect_right(self._by_line, place, key=lambda note: note[0][0])
        (_, end), sign = self._by_line[following - 1] if following else ((0, 0), 0)
        return sign if place < end else 0

    @cached_property
    def _by_line(self) -> list[tuple[tuple[int, int], int]]:
        """The characters of each note, in order, and where its sign stands."""
        signs = _SIGN.finditer(self._text) if self._lines else ()
        return sorted((line, sign.start()) for sign in signs if (line := self._line(sign)))

    def _line(self, sign: re.Match[str]) -> tuple[int, int] | None:
        """The next line with the sign, None for the sign of the line itself."""
        lines = self._lines[sign[0]]
        following = bisect_right(lines, (sign.start(), len(self._text)))
        own = following < len(lines) and lines[following][0] == sign.end()
        return None if own or following == len(lines) else lines[following]
