"""The Hebrew calendar: reading a day such as `ט"ו בשבט התש"ט` and finding it in the Gregorian calendar."""

import datetime as dt
import re
from collections.abc import Iterator

from law.languages.hebrew.morphology import ALL_VALUES
from law.languages.protocol import CalendarDay
from law.patterns import regex

_GERESH, _GERSHAYIM = "['׳’]", "(?:[\"״”“]|['׳’]{2})"  # typed as one mark or as two
_DAYS = frozenset(
    [*"אבגדהוזחטיכל", "טו", "טז"]
    + [f"{ten}{unit}" for ten in "יכ" for unit in "אבגדהוזחט" if f"{ten}{unit}" not in {"יה", "יו"}]
)
_ADAR = "אדר"
_MONTHS = (
    "תשרי", "מר[־ -]?חשוו?ן|חשוו?ן", "כסלי?ו", "טבת", "שבט",
    rf"אדר (?:א{_GERESH}|ראשון)", rf"אדר(?: (?:ב{_GERESH}|שני))?",
    "ניסן", "איי?ר", "סיוו?ן", "תמוז", "(?:מנחם[־ -])?אב", "אלול",
)  # fmt: skip
_DAY_AND_MONTH = (
    rf"(?<![א-ת\"״])[בהלמו]?(?P<hebrew_day>[א-ל]{_GERESH}|[טיכ]{_GERSHAYIM}[א-ט])\s+(?:ב|ל)?"
    rf"(?:{'|'.join(f'(?P<hebrew_month_{number}>{names})' for number, names in enumerate(_MONTHS))})(?![א-ת])"
)
_YEAR = rf"(?P<hebrew_year>(?:ה{_GERESH}?)?ת[א-ת]{{0,3}}{_GERSHAYIM}[א-ת])(?![א-ת])"
_DATE = regex(rf"{_DAY_AND_MONTH}(?:\s*,?\s+(?:(?:ב?שנת)\s+)?{_YEAR})?")
"""A day and its month, and the year if one is printed."""

_YEAR_ALONE = regex(r"ה?(תש(?:ט[וז]|[יכלמנסעפצךםןףץ]?[א-ט]?))")
_BEGINS_BEFORE = 3_761  # years of the common calendar

_EPOCH = -1_373_427  # the proleptic Gregorian ordinal of the calendar's beginning
_HALAKIM_OF_A_DAY = 25_920


def find_days(text: str) -> Iterator[CalendarDay]:
    """The days of a text in order, also those without a year."""
    for match in _DATE.finditer(text):
        yield CalendarDay(_read(match), *match.span())


def _read(match: re.Match[str]) -> dt.date | None:
    """The day that a match of `_DATE` names, or None without a year, and where the calendar has no such day.

    `אדר` alone in a year that has two of them is nobody's day.
    """
    day = re.sub("[^א-ת]", "", match["hebrew_day"])
    if not match["hebrew_year"] or day not in _DAYS:
        return None
    year = 5000 + _value(re.sub("[^א-ת]|^ה", "", match["hebrew_year"]))
    month = next(number for number in range(len(_MONTHS)) if match[f"hebrew_month_{number}"])
    if len(match[f"hebrew_month_{month}"]) > len(_ADAR) and month in (5, 6) and not _is_leap(year):
        return None
    if match[f"hebrew_month_{month}"] == _ADAR and _is_leap(year):
        return None
    return date_of(year, month, _value(day))


def years_of(word: str) -> tuple[int, ...]:
    """The two years of the common calendar in which a year of this one lies, of a word without marks, or ()."""
    match = _YEAR_ALONE.fullmatch(word)
    if match is None:
        return ()
    first = 5000 + _value(match[1]) - _BEGINS_BEFORE
    return first, first + 1


def date_of(year: int, month: int, day: int) -> dt.date | None:
    """The Gregorian day. Months count from תשרי, 0, and אדר א׳ is 5 in every year, without days in most."""
    lengths = _month_lengths(year)
    if not 1 <= day <= lengths[month]:
        return None
    return dt.date.fromordinal(_new_year(year) + sum(lengths[:month]) + day - 1)


def _value(letters: str) -> int:
    return sum(ALL_VALUES[letter] for letter in letters)


def _is_leap(year: int) -> bool:
    return (7 * year + 1) % 19 < 7


def _month_lengths(year: int) -> tuple[int, ...]:
    days = _new_year(year + 1) - _new_year(year)
    heshvan, kislev = 29 + (days % 10 == 5), 30 - (days % 10 == 3)
    return (30, heshvan, kislev, 29, 30, 30 if _is_leap(year) else 0, 29, 30, 29, 30, 29, 30, 29)


def _new_year(year: int) -> int:
    """The ordinal of the first of תשרי, put off where the year before or after would get an impossible length."""
    before, this, after = (_molad_day(number) for number in (year - 1, year, year + 1))
    delay = 2 if after - this == 356 else int(this - before == 382)
    return _EPOCH + this + delay


def _molad_day(year: int) -> int:
    """Days from the beginning of the calendar to the year's first new moon, never a Sunday, Wednesday or Friday."""
    months = (235 * year - 234) // 19
    day = 29 * months + (12_084 + 13_753 * months) // _HALAKIM_OF_A_DAY
    return day + (3 * (day + 1) % 7 < 3)
