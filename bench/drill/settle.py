"""After the faults: everything is decided, comes to rest, and what failed is tried again."""

import random
import time
from collections import Counter
from typing import Any

import psycopg

from bench.client import ApiError
from bench.drill.act import Act
from bench.drill.people import Reviewer

REST_WITHIN_S = 240.0
DELETED_WITHIN_S = 150.0
UNDER_WAY = ("queued", "processing")
AN_HOUR_LATER = "UPDATE kb_file_deletion SET requested_at = now() - interval '5 minutes' WHERE requested_at > now()"
NOT_TO_RETRY = ("discarded", "source_deleted")


def settle(act: Act) -> Counter[str]:
    """Wait for rest, retry what failed once, wait again. Gives how many jobs had failed, by code, at first."""
    come_to_rest(act)
    failed = failed_jobs(act)
    for job in failed:
        if job["error"]["code"] in NOT_TO_RETRY:
            continue
        try:
            act.api.safe("POST", f"/admin/kb/jobs/{job['id']}/retry")
        except ApiError as refusal:
            if not (job["reindex"] and refusal.code == "wrong_state"):  # its source is being indexed again already
                act.ledger.complain(f"job {job['id']} ({job['filename']}) cannot be retried: {refusal}")
    come_to_rest(act)
    _wait_for_deletions(act)
    return Counter(job["error"]["code"] for job in failed)


def come_to_rest(act: Act) -> None:
    """Decide what awaits review until nothing is under way any more."""
    reviewer = Reviewer(act.api, ledger=act.ledger, topic_id=act.topic_id, files=act.files)
    chance = random.Random(1)
    ends = time.monotonic() + REST_WITHIN_S
    while True:
        waiting = reviewer.look(chance)
        under_way = [job for status in UNDER_WAY for job in act.api.pages("/admin/kb/jobs", status=status)]
        if not under_way and not waiting:
            return
        if time.monotonic() > ends:
            for job in under_way:
                act.ledger.complain(f"job {job['id']} ({job['filename']}) is still {job['status']}")
            return
        time.sleep(0.5)


def failed_jobs(act: Act) -> list[dict[str, Any]]:
    return act.api.pages("/admin/kb/jobs", topic_id=act.topic_id, status="failed")


def _wait_for_deletions(act: Act) -> None:
    """Until no stored file is to be deleted any more, neither what could not be, nor what nobody came to name."""
    ends = time.monotonic() + DELETED_WITHIN_S
    while time.monotonic() < ends:
        with psycopg.connect(act.stack.database_url, connect_timeout=10) as connection:
            connection.execute(AN_HOUR_LATER)
            (left,) = connection.execute("SELECT count(*) FROM kb_file_deletion").fetchone() or (0,)
        if not left:
            return
        time.sleep(1.0)
    act.ledger.complain(f"{left} files are still to be deleted after {DELETED_WITHIN_S:.0f} s")
