"""New law, which an amending act puts into another: no provision of the amending act itself.

It stands in quotation marks behind words that change an act, or below a line that says so.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from operator import itemgetter

from law.languages import LANGUAGES
from law.languages.scripts import PREFIXES, either
from law.patterns import regex
from law.structure.lines.numbers import read_label

QUOTES = '“”„"״'
MAX_LINES = 2_000  # of a quotation
MAX_UNCLOSED_LINES = 120  # of one that never closes
MAX_UNCLOSED = 100  # of a text, whose end is looked for beyond their line
_MAX_UNMARKED_LENGTH = 60_000  # characters of new law without quotation marks
_MAX_DEPTH = 20  # quotations in one another
_MAX_LEAD_LENGTH = 160  # characters before the mark, in which words say that something is put in
_SIGNS = (",", ";", ".", ":")
_OPENING = '([”“"¹$'
_STRAIGHT = frozenset('"״')  # which open and close
_MARKS = regex(f"[{QUOTES}]")
_JOINS = either(language.statutes.joins for language in LANGUAGES)
_NOTE = r"(?:[¹²³*†‡]|\d{1,2})"  # the mark of a note
_REMARK = r" \([^()\n]{1,200}\)\.?"
CLOSED = regex(rf"[{QUOTES}][.,;:)\]]{{0,4}}{_NOTE}?[.,;:)\]]{{0,4}}(?: ?{_JOINS})?(?:{_REMARK})?[ \t]*(?:\n|\Z)")
_NEXT = regex(rf"{CLOSED.pattern}\n*(?=[{QUOTES}])")
_BEFORE_LAW = regex(r"[:–—-] ?\Z")
_TERM = regex(rf"[{QUOTES}][^\W\d_][^{QUOTES}\n]*[\w)][{QUOTES}][^\w\n]*(?:\n|\Z)")  # alone in its line
_INSERTS = either(language.statutes.inserts for language in LANGUAGES)
_AMENDS = regex(either((*(each.acts.amends for each in LANGUAGES), _INSERTS)))
_LEADS = [
    regex(rf"(?i:{_INSERTS})\s*[:–—-]+\n\s*\Z"),
    *(regex(rf"(?:{each.acts.leads_new_law})\Z") for each in LANGUAGES if each.acts.leads_new_law),
]
_UNMARKED = [
    (regex(each.acts.leads_new_law), regex(each.acts.amends_line)) for each in LANGUAGES if each.acts.leads_new_law
]  # fmt: skip


class Spans:
    """Stretches of a text, where each begins and ends."""

    def __init__(self, spans: Iterable[tuple[int, int]]) -> None:
        self._spans = sorted(spans)

    def hold(self, place: int) -> bool:
        """Whether the place is in one."""
        index = bisect_right(self._spans, place, key=itemgetter(0)) - 1
        return index >= 0 and place < self._spans[index][1]


class QuotedLaw(Spans):
    """Where it stands in a text of lines. Without `end_of_section`, what has no quotation marks is not looked for."""

    def __init__(self, text: str, end_of_section: Callable[[int], int | None] | None = None) -> None:
        super().__init__([*_marked(text), *(_unmarked(text, end_of_section) if end_of_section else ())])


class Quotations:
    """Where the quotations of a text end. What never closes is looked at MAX_UNCLOSED times, then line by line."""

    def __init__(self, text: str) -> None:
        self._text, self._unclosed = text, 0

    def at(self, place: int) -> Iterator[tuple[int, int]]:
        """The quotation whose mark is there, and those of the lines right behind it: `“8A. …”`, `“8B. …”`.

        Each from mark to closing mark. The last has 0 for the end if none closes it within MAX_LINES.
        """
        text = self._text
        while True:
            end = self._end(place)
            yield place, end
            following = _NEXT.match(text, end) if end else None
            if following is None:
                return
            place = following.end()

    def _end(self, place: int) -> int:
        """Where the quotation ends that begins there: with a line, or within its first one. 0 if that is not seen.

        Where it begins as paragraphs do, each of them may be opened again: `“(2) …`.
        """
        text = self._text
        is_paragraph = place == 0 or text[place - 1] == "\n" or _BEFORE_LAW.search(text, max(0, place - 2), place)
        most = MAX_LINES if self._unclosed < MAX_UNCLOSED else 0
        depth, line, before = 1, 0, place
        for at, turn in turns(text, place + 1):
            line += text.count("\n", before, at)
            before = at
            if line > most or depth > _MAX_DEPTH:
                break
            if turn > 0 and is_paragraph and text[at - 1] == "\n" and not _TERM.match(text, at):
                continue
            depth += turn
            if depth <= 0 and (not line or CLOSED.match(text, at)):
                return at
            depth = max(depth, 1)
        self._unclosed += 1
        return 0


def turns(text: str, start: int = 0) -> Iterator[tuple[int, int]]:
    """The quotation marks of a text: the place of each, and 1 where it opens, -1 where it closes."""
    for mark in _MARKS.finditer(text, start):
        at = mark.start()
        if opens(text, at):
            yield at, 1
        elif not (mark[0] in _STRAIGHT and text[at + 1 : at + 2].isalnum()) or _is_noted(text, at):
            yield at, -1


def opens(text: str, at: int) -> bool:
    """Whether a quotation mark opens: there is a word behind it, and none before but a letter that is a word."""
    before, behind, after = text[max(0, at - 2) : at], text[at + 1 : at + 2], text[at + 2 : at + 3]
    is_straight = text[at] in _STRAIGHT
    marks_letter = is_straight and not after.isalnum() and after not in tuple(QUOTES)  # of an abbreviation: `כ"ב`
    is_free = (
        not before
        or (not before[-1].isalnum() and before[-1] not in ".,;)")
        or (before[-1] in PREFIXES and (len(before) == 1 or not before[0].isalnum()) and not marks_letter)
    )
    # `insert “, or …”`; a straight mark may close, so words have to follow
    is_sign = (text[at] == "“" or (is_straight and after == " ")) and behind in _SIGNS and before[-1:] in ("", " ")
    return is_free and (behind.isalnum() or is_sign or (behind in _OPENING and bool(behind)))


def _is_noted(text: str, at: int) -> bool:
    """Whether a straight mark closes before the mark of a note: `."1`."""
    return text[at - 1 : at] in tuple(".;)") and CLOSED.match(text, at) is not None


def _marked(text: str) -> Iterator[tuple[int, int]]:
    found, behind = Quotations(text), 0
    for mark in _MARKS.finditer(text):
        place = mark.start()
        if place < behind or not opens(text, place) or not _is_put_in(text, place):
            continue
        for start, end in found.at(place):
            if end := end or _end_of_unclosed(text, start, lead=place):
                behind = end
                yield start, end


def _is_put_in(text: str, place: int) -> bool:
    """Whether words before a mark change an act. They are of the same section."""
    before = text[max(0, place - _MAX_LEAD_LENGTH) : place]
    if not _AMENDS.search(before):
        return False
    lines = before.split("\n")
    section = next((at for at in reversed(range(len(lines))) if read_label(lines[at])), 0)
    return any(map(_AMENDS.search, lines[section:]))


def _end_of_unclosed(text: str, place: int, *, lead: int) -> int:
    """Where one ends that never closes, which is a misprint: with its line, unless a line before says that it is law.

    What begins a line is no new law then: it has no end.
    """
    if any(each.search(text, max(0, lead - _MAX_LEAD_LENGTH), lead) for each in _LEADS):
        closed = CLOSED.search(text, place + 1, _end_of_lines(text, place, MAX_LINES))
        return closed.start() if closed else _end_of_lines(text, place, MAX_UNCLOSED_LINES)
    return 0 if text[place - 1 : place] in ("", "\n") else _end_of_lines(text, place, 1)


def _end_of_lines(text: str, place: int, most: int) -> int:
    for _ in range(most):
        place = text.find("\n", place) + 1 or len(text)
    return place


def _unmarked(text: str, end_of_section: Callable[[int], int | None]) -> Iterator[tuple[int, int]]:
    """Where new law without quotation marks stands: below `is replaced by the following:`."""
    for leads, amends in _UNMARKED:
        for lead in leads.finditer(text):
            start = lead.end()
            end = min(end_of_section(lead.start()) or start, start + _MAX_UNMARKED_LENGTH)
            line = amends.search(text, start, end)
            end = line.start() if line else end
            if end > start and not (text[start] in QUOTES and opens(text, start)):
                yield start, end
