"""From which day to which a document as a whole is in force, and which others it ends, where it says so.

Silence is better than a wrong day: a clause with a condition, about one section, another act or a day that is yet to be
fixed is left. So is a document of which two clauses give two days.
"""

import datetime as dt
import re
from calendar import monthrange
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice

from law.languages import LANGUAGES
from law.languages.documents import ClauseWords
from law.metadata.head import FieldValue
from law.metadata.sentences import Sentence
from law.patterns import regex
from law.words.numerals import numeral_at

_MONTHS = {"month": 1, "year": 12}
_DAYS = {"day": 1, "week": 7}
_BETWEEN_WORDS = regex(r"[\s־-]+")
MAX_ENDINGS = 10
MAX_NAME_LENGTH = 300
_AROUND = " .,–—-:"


@dataclass(frozen=True, slots=True)
class InForce:
    """The first day on which the document is in force, and the first on which it is not any more, as it says them."""

    valid_from: FieldValue | None = None
    valid_to: FieldValue | None = None


def find_days(sentences: Sequence[Sentence], *, published: dt.date | None) -> InForce:
    """The days of a document that was published on a day, None where that is not known."""
    begins = _agreed(_told(sentences, _commencement, partial(_commencement_day, published=published)))
    begun = dt.date.fromisoformat(begins.value) if begins else None
    ends = _agreed(_told(sentences, _expiry, partial(_expiry_day, begun=begun, published=published)))
    return InForce(begins, ends if not (begins and ends and ends.value <= begins.value) else None)


def after(day: dt.date, count: int, unit: str) -> dt.date:
    """The day on which a period from a day ends: that day is not counted, months end on the day of the same number.

    A month without such a day ends the period on its last one. Raises `OverflowError` and `ValueError` far away.
    """
    if unit in _DAYS:
        return day + dt.timedelta(days=count * _DAYS[unit])
    year, month = divmod(day.year * 12 + day.month - 1 + count * _MONTHS[unit], 12)
    return dt.date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))


def _agreed(found: Iterable[FieldValue]) -> FieldValue | None:
    """The first clause, if all give the same day."""
    clauses = list(found)
    return clauses[0] if len({clause.value for clause in clauses}) == 1 else None


def _told(
    sentences: Sequence[Sentence],
    find: Callable[[ClauseWords, Sentence, Sentence | None], re.Match[str] | None],
    day_of: Callable[[re.Match[str], Sentence, ClauseWords], dt.date | None],
) -> Iterable[FieldValue]:
    """The days of clauses that depend on nothing. `find` is given the sentence before it, too."""
    for before, sentence in zip((None, *sentences), sentences, strict=False):
        for words in (language.clauses for language in LANGUAGES):
            match = find(words, sentence, before)
            if match is None or words.uncertain.search(sentence.masked, match.end()):
                continue
            if day := day_of(match, sentence, words):
                yield FieldValue(day.isoformat(), sentence.quote(match.end()), sentence.page)
                break


def _commencement(words: ClauseWords, sentence: Sentence, before: Sentence | None) -> re.Match[str] | None:
    match = words.commencement.match(sentence.masked)
    if match is None and before is not None and words.own_subject.match(before.masked):
        match = words.pronoun.match(sentence.masked)
    return match


def _expiry(words: ClauseWords, sentence: Sentence, before: Sentence | None) -> re.Match[str] | None:
    return words.expiry.search(sentence.masked) if words.own_subject.match(sentence.masked) else None


def _commencement_day(
    match: re.Match[str], sentence: Sentence, words: ClauseWords, *, published: dt.date | None
) -> dt.date | None:
    if match["day"]:
        return sentence.dates[match.start("day")].date
    if published is None:
        return None
    if match["publication"]:
        return published
    if match["ordinal"]:
        return after(published, words.ordinals[match["ordinal"].lower()], "day")
    if any(held for name, held in match.groupdict().items() if name.startswith("month_after")):
        published = after(published.replace(day=1), 1, "month")
    return _after_period(published, match, words)


def _expiry_day(
    match: re.Match[str], sentence: Sentence, words: ClauseWords, *, begun: dt.date | None, published: dt.date | None
) -> dt.date | None:
    """The first day on which the document is not in force.

    `Until 31 March` counts that day, and `until 1 April` is said of both: who means it is not known.
    """
    if match["first"]:
        return sentence.dates[match.start("first")].date
    for name, place in match.groupdict().items():
        if name.startswith("last") and place:
            last = sentence.dates[match.start(name)].date
            return last + dt.timedelta(days=1) if last.day > 1 else None
    start = published if match["published"] else begun
    return _after_period(start, match, words) if start else None


def _after_period(day: dt.date, match: re.Match[str], words: ClauseWords) -> dt.date | None:
    """The day so much later, or the day itself. None for what no calendar reaches."""
    if single := match.groupdict().get("single"):
        count, unit = words.singles[single]
    elif match["number"]:
        said = _BETWEEN_WORDS.split(match["number"].lower())
        count = int(next((found.value for at in range(len(said)) if (found := numeral_at(said, at))), 1))  # `a month`
        unit = words.units[match["unit"].lower()]
    else:
        return day
    try:
        end = after(day, count, unit)
        half = after(end, 6 if unit == "year" else 15, "month" if unit == "year" else "day")
        return half if match["half"] and unit in _MONTHS else end
    except (OverflowError, ValueError):
        return None


@dataclass(frozen=True, slots=True)
class Ending:
    """A document that is ended: what it is called here, the words that say so, and the day, where they say it.

    It is replaced when this one takes its place.
    """

    named: str
    replaced: bool
    day: dt.date | None
    quote: str
    page: int | None


def find_endings(sentences: Sequence[Sentence]) -> list[Ending]:
    """The first of them. What only ends a part of another document is left."""
    return list(islice(_endings(sentences), MAX_ENDINGS))


def _endings(sentences: Sequence[Sentence]) -> Iterator[Ending]:
    listing: ClauseWords | None = None
    heading: Sentence | None = None
    for sentence in sentences:
        if listing and heading and sentence.in_list and heading.page == sentence.page:
            match = listing.listed.fullmatch(sentence.masked)
            if match and (ending := _ending(sentence, match, listing)):
                yield ending
            listing = None if sentence.text.endswith(".") else listing  # the last item
            continue
        listing = None
        for words in (language.clauses for language in LANGUAGES):
            if words.list_heading.fullmatch(sentence.masked):
                listing, heading = words, sentence
            match = next((found for one in words.ends if (found := one.match(sentence.masked))), None)
            if match and (ending := _ending(sentence, match, words)):
                yield ending
                break


def _ending(sentence: Sentence, match: re.Match[str], words: ClauseWords) -> Ending | None:
    start, end = match.span("named")
    named = sentence.text[start:end].strip(_AROUND)
    if words.part.search(named) or len(named) > MAX_NAME_LENGTH:
        return None
    groups = match.groupdict()
    day = sentence.dates[match.start("day")].date if groups.get("day") else None
    replaced = any(held for name, held in groups.items() if name.startswith("replaces"))
    return Ending(named, replaced, day, sentence.quote(match.end()), sentence.page)
