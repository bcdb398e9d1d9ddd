"""The classifying stage of one job: read the head of its file, ask the classifier, and send the job to review."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.conf import settings
from django.db import connection

from ingest.classify.choose import choose_classifier
from ingest.classify.head import read_head
from ingest.classify.proposal import ClassificationFailed, DocumentHead, RawProposal
from ingest.classify.slots import Slot, release, take_slot
from ingest.classify.suggestions import build
from ingest.classify.tries import ask
from ingest.jobs import transitions
from ingest.jobs.claims import WORKER, Heartbeat
from ingest.jobs.states import Arrow
from ingest.models import Job
from kb_project.processes import scratch
from sources import storage

log = logging.getLogger(__name__)

SLOT_POLL_S = 0.25
MOST_WARNINGS = 100


def classify(job: Job, heartbeat: Heartbeat) -> Job:
    """Take a claimed job in `processing/classifying` to `awaiting_review`. Returns the job.

    When the classifier fails, the suggestions are empty and the event has the reason. Raises
    `ExtractionFailed` when the file gives no text, `ClaimLost` when the job was taken away meanwhile, and whatever
    the storage or the database raise.
    """
    with scratch.directory("job") as directory, storage.local_copy(job.file_key) as path:
        head = read_head(
            path,
            directory / "pages.jsonl",
            filename=job.filename,
            topic=job.topic,
            on_page=lambda done: heartbeat.progress("reading", done),
        )
    suggestions, why = _suggest(job, head, heartbeat)
    heartbeat.check()
    return transitions.move(
        job.pk,
        Arrow.PROPOSE,
        by=WORKER,
        held_by=job.claim,
        why=why,
        ai_suggestions=suggestions,
        warnings=list(head.warnings[:MOST_WARNINGS]),
        claim="",
        heartbeat_at=None,
        progress_stage="",
    )


def _suggest(job: Job, head: DocumentHead, heartbeat: Heartbeat) -> tuple[dict[str, Any], str]:
    """The suggestions, and the sentence for the job's event."""
    if not head.text.strip():
        return {}, "The first pages have no text to classify."
    try:
        proposal = _ask(job, head, heartbeat)
    except ClassificationFailed as failure:
        heartbeat.check()  # a cancelled call is no failure of the classifier
        log.warning("Job %s was not classified: %s", job.pk, failure.reason)
        return {}, failure.reason
    suggestions = build(proposal, head)
    if not suggestions:
        return {}, "The classifier found nothing to propose."
    return suggestions, f"proposed by {suggestions['provider']} ({suggestions['model']})"


def _ask(job: Job, head: DocumentHead, heartbeat: Heartbeat) -> RawProposal:
    """Ask the classifier in a slot, without a database connection."""
    with _errors_as_failures(job):
        classifier = choose_classifier()  # before taking a slot: loading it may take seconds
    slot = _wait_for_slot(job, heartbeat)
    try:
        if not connection.in_atomic_block:
            connection.close()
        with _errors_as_failures(job):
            return ask(
                classifier,
                head,
                deadline_s=settings.KB_CLASSIFY_TIMEOUT_S,
                is_unwanted=lambda: heartbeat.is_lost,
            )
    finally:
        release(slot)


@contextmanager
def _errors_as_failures(job: Job) -> Iterator[None]:
    """Raise `ClassificationFailed` for any error, so that the job goes to review without suggestions."""
    try:
        yield
    except ClassificationFailed:
        raise
    except Exception as error:
        log.exception("The classifier failed on job %s", job.pk)
        raise ClassificationFailed(f"The classifier failed ({type(error).__name__}).", retryable=False) from error


def _wait_for_slot(job: Job, heartbeat: Heartbeat) -> Slot:
    """Wait for a slot, which is free at the latest when a lease ends."""
    while (slot := take_slot(job.claim)) is None:
        heartbeat.check()
        time.sleep(SLOT_POLL_S)
    return slot
