"""Metrics of answers, from their traces.

Traces are forgotten in time, so their figures are of the last hour, not totals.
"""

from collections.abc import Iterator
from datetime import timedelta

from django.db.models import Count, F, Func, IntegerField, Q, QuerySet, Sum, TextField, Value
from django.db.models.functions import Coalesce, NullIf
from django.utils import timezone
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.metrics_core import Metric

from answers.models import AnswerTrace
from kb_project.observability.metrics import register

HOUR = timedelta(hours=1)


def traces_since(age: timedelta) -> QuerySet[AnswerTrace]:
    return AnswerTrace.objects.filter(at__gte=timezone.now() - age)


def with_provider_error(traces: QuerySet[AnswerTrace]) -> QuerySet[AnswerTrace]:
    """Those in which the model's provider failed or refused, whether or not there was an answer all the same."""
    return traces.filter(Q(status=AnswerTrace.FAILED) | ~Q(error=""))


def read() -> Iterator[Metric]:
    recent = traces_since(HOUR).order_by()
    answers = GaugeMetricFamily("kb_answers_last_hour", "Questions, by how they ended.", labels=["provider", "status"])
    seconds = GaugeMetricFamily(
        "kb_answer_seconds_last_hour", "Time that those took, added up.", labels=["provider", "status"]
    )
    for provider, status, count, took_ms in recent.values_list("provider", "status").annotate(
        Count("pk"), Sum("took_ms")
    ):
        answers.add_metric([provider, status], count)
        seconds.add_metric([provider, status], took_ms / 1000)
    yield answers
    yield seconds
    counts = recent.aggregate(
        cited=_count("citations", "$[*]"),
        claims=_count("dropped", "$[*] ? (@.passage != null)"),
        sentences=_count("dropped", "$[*] ? (@.passage == null)"),
    )
    citations = GaugeMetricFamily("kb_citations_last_hour", "Citations, by what became of them.", labels=["outcome"])
    citations.add_metric(["kept"], counts["cited"] or 0)
    citations.add_metric(["dropped"], counts["claims"] or 0)
    yield citations
    removed = GaugeMetricFamily(
        "kb_answer_sentences_removed_last_hour", "Sentences left out of answers: they stated something without a quote."
    )
    removed.add_metric([], counts["sentences"] or 0)
    yield removed
    errors = GaugeMetricFamily(
        "kb_answer_provider_errors_last_hour", "Answers in which the provider failed or refused.", labels=["provider"]
    )
    first = Coalesce(NullIf("fallback_from", Value("", TextField())), "provider")
    for provider, count in with_provider_error(recent).values_list(first).annotate(Count("pk")):
        errors.add_metric([provider], count)
    yield errors
    fallbacks = GaugeMetricFamily(
        "kb_answer_fallbacks_last_hour", "Answers that another gave for a provider that failed.", labels=["from", "to"]
    )
    fell = recent.exclude(fallback_from="").values_list("fallback_from", "provider").annotate(Count("pk"))
    for provider, other, count in fell:
        fallbacks.add_metric([provider, other], count)
    yield fallbacks


def _count(column: str, path: str) -> Sum:
    """How many members of a JSON column there are at a path of SQL/JSON."""
    template = f"jsonb_array_length(jsonb_path_query_array(%(expressions)s, '{path}'))"
    return Sum(Func(F(column), template=template, output_field=IntegerField()))


register("answers", read)
