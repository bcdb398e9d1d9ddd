"""Full dates, of the Gregorian calendar and of the languages' own. A month or a year alone is none."""

import datetime as dt
import re
from collections.abc import Iterator
from dataclasses import dataclass

from law.languages import LANGUAGES
from law.languages.scripts import either, group, language_of, with_code
from law.patterns import regex

EARLIEST, LATEST = 1700, 2200
_MAX_LINES = 15  # from either end of a text, on which it gives its own day
_BESIDE = 40  # characters on such a line besides the day

MONTH_NUMBERS = {
    name.casefold(): number
    for language in LANGUAGES
    for number, names in enumerate(language.dates.months, 1)
    for name in names.split("|")
}
_IN_NUMBERS = r"(?P<first%s>\d{1,2})(?P<mark%s> ?[./] ?|-)(?P<second%s>\d{1,2})(?P=mark%s)(?P<year%s>\d{%s})"
_FORMS = (
    *(
        with_code(pattern, f"{language.code}{place}")
        for language in LANGUAGES
        for place, pattern in enumerate(language.dates.patterns)
    ),
    r"(?P<year_first>\d{4}-\d{2}-\d{2}|\d{4}/\d{1,2}/\d{1,2}|\d{4}\.\d{2}\.\d{2})",
    _IN_NUMBERS % (*[""] * 5, 4),
)
_ALONE = r"(?<![\d./])(?<![\dA-Za-z]-)%s(?![\d/-]|\.\d)"
_DATE = regex(_ALONE % either(_FORMS), re.IGNORECASE)
_DATE_OR_SHORT = regex(_ALONE % either((*_FORMS, _IN_NUMBERS % (*["_short"] * 5, 2))), re.IGNORECASE)
_BETWEEN = regex(r"[\s,(|/–—-]{1,4}")
"""What stands between a day of one calendar and the same day of the other."""


@dataclass(frozen=True, slots=True)
class DateMatch:
    """A date and where it stands in the text. A day that is printed in both calendars is one date.

    `is_short`: its year has two digits.
    """

    date: dt.date
    start: int
    end: int
    is_short: bool = False


@dataclass(frozen=True, slots=True)
class _PrintedDate:
    """What is printed as a date. `date` is None where the calendar has no such day, or no year stands there."""

    date: dt.date | None
    start: int
    end: int
    gregorian: bool
    is_short: bool = False


def find_dates(text: str, *, day_first: bool | None = None, short_years: bool = False) -> Iterator[DateMatch]:
    """The full dates of a text in order.

    `4/5/2020` is the fourth of May where the text's language says so (or `day_first`) and else no date at all: nobody
    can tell which of the two is the day. `4.5.20` may be the number of a rule: it is read with `short_years` alone, as
    a day of this century if that is not to come. Of a day in both calendars the Gregorian one is believed:
    printers err more often in the other one.
    """
    if day_first is None:
        day_first = language_of(text).dates.day_first
    # Those without a year, too, which count only beside a Gregorian date
    own = [_PrintedDate(*day, gregorian=False) for language in LANGUAGES for day in language.calendar_days(text)]
    waiting: _PrintedDate | None = None
    for printed in sorted(
        (*_gregorian(text, day_first=day_first, short_years=short_years), *own),
        key=lambda one: one.start,
    ):
        if (
            waiting
            and waiting.gregorian is not printed.gregorian
            and _BETWEEN.fullmatch(text, waiting.end, printed.start)
        ):
            gregorian, other = (waiting, printed) if waiting.gregorian else (printed, waiting)
            waiting = _PrintedDate(gregorian.date or other.date, waiting.start, printed.end, gregorian=True)
        else:
            yield from _full(waiting)
            waiting = printed
    yield from _full(waiting)


def _full(printed: _PrintedDate | None) -> Iterator[DateMatch]:
    if printed and printed.date and EARLIEST <= printed.date.year <= LATEST:
        yield DateMatch(printed.date, printed.start, printed.end, printed.is_short)


def _gregorian(text: str, *, day_first: bool, short_years: bool) -> Iterator[_PrintedDate]:
    for match in (_DATE_OR_SHORT if short_years else _DATE).finditer(text):
        is_short = short_years and bool(match["year_short"])
        date = _date(match, day_first=day_first, place="_short" if is_short else "")
        yield _PrintedDate(date, *match.span(), gregorian=True, is_short=is_short)


def _date(match: re.Match[str], *, day_first: bool, place: str = "") -> dt.date | None:
    try:
        if match["year_first"]:
            return dt.date(*map(int, re.split(r"\D", match["year_first"])))
        if month := group(match, "month"):
            return dt.date(int(group(match, "year")), MONTH_NUMBERS[month.casefold()], int(group(match, "day")))
        first, second = int(match[f"first{place}"]), int(match[f"second{place}"])
        if not day_first and "." not in match[f"mark{place}"] and first <= 12:
            if second <= 12 and first != second:
                return None
            first, second = second, first
        return dt.date(_year(match[f"year{place}"]), second, first)
    except ValueError:
        return None


def _year(digits: str) -> int:
    """The year. Of two digits that of this century, unless it is to come."""
    year, today = int(digits), dt.date.today().year
    if len(digits) > 2:
        return year
    year += today - today % 100
    return year if year <= today else year - 100


def day_of_text(text: str) -> dt.date | None:
    """The day on a line of its own at either end of a text. None where no line gives one, or lines give several."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    ends = lines if len(lines) <= 2 * _MAX_LINES else [*lines[:_MAX_LINES], *lines[-_MAX_LINES:]]
    days = set()
    for line in ends:
        for found in find_dates(line):
            if len(line) - (found.end - found.start) <= _BESIDE:
                days.add(found.date)
    return days.pop() if len(days) == 1 else None
