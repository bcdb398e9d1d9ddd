"""Full dates in Hebrew and English text, of both calendars; a month or a year alone is none."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator
from dataclasses import dataclass

from ingest.classify.rules.hebrew_calendar import HEBREW_DATE, read_hebrew_date

HEBREW_MONTHS = (
    "ינואר", "פברואר", "מרץ|מרס|מארס", "אפריל", "מאי", "יוני", "יולי",
    "אוגוסט", "ספטמבר", "אוקטובר", "נובמבר", "דצמבר",
)  # fmt: skip
ENGLISH_MONTHS = (
    "January|Jan", "February|Feb", "March|Mar", "April|Apr", "May", "June|Jun", "July|Jul",
    "August|Aug", "September|Sept|Sep", "October|Oct", "November|Nov", "December|Dec",
)  # fmt: skip
EARLIEST, LATEST = 1700, 2200

_MONTH_NUMBER = {
    name.lower(): number
    for months in (HEBREW_MONTHS, ENGLISH_MONTHS)
    for number, names in enumerate(months, 1)
    for name in names.split("|")
}
_HEBREW = "|".join(HEBREW_MONTHS)
_ENGLISH = "|".join(ENGLISH_MONTHS)
_DATE = re.compile(
    rf"""
    (?<![\d./])(?<![\dA-Za-z]-)(?:
        (?P<he_day>\d{{1,2}})\s+(?:ב|ל)?(?P<he_month>{_HEBREW})\s*,?\s+(?P<he_year>\d{{4}})
      | (?P<day_first>\d{{1,2}})(?:st|nd|rd|th)?(?:\s+day)?(?:\s+of)?\s+
        (?P<en_month>{_ENGLISH})\b\.?,?\s+(?P<en_year>\d{{4}})
      | \b(?P<us_month>{_ENGLISH})\b\.?\s+(?P<us_day>\d{{1,2}})(?:st|nd|rd|th)?,?\s+(?P<us_year>\d{{4}})
      | (?P<iso>\d{{4}}-\d{{2}}-\d{{2}})
      | (?P<first>\d{{1,2}})(?P<mark>[./-])(?P<second>\d{{1,2}})(?P=mark)(?P<year>\d{{4}})
    )(?![\d/-]|\.\d)
    """,
    re.VERBOSE | re.IGNORECASE,
)
_HEBREW_LETTER = re.compile("[א-ת]")
_BETWEEN = re.compile(r"[\s,(|/–—-]{1,4}")
"""What stands between a day of one calendar and the same day of the other."""


@dataclass(frozen=True, slots=True)
class FoundDate:
    """A date and where it stands in the text; a day that is printed in both calendars is one date."""

    date: dt.date
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Printed:
    """What is printed as a date; `date` is None where the calendar has no such day, or no year stands there."""

    date: dt.date | None
    start: int
    end: int
    hebrew: bool


def find_dates(text: str, *, day_first: bool | None = None) -> Iterator[FoundDate]:
    """The full dates of a text in order.

    `4/5/2020` is the fourth of May where the text is Hebrew (or `day_first` says so) and no date at all in English,
    where nobody can tell which of the two is the day. Of a day in both calendars the Gregorian one is believed:
    printers err more often in the Hebrew one.
    """
    if day_first is None:
        day_first = bool(_HEBREW_LETTER.search(text))
    waiting: _Printed | None = None
    for printed in sorted((*_gregorian(text, day_first=day_first), *_hebrew(text)), key=lambda one: one.start):
        if waiting and waiting.hebrew is not printed.hebrew and _BETWEEN.fullmatch(text, waiting.end, printed.start):
            gregorian, other = (waiting, printed) if printed.hebrew else (printed, waiting)
            waiting = _Printed(gregorian.date or other.date, waiting.start, printed.end, hebrew=False)
        else:
            yield from _full(waiting)
            waiting = printed
    yield from _full(waiting)


def _full(printed: _Printed | None) -> Iterator[FoundDate]:
    if printed and printed.date and EARLIEST <= printed.date.year <= LATEST:
        yield FoundDate(printed.date, printed.start, printed.end)


def _gregorian(text: str, *, day_first: bool) -> Iterator[_Printed]:
    for match in _DATE.finditer(text):
        yield _Printed(_date(match, day_first=day_first), *match.span(), hebrew=False)


def _hebrew(text: str) -> Iterator[_Printed]:
    """Days of the Hebrew calendar, also those without a year, which count only beside a Gregorian date."""
    for match in HEBREW_DATE.finditer(text):
        yield _Printed(read_hebrew_date(match), *match.span(), hebrew=True)


def _date(match: re.Match[str], *, day_first: bool) -> dt.date | None:
    try:
        if match["iso"]:
            return dt.date.fromisoformat(match["iso"])
        if match["he_day"]:
            return _named(match["he_year"], match["he_month"], match["he_day"])
        if match["day_first"]:
            return _named(match["en_year"], match["en_month"], match["day_first"])
        if match["us_day"]:
            return _named(match["us_year"], match["us_month"], match["us_day"])
        first, second = int(match["first"]), int(match["second"])
        if not day_first and match["mark"] != "." and first <= 12:
            if second <= 12 and first != second:
                return None
            first, second = second, first
        return dt.date(int(match["year"]), second, first)
    except ValueError:
        return None


def _named(year: str, month: str, day: str) -> dt.date:
    return dt.date(int(year), _MONTH_NUMBER[month.lower()], int(day))
