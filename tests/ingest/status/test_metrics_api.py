"""`/metrics`: who may read it, and that its figures are those of the rows."""

from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.utils import timezone
from prometheus_client.parser import text_string_to_metric_families
from rest_framework.test import APIClient

from answers.models import AnswerTrace
from ingest.metrics import Moves
from ingest.models import Job, JobEvent
from ingest.stages.run import run_job
from kb_project.configuration.roles import REVIEWER
from kb_project.models import IntegrityRun
from search.retrieval import Scope, retrieve
from tests.factories import make_job, make_staff, make_topic, upload_text
from tests.topics.keys import client_with_key

pytestmark = pytest.mark.django_db
ELSEWHERE = {"REMOTE_ADDR": "10.1.2.3"}
Values = dict[tuple[str, frozenset[tuple[str, str]]], float]


def values_of(text: str) -> Values:
    return {
        (sample.name, frozenset(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def scraped() -> Values:
    answer = APIClient().get("/metrics")
    assert answer.status_code == 200
    return values_of(answer.content.decode())


def value(values: Values, name: str, **labels: str) -> float:
    return values[name, frozenset(labels.items())]


def in_session(**options: Any) -> APIClient:
    client = APIClient()
    client.force_login(make_staff(**options))
    return client


@pytest.mark.parametrize(
    ("caller", "status"),
    [
        (lambda: APIClient(), 403),
        (lambda: client_with_key(), 403),
        (lambda: client_with_key(admin=True, topic=make_topic()), 403),
        (lambda: client_with_key(admin=True), 200),
        (lambda: in_session(role=None), 403),
        (lambda: in_session(role=REVIEWER), 200),
    ],
)
def test_elsewhere_only_admin_keys_and_staff_may_read(caller: Any, status: int) -> None:
    answer = caller().get("/metrics", **ELSEWHERE)
    assert answer.status_code == status
    assert answer["Content-Type"].startswith("text/plain" if status == 200 else "application/problem+json")


@pytest.mark.parametrize("address", ["127.0.0.1", "127.8.9.1", "::1"])
def test_this_machine_may_read_without_a_key(address: str) -> None:
    assert APIClient().get("/metrics", REMOTE_ADDR=address).status_code == 200


@pytest.mark.parametrize("header", ["X-Forwarded-For", "Forwarded", "X-Real-IP", "Via"])
def test_what_a_proxy_of_this_machine_passes_on_is_not_this_machine(header: str) -> None:
    assert APIClient().get("/metrics", headers={header: "10.1.2.3"}).status_code == 403


@pytest.mark.parametrize("address", ["", "nowhere", "128.0.0.1", "::ffff:10.0.0.1"])
def test_an_address_that_is_not_loopback_is_refused(address: str) -> None:
    assert APIClient().get("/metrics", REMOTE_ADDR=address).status_code == 403


def test_a_key_from_this_machine_counts_as_that_key() -> None:
    assert client_with_key().get("/metrics").status_code == 403


def test_queue_is_counted_by_state_with_the_time_of_the_oldest() -> None:
    for minutes in (10, 2):
        job = make_job()
        event = JobEvent.objects.create(job=job, to_state="queued", by="test")
        JobEvent.objects.filter(pk=event.pk).update(at=timezone.now() - timedelta(minutes=minutes))
    make_job(status="failed", error_code="corrupt", content_sha256="")
    values = scraped()
    assert value(values, "kb_jobs", state="queued") == 2
    assert value(values, "kb_jobs", state="awaiting_review") == 0
    assert value(values, "kb_job_oldest_age_seconds", state="queued") == pytest.approx(600, abs=60)
    assert ("kb_job_oldest_age_seconds", frozenset({("state", "failed")})) not in values
    assert value(values, "kb_jobs_failed", code="corrupt") == 1


def test_the_time_in_each_state_comes_from_the_events_and_is_counted_once() -> None:
    def event(job: Job, left: str, entered: str, second: int) -> None:
        made = JobEvent.objects.create(job=job, from_state=left, to_state=entered, by="test")
        JobEvent.objects.filter(pk=made.pk).update(at=start + timedelta(seconds=second))

    start = timezone.now() - timedelta(hours=1)
    moves = Moves()
    job = make_job(ai_suggestions={"provider": "rules"})
    event(job, "", "queued", 0)
    event(job, "queued", "processing/classifying", 20)
    event(job, "processing/classifying", "awaiting_review", 23)
    first = samples(moves)
    event(job, "awaiting_review", "processing/embedding", 100)
    event(job, "processing/embedding", "done", 107)
    second = samples(moves)
    assert value(first, "kb_job_state_seconds_sum", state="queued") == 20
    assert value(first, "kb_job_state_seconds_bucket", state="processing/classifying", le="2.5") == 0
    assert value(first, "kb_job_state_seconds_bucket", state="processing/classifying", le="5.0") == 1
    assert value(first, "kb_classifications_total", provider="rules") == 1
    assert value(second, "kb_job_state_seconds_sum", state="processing/embedding") == 7
    assert value(second, "kb_job_state_seconds_count", state="queued") == 1
    assert second == samples(moves) == samples(Moves())


def test_a_scrape_counts_so_many_events_and_tells_none_before_it_has_all() -> None:
    job = make_job()
    for _ in range(5):
        made = JobEvent.objects.create(job=job, to_state="queued", by="test")
    before = made.pk - 5  # the events of other tests took numbers
    moves = Moves(settled_after_s=0, step=(before + 5) // 2, steps=1)
    assert [len(list(moves.read())) > 0 for _ in range(4)] == [False, False, True, True]
    assert samples(moves) == samples(Moves(settled_after_s=0))
    assert value(samples(moves), "kb_job_moves_total", **{"from": "", "to": "queued"}) == 5


def test_an_event_that_is_only_just_written_is_counted_at_a_later_scrape() -> None:
    JobEvent.objects.create(job=make_job(), to_state="queued", by="test")
    assert samples(Moves()) == {}
    moved = samples(Moves(settled_after_s=0))
    assert value(moved, "kb_job_moves_total", **{"from": "", "to": "queued"}) == 1


def test_answers_and_dropped_citations_come_from_the_traces_of_the_last_hour() -> None:
    common = {"by": "x", "question": "q", "provider": "anthropic", "model": "m", "retrieval_ms": 5}
    dropped = [{"passage": -1, "quote": "a"}, {"passage": None, "quote": "b"}, {"passage": None, "quote": "c"}]
    AnswerTrace.objects.create(**common, status="answered", took_ms=1500, citations=[{}, {}], dropped=dropped)
    AnswerTrace.objects.create(**common, status="failed", took_ms=500, error="overloaded")
    old = AnswerTrace.objects.create(**common, status="answered", took_ms=1000, dropped=dropped)
    AnswerTrace.objects.filter(pk=old.pk).update(at=timezone.now() - timedelta(hours=2))
    values = scraped()
    assert value(values, "kb_answers_last_hour", provider="anthropic", status="answered") == 1
    assert value(values, "kb_answer_seconds_last_hour", provider="anthropic", status="answered") == 1.5
    assert value(values, "kb_citations_last_hour", outcome="kept") == 2
    assert value(values, "kb_citations_last_hour", outcome="dropped") == 1
    assert value(values, "kb_answer_sentences_removed_last_hour") == 2
    assert value(values, "kb_answer_provider_errors_last_hour", provider="anthropic") == 1


def test_requests_searches_and_the_last_integrity_run_are_there() -> None:
    now = timezone.now()
    result = {"name": "x", "remaining": 3, "error": ""}
    IntegrityRun.objects.create(started_at=now, finished_at=now, by="beat", results=[result])
    before = scraped()
    APIClient().get("/healthz")
    retrieve("פיקדון", scope=Scope(topic_id=1))
    after = scraped()
    counted = {"route": "healthz", "method": "GET", "status": "200"}
    assert (
        value(after, "kb_http_requests_total", **counted)
        - before.get(("kb_http_requests_total", frozenset(counted.items())), 0)
        == 1
    )
    assert value(after, "kb_search_duration_seconds_count", mode="hybrid") >= 1
    assert value(after, "kb_integrity_findings") == 3
    assert value(after, "kb_metrics_unreadable") == 0


def test_a_path_that_does_not_exist_makes_no_series_of_its_own() -> None:
    for _ in range(3):
        APIClient().get(f"/{uuid4()}")
    routes = {dict(labels)["route"] for name, labels in scraped() if name == "kb_http_requests_total"}
    assert "none" in routes
    assert not [route for route in routes if "-" in route and len(route) > 32]


@pytest.mark.django_db(transaction=True)
def test_a_table_that_cannot_be_read_costs_only_its_own_figures(tmp_path: Path) -> None:
    run_job(upload_text(tmp_path).pk)
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE kb_answer_trace RENAME TO kb_answer_trace_away")
    try:
        values = scraped()
    finally:
        with connection.cursor() as cursor:
            cursor.execute("ALTER TABLE kb_answer_trace_away RENAME TO kb_answer_trace")
    assert value(values, "kb_metrics_unreadable") == 1
    assert value(values, "kb_jobs", state="done") == 1


def samples(moves: Moves) -> Values:
    return {
        (sample.name, frozenset(sample.labels.items())): sample.value
        for family in moves.read()
        for sample in family.samples
    }
