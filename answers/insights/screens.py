"""`/insights/`: what people search for and ask, and do not find, and what can be made of it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.utils.translation import gettext_lazy

from answers.checking.verdicts.findings import VERDICTS
from answers.insights import queries
from answers.insights.queries import Asked, WeekCounts
from answers.models import AnswerTrace
from kb_project.screens.access import StaffRequest, staff_may
from kb_project.screens.pictures import Picture, bars
from topics.models import Topic
from topics.scoping import narrowed, topics_to_choose, within_topics

MAX_NAME_LENGTH = 80  # characters of a question that a synonym or a label begins with


@dataclass(frozen=True, slots=True)
class InsightRow:
    """A row of a list, with the addresses of what one may do about it."""

    asked: Asked
    topic: Topic | None
    trace: AnswerTrace | None

    @property
    def is_question(self) -> bool:
        return self.asked.trace_id is not None

    @property
    def text(self) -> str:
        """Of a question as it was written the last time."""
        return self.trace.question if self.trace else self.asked.text

    @property
    def url(self) -> str:
        """How the question was answered the last time, or the search once more."""
        if self.trace:
            return reverse("insights-answer", args=[self.trace.answer_id])
        return f"{reverse('home')}?{urlencode({'q': self.text, 'topic': self._topic_id})}"

    @property
    def synonym(self) -> str:
        return f"{reverse('synonym-create')}?{urlencode({'words': self._name, 'topic': self._topic_id})}"

    @property
    def label(self) -> str:
        return f"{reverse('label-create')}?{urlencode({'name': self._name})}"

    @property
    def evaluation_question(self) -> str:
        """With what its answer cited, where it was one."""
        given = {"trace": str(self.trace.answer_id)} if self.trace else {"question": self.text}
        return f"{reverse('evaluation-create')}?{urlencode({**given, 'topic': self._topic_id})}"

    @property
    def _name(self) -> str:
        return self.text[:MAX_NAME_LENGTH]

    @property
    def _topic_id(self) -> int | str:
        return self.topic.pk if self.topic else ""


@staff_may(GET="answers.view_answertrace")
def insights(request: StaffRequest) -> HttpResponse:
    """The lists of a week, or of all days that something is kept of."""
    topics = {topic.pk: topic for topic in topics_to_choose(request)}
    topic = next((topic for topic in topics.values() if str(topic.pk) == request.GET.get("topic")), None)
    within = narrowed(request, topic)
    week = _day(request.GET.get("week", ""))
    period = queries.week_of(week, within) if week else queries.kept(within)
    weeks = queries.weeks(within)
    context = {
        "section": "insights",
        "topics": topics.values(),
        "topic": topic,
        "period": period,
        "week": period.first if week else None,
        "weeks": weeks,
        "picture": _picture(weeks),
        "without_results": _lines(queries.searches_without_results(period), topics),
        "refused": _lines(queries.refused_questions(period), topics),
        "most": _lines(queries.most_asked(period), topics),
        "verdicts": [
            (KINDS[one.kind], VERDICTS[one.kind](one.verdict).label, one) for one in queries.verdicts_given(period)
        ],
    }
    return render(request, "insights/insights.html", context)


KINDS = {
    "citations": gettext_lazy("Citation"),
    "quotations": gettext_lazy("Quotation"),
    "statements": gettext_lazy("Statement"),
}
OUTCOMES = {
    "answered": gettext_lazy("Answered"),
    "insufficient_evidence": gettext_lazy("No answer: the documents do not say it"),
    AnswerTrace.SHOWN: gettext_lazy("No answer: the nearest text was shown"),
    AnswerTrace.FAILED: gettext_lazy("It failed"),
    AnswerTrace.LEFT: gettext_lazy("Nobody waited for it"),
    AnswerTrace.TRUNCATED: gettext_lazy("Cut off at a limit"),
}


@staff_may(GET="answers.view_answertrace")
def answer(request: StaffRequest, answer_id: UUID) -> HttpResponse:
    """How one question was answered. Not by whom it was asked."""
    traces = within_topics(AnswerTrace.objects.select_related("topic", "feedback"), request)
    trace = get_object_or_404(traces, answer_id=answer_id)
    context = {
        "section": "insights",
        "trace": trace,
        "outcome": OUTCOMES.get(trace.status, trace.status),
        "feedback": getattr(trace, "feedback", None),
        "removed": [row for row in trace.dropped if row["passage"] is None],
        "seconds": trace.took_ms / 1000,
    }
    return render(request, "insights/answer.html", context)


def _picture(weeks: Sequence[WeekCounts]) -> Picture:
    """The questions by week, the oldest first: answered, and above them those that were not."""
    columns = {
        f"{one.begins.day}.{one.begins.month}": {"s2": one.questions - one.refused, "s1": one.refused}
        for one in reversed(weeks)
    }
    return bars(columns)


def _lines(found: Iterable[Asked], topics: dict[int, Topic]) -> list[InsightRow]:
    found = list(found)
    traces = AnswerTrace.objects.only("answer_id", "question").in_bulk([one.trace_id for one in found if one.trace_id])
    return [InsightRow(one, topics.get(one.topic_id or 0), traces.get(one.trace_id or 0)) for one in found]


def _day(text: str) -> date | None:
    """The day, if something may be kept of it."""
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return None
    return day if abs(timezone.localdate() - day) <= (queries.MAX_WEEKS + 1) * queries.WEEK else None
