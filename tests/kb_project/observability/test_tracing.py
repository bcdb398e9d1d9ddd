"""Spans: what they say and never say, how many there are, and that a collector in trouble costs nobody anything."""

import asyncio
import contextlib
import os
import socket
import time
from collections.abc import AsyncGenerator
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from pathlib import Path
from typing import Any

import pytest
from django.db import connection

from ingest.models import Job
from ingest.stages.run import run_job
from kb_project.errors import Conflict
from kb_project.observability import tracing
from kb_project.observability.logs import JsonLines, LineFormatter
from kb_project.observability.opentelemetry.recording import MAX_SPANS, MAX_STATEMENTS, MAX_VALUE_LENGTH
from kb_project.observability.opentelemetry.spans import client_context, named
from tests.collector import Collector, collecting, recording
from tests.factories import storages_away, upload_text
from tests.kb_project.observability.test_logs import record

TRACEPARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"


def test_a_span_says_whose_it_is_but_not_which_words(collector: Collector) -> None:
    def work() -> None:
        with contextlib.suppress(ValueError), tracing.span("inner"):
            raise ValueError("private")
        with tracing.start_span("beside", kind=tracing.CLIENT) as beside:
            beside.set({"kb.m": 2})
        raise Conflict("private", code="taken")

    with pytest.raises(Conflict), tracing.span("outer", {"kb.n": 1, "kb.long": "x" * 1000}):
        work()
    outer, inner = collector.named("outer"), collector.named("inner")
    assert (inner.parent, inner.trace, outer.parent) == (outer.id, outer.trace, "")
    assert (inner.is_failed, inner.attributes["error.type"]) == (True, "ValueError")
    assert (outer.is_failed, outer.attributes["error.type"]) == (True, "taken")
    assert len(outer.attributes["kb.long"]) == MAX_VALUE_LENGTH
    beside_sent = collector.named("beside")
    assert (beside_sent.kind, beside_sent.attributes, beside_sent.is_failed) == ("CLIENT", {"kb.m": 2}, False)
    assert (outer.service, collector.resources[0]["kb.process"]) == ("kb-tests", "tests")
    assert b"private" not in collector.sent


def test_a_trace_is_gone_on_with_from_a_row_and_linked_from_elsewhere(collector: Collector) -> None:
    with tracing.span("accepted"):
        kept = tracing.traceparent()
    assert kept is not None
    assert len(kept) == tracing.MAX_TRACEPARENT_LENGTH
    with tracing.span("later", parent=kept):
        tracing.link(kept)  # its own trace
    with tracing.span("decided"):
        tracing.link(kept)
        tracing.link("nonsense")
    for unreadable in ("", "nonsense", kept[:-10], "x" * 10_000):
        with tracing.span("unreadable", parent=unreadable):
            pass
    accepted, later, decided = (collector.named(name) for name in ("accepted", "later", "decided"))
    assert (later.trace, later.parent, later.links) == (accepted.trace, accepted.id, ())
    assert decided.trace != accepted.trace
    assert decided.links == (accepted.trace,)
    assert collector.named("unreadable").parent == ""


def test_items_are_made_inside_the_span_and_read_outside(collector: Collector) -> None:
    async def made() -> AsyncGenerator[int]:
        try:
            for number in range(3):
                with tracing.span("made"):
                    await asyncio.sleep(0)
                yield number
        finally:
            with tracing.span("closed"):
                pass

    async def read() -> None:
        with tracing.start_span("whole") as whole:
            items = tracing.inside(whole, made())
            async for _ in items:
                with tracing.span("read"):
                    break
            await items.aclose()

    asyncio.run(read())
    assert [collector.path(collector.named(name)) for name in ("made", "closed", "read")] == [
        ["whole", "made"],
        ["whole", "closed"],
        ["read"],
    ]


def test_of_one_request_only_so_many_spans_are_recorded(collector: Collector, db: None) -> None:
    with tracing.span("whole"), ThreadPoolExecutor(1) as pool:
        for _ in range(MAX_SPANS):
            with tracing.span("part"):
                pass
        pool.submit(copy_context().run, lambda: tracing.start_span("part").end()).result()
        with connection.cursor() as cursor:
            for number in range(MAX_STATEMENTS + 3):
                cursor.execute("SELECT %s FROM kb_topic", [number])
        with tracing.suppressed(), connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    whole = collector.named("whole")
    assert whole.attributes == {"kb.db.statements": MAX_STATEMENTS + 3, "kb.spans_left_out": 4}
    assert len(collector.trace(whole.trace)) == 1 + MAX_SPANS + MAX_STATEMENTS


@pytest.mark.parametrize(
    ("statement", "name"),
    [
        ('SELECT "kb_source"."id" FROM "kb_source" WHERE title = \'from kb_secret\'', "SELECT kb_source"),
        ("INSERT INTO kb_chunk (id) VALUES (%s)", "INSERT kb_chunk"),
        ('UPDATE "kb_ingest_job" SET "claim" = %s', "UPDATE kb_ingest_job"),
        ("DELETE FROM auth_user", "DELETE auth_user"),
        ("WITH a AS (SELECT 1) SELECT * FROM a JOIN kb_topic ON TRUE", "SELECT kb_topic"),
        ("SELECT id FROM kb_ingest_job FOR UPDATE SKIP LOCKED", "SELECT kb_ingest_job"),
        ("SELECT 'from people who asked'", "SELECT"),
        ("SAVEPOINT s1", None),
    ],
)
def test_a_statement_is_named_by_operation_and_table_alone(statement: str, name: str | None) -> None:
    found = named(statement)
    assert (found and found[0]) == name


def test_a_failing_job_and_its_retry_are_spans_of_one_trace(
    collector: Collector, transactional_db: None, tmp_path: Path, settings: Any
) -> None:
    with tracing.span("request"):
        job = upload_text(tmp_path, filename="private-name.txt")
    right, settings.STORAGES = settings.STORAGES, storages_away(settings)
    run_job(job.pk)
    settings.STORAGES = right
    assert Job.objects.filter(pk=job.pk).update(hinted_at=None)
    done = run_job(job.pk)
    assert done is not None
    assert done.status == "done"
    trace = collector.named("request").trace
    collector.named("publish document")
    tracing.stop()
    spans = [span for span in collector.trace(trace) if span.name == "index job"]
    assert [(span.is_failed, span.attributes.get("error.type")) for span in spans] == [
        (True, "storage_error"),
        (False, None),
    ]
    assert {span.kind for span in spans} == {"CONSUMER"}
    assert b"private-name" not in collector.sent


@pytest.mark.timeout(30)
@pytest.mark.parametrize("trouble", ["hangs", "fails", "is away"])
def test_a_collector_in_trouble_costs_nothing_but_the_spans(trouble: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening, collecting(status=500) as failing:
        url = f"http://127.0.0.1:{listening.getsockname()[1]}" if trouble != "fails" else failing.url
        if trouble == "is away":
            listening.close()
        with recording(url):
            for _ in range(20):  # far more than the queue holds
                with tracing.span("whole"):
                    for _ in range(150):
                        with tracing.span("part"):
                            pass
            recorder: Any = tracing._recorder
            assert len(recorder._processor._batch_processor._queue) <= 2048
            time.sleep(0.2)  # it tries to send
            tracing.stop()


def test_a_forked_process_records_spans_of_its_own(collector: Collector) -> None:
    with tracing.span("parent"):
        pid = os.fork()
        if pid == 0:
            tracing.start("child")
            with tracing.span("child"):
                pass
            tracing.stop()
            os._exit(0)
        assert os.waitpid(pid, 0)[1] == 0
    child = collector.named("child")
    assert (child.service, collector.named("parent").service) == ("kb-child", "kb-tests")
    assert [span.name for span in collector.spans].count("parent") == 1


def served(application: Any, path: str, headers: list[tuple[bytes, bytes]]) -> list[Any]:
    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    async def receive() -> Any:
        return {"type": "http.disconnect"}

    scope = {"type": "http", "method": "GET", "path": path, "headers": headers}
    asyncio.run(tracing.served(application)(scope, receive, send))
    return sent


def test_a_request_is_below_the_clients_span(collector: Collector) -> None:
    async def application(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 503})
        with tracing.span("last event"):
            await send({"type": "http.response.body"})

    assert len(served(application, "/kb/ask?private", [(b"traceparent", TRACEPARENT.encode())])) == 2
    request = collector.named("GET")
    assert (request.trace, request.parent, request.kind) == (*TRACEPARENT.split("-")[1:3], "SERVER")
    assert (request.is_failed, request.attributes["http.response.status_code"]) == (True, 503)
    assert collector.named("last event").end_ns <= request.end_ns
    for path in ("/healthz", "/readyz", "/metrics", "/static/kb/kb.css"):
        served(application, path, [])
    tracing.stop()
    assert [span.name for span in collector.spans].count("GET") == 1
    assert b"private" not in collector.sent


def test_what_a_client_says_of_its_trace_is_read_with_care() -> None:
    def trace_of(*headers: tuple[bytes, bytes]) -> str:
        from opentelemetry import baggage, trace

        context = client_context(list(headers))
        assert baggage.get_all(context) == {}
        return f"{trace.get_current_span(context).get_span_context().trace_id:032x}"

    none, sound = "0" * 32, (b"traceparent", TRACEPARENT.encode())
    assert trace_of(sound) == TRACEPARENT[3:35]
    assert trace_of(sound, (b"baggage", b"who=somebody")) == TRACEPARENT[3:35]
    assert trace_of(sound, (b"tracestate", b"a=" + b"b" * 10_000)) == TRACEPARENT[3:35]
    for unreadable in (b"", b"00-1-2-3", b"\xff" * 55, TRACEPARENT.encode() * 100):
        assert trace_of((b"traceparent", unreadable)) == none


def test_log_lines_carry_the_ids_of_the_span(collector: Collector) -> None:
    with tracing.span("whole"):
        ids = tracing.ids()
        lines = [form().format(record("done")) for form in (JsonLines, LineFormatter)]
    assert all(ids["trace_id"] in line and ids["span_id"] in line for line in lines)
    assert "trace_id" not in JsonLines().format(record("done"))
    assert collector.named("whole").trace == ids["trace_id"]
