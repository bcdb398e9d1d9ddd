"""A provider that hangs or is away: single uploads do not wait for it, classifications wait as long as they may."""

import threading
from collections.abc import Callable
from subprocess import Popen

import pytest
from django.conf import settings

from ingest.jobs.claims import sweep
from ingest.models import Job
from kb_project.operations.local_stack.machine import free_port
from tests.anthropic_server import AnthropicServer
from tests.factories import LAW
from tests.journeys.client import Client
from tests.journeys.test_classifier_limits import MAX_CALLS, upload_laws
from tests.waiting import wait_until

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.deep]

THREADS = settings.KB_CLASSIFY_CONCURRENCY + settings.KB_WEBHOOK_SENDERS + settings.KB_CHECKERS  # of a classifier
AWAY_S = 15.0  # three times what the SDK tries for by itself; a third of the time of a classification
HANGS_S = 120.0


def test_a_hanging_provider_delays_no_upload(
    asgi_server: str, start_worker: Callable[..., Popen[bytes]], start_classifier: Callable[..., Popen[bytes]]
) -> None:
    client = Client(asgi_server)
    with AnthropicServer() as claude:
        claude.will_answer({"kind": "law"}, delay_s=HANGS_S)
        environment = {"ANTHROPIC_API_KEY": "only-for-tests", "ANTHROPIC_BASE_URL": claude.url}
        start_worker(concurrency=1, **environment)
        start_classifier(**environment)
        batch_id = upload_laws(client, "תקוע", count=40)
        wait_until(lambda: claude.at_once == MAX_CALLS)

        word = "פלמינגו"
        status, job = client.upload("single.txt", f"{LAW}\n4. {word}\n".encode())
        assert status == 202, job
        found = client.finished(job["job_id"], seconds=30)
        assert found["status"] == "done", found
        assert word in client.search(word, mode="lexical")[0]["text"]
        assert claude.at_once == MAX_CALLS, "the calls hung all the while"
        assert len(claude.requests) == MAX_CALLS
        counts = client.get(f"/admin/kb/batch/{batch_id}")[1]["counts"]
        assert counts["processing"] + counts["queued"] == 40
        assert MAX_CALLS <= counts["processing"] <= THREADS, "several may take the last place at once"

        held = Job.objects.filter(batch_id=batch_id, processing_stage="classifying").exclude(claim="")
        discarded = list(held.order_by("pk").values_list("pk", flat=True))
        for pk in discarded:
            assert client.post(f"/admin/kb/jobs/{pk}/discard")[0] == 200
        # Nothing but the end of those calls lets others begin before their time is up. A job that waited for a place
        # may have got one before it was discarded itself.
        wait_until(lambda: len(claude.requests) >= 2 * MAX_CALLS)
        assert len(claude.requests) <= len(discarded) + MAX_CALLS
        assert claude.most_at_once == MAX_CALLS


def test_a_provider_that_comes_back_classifies_the_batch(
    asgi_server: str, start_classifier: Callable[..., Popen[bytes]]
) -> None:
    client = Client(asgi_server)
    port = free_port()
    start_classifier(ANTHROPIC_API_KEY="only-for-tests", ANTHROPIC_BASE_URL=f"http://127.0.0.1:{port}")
    batch_id = upload_laws(client, "נעדר", count=8)
    held = Job.objects.filter(batch_id=batch_id, processing_stage="classifying").exclude(claim="")
    wait_until(lambda: held.count() >= MAX_CALLS)
    threading.Event().wait(AWAY_S)
    with AnthropicServer(port=port) as claude:
        claude.will_answer({"kind": "law"})

        def all_await_review() -> bool:
            sweep()
            return client.get(f"/admin/kb/batch/{batch_id}")[1]["counts"]["awaiting_review"] == 8

        wait_until(all_await_review)
        jobs = client.get(f"/admin/kb/batch/{batch_id}")[1]["jobs"]
        assert [job["ai_suggestions"].get("kind") for job in jobs] == ["law"] * 8
        assert {job["attempts"] for job in jobs} == {1}
