"""From which day to which a document as a whole is in force, where it says so of itself without a condition.

Silence is better than a wrong day: a clause about one section, another act or a day that is yet to be fixed is left.
So is a document of which two clauses give two days.
"""

import datetime as dt
import re
from calendar import monthrange
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from law.languages import LANGUAGES
from law.languages.clauses import ClauseWords
from law.metadata.head import FieldValue
from law.metadata.sentences import Sentence
from law.patterns import regex
from law.words.spelled_numbers import numeral_at

_MONTHS = {"month": 1, "year": 12}
_DAYS = {"day": 1, "week": 7}
_BETWEEN_WORDS = regex(r"[\s־-]+")


@dataclass(frozen=True, slots=True)
class InForce:
    """The first day on which the document is in force, and the first on which it is not any more, as it says them."""

    valid_from: FieldValue | None = None
    valid_to: FieldValue | None = None


def find_days(sentences: Sequence[Sentence], *, published: dt.date | None) -> InForce:
    """The days of a document that was published on a day, None where that is not known."""
    begins = _agreed(_commencements(sentences, published))
    begun = dt.date.fromisoformat(begins.value) if begins else None
    ends = _agreed(_expiries(sentences, begun=begun, published=published))
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


def _commencements(sentences: Sequence[Sentence], published: dt.date | None) -> Iterable[FieldValue]:
    before: Sentence | None = None
    for sentence in sentences:
        for language in LANGUAGES:
            words = language.clauses
            match = words.commencement.match(sentence.masked)
            if match is None and before is not None and words.own_subject.match(before.masked):
                match = words.pronoun.match(sentence.masked)
            if match is None or words.uncertain.search(sentence.masked, match.end()):
                continue
            day = _commencement_day(match, sentence, words, published)
            if day is not None:
                yield FieldValue(day.isoformat(), sentence.quote(match.end()), sentence.page)
                break
        before = sentence


def _commencement_day(
    match: re.Match[str], sentence: Sentence, words: ClauseWords, published: dt.date | None
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
    return _after_period(published, match, words) if _has_period(match) else published


def _expiries(
    sentences: Sequence[Sentence], *, begun: dt.date | None, published: dt.date | None
) -> Iterable[FieldValue]:
    for sentence in sentences:
        for language in LANGUAGES:
            words = language.clauses
            if not words.own_subject.match(sentence.masked):
                continue
            match = words.expiry.search(sentence.masked)
            if match is None or words.uncertain.search(sentence.masked, match.end()):
                continue
            day = _expiry_day(match, sentence, words, begun=begun, published=published)
            if day is not None:
                yield FieldValue(day.isoformat(), sentence.quote(match.end()), sentence.page)
                break


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
    count, unit = _period(match, words)
    try:
        end = after(day, count, unit)
        half = after(end, 6 if unit == "year" else 15, "month" if unit == "year" else "day")
        return half if match["half"] and unit in _MONTHS else end
    except (OverflowError, ValueError):
        return None


def _has_period(match: re.Match[str]) -> bool:
    return bool(match["number"] or ("single" in match.re.groupindex and match["single"]))


def _period(match: re.Match[str], words: ClauseWords) -> tuple[int, str]:
    if "single" in match.re.groupindex and match["single"]:
        return words.singles[match["single"]]
    said = _BETWEEN_WORDS.split(match["number"].lower())
    count = next((found.value for at in range(len(said)) if (found := numeral_at(said, at))), 1)  # `a month`
    return int(count), words.units[match["unit"].lower()]
