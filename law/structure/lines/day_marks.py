"""Marks that a consolidated text prints where a provision reads so only on some days: `(החל מיום 1.7.2021):`.

Of a mark without full dates, or with words that are not known, nothing is said.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, timedelta

from law.languages import LANGUAGES
from law.languages.dates import find_dates
from law.languages.protocol import DayMarkWords
from law.languages.scripts import either
from law.patterns import regex
from law.timeline import Period

_HINTS = [regex(language.day_marks.hints, re.I) for language in LANGUAGES if language.day_marks.hints]
_INSIDE = r"[^()\[\]]{0,200}(?:\([^()]{0,120}\)[^()\[\]]{0,120}){0,3}"  # of round brackets, with others in them
_OPENS = regex(r"[(\[]")
_MARK = regex(rf"(?:\((?P<round>{_INSIDE})\)|\[(?P<square>[^\[\]]{{1,250}})\])(?P<colon>[ \t]?:)?[ \t]*")
_SPACE = regex(r"\s+")
_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class DayMark:
    """A mark at characters of a line: its text reads so on these days.

    `replaces` says that what was printed before it ends where it begins. `is_closed` says that a colon or square
    brackets set it off from the text.
    """

    days: Period
    start: int
    end: int
    replaces: bool
    is_closed: bool


def find_marks(line: str) -> Iterator[DayMark]:
    """The marks of a line in order."""
    for found in _brackets(line):
        content = found["round"] or found["square"]
        read = _read(_SPACE.sub(" ", content).strip(" .:"))
        if read is not None:
            days, replaces = read
            is_closed = bool(found["colon"] or found["square"] or content.rstrip().endswith(":"))
            yield DayMark(days, *found.span(), replaces=replaces, is_closed=is_closed)


def _brackets(line: str) -> Iterator[re.Match[str]]:
    """What stands in brackets and begins as a mark does."""
    at = 0
    while opens := _OPENS.search(line, at):
        at = opens.end()
        if any(hint.match(line, at) for hint in _HINTS) and (found := _MARK.match(line, opens.start())):
            at = found.end()
            yield found


def is_mark(line: str) -> bool:
    """Whether the line is a mark and nothing else."""
    return line[:1] in ("(", "[") and any(not mark.start and not line[mark.end :] for mark in find_marks(line))


def _read(content: str) -> tuple[Period, bool] | None:
    """The days that the words of a mark name, and whether it replaces what was printed before it."""
    dates = list(find_dates(content))
    text = content
    for one in reversed(dates):
        text = f"{text[: one.start]}#{text[one.end :]}"
    if text.count(")") > text.count("("):  # that of a date in two calendars: `כ"א בתמוז התשפ"א (1 ביולי 2021)`
        text = text.replace("#)", "#", 1)
    for words, pattern in _FORMS if dates else ():
        if found := pattern.fullmatch(text):
            at = {name: dates[text.count("#", 0, found.end(name)) - 1].date for name in _DAYS if found[name]}
            period = _period(at, words.years[found["years"]] if found["lasts"] else 0)
            if period is not None:
                is_beside = found["beside"] or re.search(either([words.applies]), found["tail"] or "")
                return period, bool(period.begin and not period.end and not is_beside)
    return None


def _period(at: Mapping[str, date], years: int) -> Period | None:
    """The days between those that a mark names, or None where it names none, or they end before they begin."""
    begin = at.get("begins")
    end = at["ends_with"] + _DAY if "ends_with" in at else at.get("ends_before", at.get("ended"))
    if begin and not end and years:
        end = _years_later(begin, years)
    return None if (begin and end and end <= begin) or not (begin or end) else Period(begin, end)


def _years_later(day: date, years: int) -> date:
    try:
        return day.replace(year=day.year + years)
    except ValueError:  # the 29th of February
        return day.replace(year=day.year + years, month=3, day=1)


_DAYS = ("begins", "ends_with", "ends_before", "ended")


def _form(words: DayMarkWords) -> re.Pattern[str]:
    """What a mark says in one language, with a group for each day. Of what replaces nothing, the group `beside`."""
    lasts = words.lasts or "(?P<years>(?!))"
    days = (
        rf"(?:(?P<beside>{either([words.temporary, words.applies])}) ?)?(?:(?P<lasts>{lasts}) )?"
        rf"(?P<begins>{either([words.begins])})?[, ]{{0,2}}"
        rf"(?:(?P<ends_with>{either([words.ends_with])})|(?P<ends_before>{either([words.ends_before])}))?"
        "(?(begins)|(?(ends_with)|(?(ends_before)|(?!))))"  # one of them at least
    )
    return regex(rf"(?:(?P<ended>{either([words.ended])})|{days})(?P<tail> ?{either([words.tail])})?", re.I)


_FORMS = [(language.day_marks, _form(language.day_marks)) for language in LANGUAGES if language.day_marks.hints]
