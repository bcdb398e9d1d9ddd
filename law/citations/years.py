"""Whether a text and a title name acts of one year, in whichever of two calendars each of them gives it."""

from collections.abc import Sequence

from law.citations.titles import CALENDAR_MARKS, Title
from law.languages import LANGUAGES
from law.languages.scripts import either, language_of
from law.patterns import regex
from law.words.analysis import Term

MAX_YEAR_WORDS = 5
_NUMBER = regex(f"(?i:{either(language.citations.printed_number for language in LANGUAGES)}) ")
_LEAD = regex(either(language.citations.year_lead for language in LANGUAGES))
_A_YEAR = regex(r"1[5-9]\d\d|2[045]\d\d")  # of the common era or the Buddhist one


def year_beside(words: Sequence[Term]) -> tuple[str, str]:
    """The year right behind a name, of the common calendar and of the language's own: `71 of 2008`, `התש״ף–2020`."""
    text = f" {' '.join(term.word for term in words[:MAX_YEAR_WORDS])} "
    number = _NUMBER.match(text)
    rest = text[number.end() if number else 1 :]
    lead = _LEAD.match(rest)
    first, second, third, *_ = [*rest[lead.end() if lead else 0 :].split(), "", "", ""]
    if len(second) == 1 and language_of(second).calendar_years(first + second):  # an apostrophe written twice
        first, second = first + second, third
    calendar = CALENDAR_MARKS.sub("", first) if language_of(first).calendar_years(first) else ""
    year = second if calendar else first
    return (year if _A_YEAR.fullmatch(year) else ""), calendar


def of_one_year(title: Title, year: str, calendar: str) -> bool | None:
    """Whether the title is of that year, or None where one of the two is not dated.

    It is if one calendar says so: a year in the other may be misprinted.
    """
    pairs = [pair for pair in ((title.year, year), (title.calendar, calendar)) if all(pair)]
    if pairs:
        return any(one == other for one, other in pairs)
    if title.year and calendar:
        return int(title.year) in language_of(calendar).calendar_years(calendar)
    if title.calendar and year:
        return int(year) in language_of(title.calendar).calendar_years(title.calendar)
    return None


def is_misdated(title: Title, year: str, calendar: str) -> bool:
    """Whether a text gives the title's act a year in two calendars of which only one is the act's."""
    if not (year and calendar):
        return False
    return of_one_year(title, year, "") is not of_one_year(title, "", calendar)
