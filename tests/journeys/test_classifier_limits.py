"""The limits of asking Claude hold over several workers, also when calls hang and a worker is killed."""

import os
import signal
from collections.abc import Callable
from subprocess import Popen
from typing import Any

import pytest
from django.db import connection

from ingest.jobs.claims import sweep
from tests.anthropic_server import AnthropicServer
from tests.factories import LAW
from tests.journeys.client import Client
from tests.waiting import wait_until

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.deep]

WORKERS, MAX_CALLS = 3, 5
DEADLINE_S = 4.0  # of a call, here
TAKES_S = 0.7
HANGS_S = 60.0
PROPOSED = {"kind": "law", "title": "חוק הספריות הציבוריות לדוגמה", "labels": [], "evidence": []}


def upload_laws(client: Client, name: str, *, count: int) -> str:
    """Upload that many different laws as one batch, whose id is returned."""
    files = [(f"{name}{number}.txt", f"{LAW}\n4. תחולה\n{name} {number}\n".encode()) for number in range(count)]
    status, taken = client.upload_batch(files)
    assert status == 202, taken
    return str(taken["batch_id"])


def classified(client: Client, batch_id: str) -> list[dict[str, Any]]:
    """The jobs of the batch once all of them await review."""

    def jobs() -> list[dict[str, Any]] | None:
        sweep()  # the test has no beat
        found = client.get(f"/admin/kb/batch/{batch_id}")[1]["jobs"]
        return found if all(job["status"] == "awaiting_review" for job in found) else None

    return wait_until(jobs)


def slots_held() -> list[int]:
    """The process ids of those that hold a slot now."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT split_part(holder, ':', 2)::int FROM kb_classify_slot WHERE expires_at > now()")
        return [pid for (pid,) in cursor.fetchall()]


def test_at_most_five_calls_run_and_dead_ones_free_their_slot(
    asgi_server: str, start_classifier: Callable[..., Popen[bytes]], settings: Any
) -> None:
    settings.KB_HINT_AGAIN_AFTER_S = 1.0  # hints that a killed worker had taken are lost
    client = Client(asgi_server)
    with AnthropicServer() as claude:
        environment = {
            "ANTHROPIC_API_KEY": "only-for-tests",
            "ANTHROPIC_BASE_URL": claude.url,
            "KB_CLASSIFY_TIMEOUT_S": str(DEADLINE_S),
            "KB_CLASSIFY_CONCURRENCY": str(MAX_CALLS),
            "KB_HEARTBEAT_S": "0.2",
        }
        workers = {worker.pid: worker for worker in [start_classifier(**environment) for _ in range(WORKERS)]}

        claude.will_answer(PROPOSED, delay_s=TAKES_S)
        jobs = classified(client, upload_laws(client, "רגיל", count=20))
        assert [job["ai_suggestions"].get("provider") for job in jobs] == ["anthropic"] * 20
        assert {job["attempts"] for job in jobs} == {1}
        assert len(claude.requests) == 20
        assert claude.most_at_once == MAX_CALLS

        claude.forget_promises()
        claude.will_answer(PROPOSED, delay_s=HANGS_S)
        batch_id = upload_laws(client, "תקוע", count=12)
        wait_until(lambda: claude.at_once == MAX_CALLS)
        claude.forget_promises()
        claude.will_answer(PROPOSED, delay_s=TAKES_S)
        holders = slots_held()
        victim = workers[max(holders, key=holders.count)]
        os.kill(victim.pid, signal.SIGKILL)
        victim.wait(60)
        jobs = classified(client, batch_id)
        taken_over = [job for job in jobs if job["attempts"] > 1]
        assert len(taken_over) >= holders.count(victim.pid)
        assert all(job["ai_suggestions"] for job in taken_over), "another worker asked again"
        hung = [job for job in jobs if not job["ai_suggestions"]]
        assert hung
        for job in hung:
            why = client.get(f"/admin/kb/jobs/{job['id']}")[1]["events"][-1]["why"]
            assert why == f"classifier_away: The model gave no answer within {DEADLINE_S:g} seconds."

        wait_until(lambda: victim.pid not in slots_held())
        assert claude.most_at_once == MAX_CALLS, "no slot was given away while its call ran"
        claude.most_at_once = 0

        def use_slots() -> bool:
            classified(client, upload_laws(client, "חוזר", count=10))
            return claude.most_at_once >= MAX_CALLS

        wait_until(use_slots, within_s=180)
        assert claude.most_at_once == MAX_CALLS, "all slots are in use again"
