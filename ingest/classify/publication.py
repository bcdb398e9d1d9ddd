"""The day on which a document was published, made or given, where its head prints one in full."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator, Sequence

from ingest.classify import english_words, hebrew_words
from ingest.classify.dates import FoundDate, find_dates
from ingest.classify.lines import Line, begins_section, is_date_line, is_heading_word
from ingest.classify.title import Found

HEADER_LINES = 30
CUE_WITHIN = 90  # characters before the date
_TITLE_YEAR = re.compile(r"(?<!\d)(1[789]\d\d|20\d\d)(?!\d)")
_SENTENCE_BORDER = re.compile(r"[.;]\s")


def find_published_at(lines: Sequence[Line], title: Found | None) -> Found | None:
    """A date behind a word such as `פורסם` or `made on`, else one that stands alone in the head of the document.

    Days of commencement, of amendments and of other documents stand in sentences without such a word and are left.
    A year alone is no date; the year that a title ends with must fit the date.
    """
    hebrew = sum(line.hebrew for line in lines) * 2 > len(lines)
    years = _TITLE_YEAR.findall(title.value) if title else []
    for found in (*_said(lines, hebrew=hebrew), *_alone(lines, hebrew=hebrew)):
        if not years or abs(int(found.value[:4]) - int(years[-1])) <= 1:
            return found
    return None


def _said(lines: Sequence[Line], *, hebrew: bool) -> Iterator[Found]:
    for index, line in enumerate(lines):
        for date in find_dates(line.text, day_first=hebrew or None):
            if (start := _cue_start(line.text, date)) is not None:
                yield _found(date.date, line.text[start : date.end], line)
                continue
            above = lines[index - 1] if index else None
            if date.start == 0 and above and len(above.text) <= 30 and _is_cue(above.text):
                yield _found(date.date, line.text[: date.end], line)  # a stamp: FILED, and the day below it


def _cue_start(text: str, date: FoundDate) -> int | None:
    begin = max(0, date.start - CUE_WITHIN)
    before = text[begin : date.start]
    borders = [match.end() for match in _SENTENCE_BORDER.finditer(before)]
    if borders:
        begin, before = begin + borders[-1], before[borders[-1] :]
    for words in (hebrew_words, english_words):
        if match := words.DATE_CUE.search(before):
            return begin + match.start()
    return None


def _is_cue(text: str) -> bool:
    return any(words.DATE_CUE.search(text) for words in (hebrew_words, english_words))


def _alone(lines: Sequence[Line], *, hebrew: bool) -> Iterator[Found]:
    """The lines of the head that are dates, before the text begins."""
    for line in lines[:HEADER_LINES]:
        if is_heading_word(line.text) or (begins_section(line.text) and not is_date_line(line.text)):
            return
        if is_date_line(line.text) and (dates := list(find_dates(line.text, day_first=hebrew or None))):
            yield _found(dates[0].date, line.text, line)


def _found(date: dt.date, quote: str, line: Line) -> Found:
    return Found(date.isoformat(), quote, line.page)
