"""The lists of `/insights/`: of a topic or of all, between two days."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Any

from django.conf import settings
from django.utils import timezone

from kb_project.database.rows import fetch
from topics.access import Topics

MAX_LINES = 15  # of a list
MAX_WEEKS = 12
MAX_TRACES = 20_000  # that are read, the newest
WEEK = timedelta(days=7)


@dataclass(frozen=True, slots=True)
class Asked:
    """Words that were searched for, or a question. `trace_id` is that of its last answer, None for a search."""

    text: str
    topic_id: int | None
    times: int
    missed: int
    trace_id: int | None = None


@dataclass(frozen=True, slots=True)
class WeekCounts:
    """What was asked in the week that begins on a Monday, and how often nothing was found or the answer was refused."""

    begins: date
    searches: int
    without_results: int
    questions: int
    refused: int

    @property
    def ends(self) -> date:
        return self.begins + WEEK - timedelta(days=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class InsightsPeriod:
    """Days from `first` to `last`, both included, of topics or, with None, of all."""

    first: date
    last: date
    topics: Topics

    @property
    def parameters(self) -> dict[str, Any]:
        return {
            "first": self.first,
            "last": self.last,
            "since": _midnight(self.first),
            "until": _midnight(self.last + timedelta(days=1)),
            "topics": None if self.topics is None else sorted(self.topics),
            "most": MAX_LINES,
            "most_traces": MAX_TRACES,
        }


def kept(topics: Topics) -> InsightsPeriod:
    """All days that something is kept of, at most `MAX_WEEKS`."""
    today = timezone.localdate()
    days = min(settings.KB_TRACE_DAYS, MAX_WEEKS * WEEK.days)
    return InsightsPeriod(first=today - timedelta(days=days), last=today, topics=topics)


def week_of(begins: date, topics: Topics) -> InsightsPeriod:
    """The week that the day is in."""
    monday = begins - timedelta(days=begins.weekday())
    return InsightsPeriod(first=monday, last=monday + WEEK - timedelta(days=1), topics=topics)


_OF_TOPIC = "(%(topics)s::bigint[] IS NULL OR topic_id = ANY(%(topics)s::bigint[]))"
# Signs alone (`***`, `%`) are no words that a synonym, a label or a document could be found for.
_HAS_WORDS = "{} ~ '[[:alnum:]]'"
_SEARCHES = f"""
SELECT query, topic_id, sum(searches), sum(unanswered) FROM kb_search_count
WHERE day BETWEEN %(first)s AND %(last)s AND {_OF_TOPIC} AND {_HAS_WORDS.format("query")} GROUP BY query, topic_id
"""
# What one writes differently in spaces and capitals is one question.
_QUESTIONS = f"""
SELECT lower(regexp_replace(btrim(question), '\\s+', ' ', 'g')), topic_id, count(*),
    count(*) FILTER (WHERE status = 'insufficient_evidence'), max(id)
FROM (
    SELECT id, question, topic_id, status FROM kb_answer_trace
    WHERE at >= %(since)s AND at < %(until)s AND {_OF_TOPIC} AND {_HAS_WORDS.format("question")}
    ORDER BY at DESC LIMIT %(most_traces)s
) AS recent GROUP BY 1, topic_id
"""
_MISSED = " HAVING {} > 0 ORDER BY 4 DESC, 3 DESC, 1 LIMIT %(most)s"
_LIMITED = " ORDER BY 3 DESC, 1 LIMIT %(most)s"


def searches_without_results(period: InsightsPeriod) -> list[Asked]:
    return _asked(_SEARCHES + _MISSED.format("sum(unanswered)"), period)


def refused_questions(period: InsightsPeriod) -> list[Asked]:
    return _asked(_QUESTIONS + _MISSED.format("count(*) FILTER (WHERE status = 'insufficient_evidence')"), period)


def most_asked(period: InsightsPeriod) -> list[Asked]:
    """Searches and questions, the most frequent first."""
    found = [*_asked(_SEARCHES + _LIMITED, period), *_asked(_QUESTIONS + _LIMITED, period)]
    return sorted(found, key=lambda one: (-one.times, one.text))[:MAX_LINES]


def _asked(sql: str, period: InsightsPeriod) -> list[Asked]:
    """The rows of a statement over the period, in its order."""
    return [Asked(*row) for row in fetch(sql, period.parameters)]


@dataclass(frozen=True, slots=True)
class VerdictsGiven:
    """How often checks of texts gave a verdict, and how often a person overruled it with a remark."""

    kind: str
    verdict: str
    findings: int
    overruled: int

    @property
    def percent(self) -> float:
        """Of the findings that were overruled."""
        return 100 * self.overruled / self.findings if self.findings else 0.0


_VERDICTS = f"""
SELECT kind, verdict, sum(findings), sum(overruled) FROM kb_verdict_count
WHERE day BETWEEN %(first)s AND %(last)s AND {_OF_TOPIC} GROUP BY kind, verdict ORDER BY 1, 4 DESC, 3 DESC, 2
"""


def verdicts_given(period: InsightsPeriod) -> list[VerdictsGiven]:
    """By the kind of finding, what was overruled most first."""
    return [VerdictsGiven(*row) for row in fetch(_VERDICTS, period.parameters)]


_WEEKS_OF_SEARCHES = f"""
SELECT date_trunc('week', day)::date, sum(searches), sum(unanswered) FROM kb_search_count
WHERE day BETWEEN %(first)s AND %(last)s AND {_OF_TOPIC} GROUP BY 1
"""
_WEEKS_OF_QUESTIONS = f"""
SELECT date_trunc('week', at AT TIME ZONE %(time_zone)s)::date, count(*),
    count(*) FILTER (WHERE status = 'insufficient_evidence')
FROM kb_answer_trace WHERE at >= %(since)s AND at < %(until)s AND {_OF_TOPIC} GROUP BY 1
"""


def weeks(topics: Topics) -> list[WeekCounts]:
    """The weeks in which something was asked, the newest first."""
    parameters = {**kept(topics).parameters, "time_zone": settings.TIME_ZONE}
    searches = _by_week(fetch(_WEEKS_OF_SEARCHES, parameters))
    questions = _by_week(fetch(_WEEKS_OF_QUESTIONS, parameters))
    return [
        WeekCounts(begins, *searches.get(begins, (0, 0)), *questions.get(begins, (0, 0)))
        for begins in sorted({*searches, *questions}, reverse=True)
    ]


def _by_week(rows: Sequence[Sequence[Any]]) -> dict[date, tuple[int, int]]:
    return {begins: (times, missed) for begins, times, missed in rows}


def _midnight(day: date) -> datetime:
    return timezone.make_aware(datetime.combine(day, time()))
