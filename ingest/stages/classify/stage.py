"""The classifying stage of one job: read the head of its file, ask the classifier, and send the job to review."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.db import connection, transaction

from ingest.job_states import Transition
from ingest.jobs import transitions
from ingest.jobs.claims import WORKER, Heartbeat
from ingest.models import Job
from ingest.similar import finding
from ingest.stages.classify.model_classifier import ModelClassifier
from ingest.stages.classify.proposal import (
    FELL_BACK,
    NO_PROPOSAL,
    NO_TEXT,
    ClassificationFailed,
    Classifier,
    RawProposal,
    cancelled,
    head_of,
    head_only,
    read_beginning,
)
from ingest.stages.classify.provider_slots import Slot, acquire_slot, release
from ingest.stages.classify.rules_classifier import RulesClassifier
from ingest.stages.classify.suggestions import build
from ingest.stages.extract import lost_of, stored_lost, survey
from kb_project.llm.chain import links
from kb_project.llm.roles import CLASSIFICATION, is_paid
from kb_project.processes import scratch
from law.chunking import numbering_of
from law.metadata.head import DocumentHead
from sources.files import storage

log = logging.getLogger(__name__)

MAX_WARNINGS = 100
LOOK_EVERY_S = 0.25  # at a slot, or whether the proposal is still wanted
FIRST_PAUSE_S, MAX_PAUSE_S = 1.0, 8.0


def classify(job: Job, heartbeat: Heartbeat) -> Job:
    """Take a claimed job in `processing/classifying` to `awaiting_review`. Returns the job.

    When the classifier fails, the job keeps the suggestions that it has, which are none the first time, and its error
    has the reason. Raises `ExtractionFailed` when the file gives no text, `ClaimLost` when the job was taken away
    meanwhile, and whatever the storage or the database raise.
    """
    with scratch.directory("job") as directory, storage.local_copy(job.file_key) as path:
        read = read_beginning(
            path,
            directory / "pages.jsonl",
            filename=job.filename,
            on_page=lambda done: heartbeat.progress("reading", done),
        )
        head = head_of(read, filename=job.filename, topic=job.topic)
        surveyed = survey(path, directory / "survey.json", filename=job.filename)
    result = _suggest(job, head, heartbeat)
    heartbeat.check()
    suggestions = result.suggestions or job.ai_suggestions or {}
    numbering = numbering_of(read, kind=suggestions.get("kind") or job.kind)
    sources = finding.similar_sources(job, head.text, title=suggestions.get("title") or "")
    with transaction.atomic():
        finding.lock_topic_comparison(job.topic_id)
        proposed = transitions.transition(
            job.pk,
            Transition.PROPOSE,
            by=WORKER,
            held_by=job.claim,
            why=result.why,
            ai_suggestions=suggestions,
            error_code=result.code,
            error_message=result.error,
            warnings=[*head.warnings, *surveyed.warnings, *head_only(head, pages=surveyed.pages)][:MAX_WARNINGS],
            unread_pages=surveyed.unread,
            numbering=numbering.as_json() if numbering else None,
            lost=stored_lost(lost_of(read)),
            claim="",
            heartbeat_at=None,
            progress_stage="",
        )
        finding.save_similar(proposed, head.text, sources=sources)
    return proposed


@dataclass(frozen=True, slots=True)
class Classification:
    """The suggestions, if any, and what the job's event says: where there are none, it begins with the code.

    `code` and `error` say why there is no proposal, or none of the first classifier.
    """

    suggestions: dict[str, Any]
    why: str
    code: str = ""
    error: str = ""

    @classmethod
    def none(cls, error: str, *, code: str) -> Classification:
        return cls({}, f"{code}: {error}", code, error)


def _suggest(job: Job, head: DocumentHead, heartbeat: Heartbeat) -> Classification:
    if not head.text.strip():
        return Classification.none("The first pages have no text to classify.", code=NO_TEXT)
    try:
        proposal, fell = _ask(job, head, heartbeat)
    except ClassificationFailed as failure:
        heartbeat.check()  # a cancelled call is no failure of the classifier
        log.warning("Job %s was not classified: %s", job.pk, failure.reason)
        return Classification.none(failure.reason, code=failure.code)
    suggestions = build(proposal, head)
    if not suggestions:
        return Classification.none("The classifier found nothing to propose.", code=NO_PROPOSAL)
    why = f"proposed by {suggestions['provider']} ({suggestions['model']})"
    if not fell:
        return Classification(suggestions, why)
    reasons = " ".join(fell)
    error = f"What is proposed comes from the next classifier. {reasons}"
    return Classification(suggestions, f"{why} {reasons}", code=FELL_BACK, error=error)


def _ask(job: Job, head: DocumentHead, heartbeat: Heartbeat) -> tuple[RawProposal, list[str]]:
    """Ask the classifiers in a slot, without a database connection. Also why those before the last one failed."""
    with _errors_as_failures(job):
        classifiers = configured_classifiers()  # before taking a slot: loading it may take seconds
    slot = _wait_for_slot(job, heartbeat)
    try:
        if not connection.in_atomic_block:
            connection.close()
        with _errors_as_failures(job):
            return first_proposal(
                classifiers,
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
    while (slot := acquire_slot(job.claim)) is None:
        heartbeat.check()
        time.sleep(LOOK_EVERY_S)
    return slot


def first_proposal(
    classifiers: Sequence[Classifier], document: DocumentHead, *, deadline_s: float, is_unwanted: Callable[[], bool]
) -> tuple[RawProposal, list[str]]:
    """The proposal of the first classifier that makes one, and a sentence for each that failed before it.

    Those that are paid share what is left of the time evenly. Raises `ClassificationFailed` when the last one fails, or
    the call is cancelled.
    """
    fell: list[str] = []
    for link in links(classifiers, within_s=deadline_s, waits=lambda one: is_paid(one.provider)):
        classifier = link.asked
        try:
            return ask_repeatedly(classifier, document, deadline_s=link.share_s, is_unwanted=is_unwanted), fell
        except ClassificationFailed as failure:
            if is_unwanted() or not link.following:
                reason = " ".join([*fell, failure.reason])
                raise ClassificationFailed(reason, retryable=failure.retryable, code=failure.code) from failure
            log.warning("%s did not classify, so the next is asked: %s", classifier.provider, failure.reason)
            fell.append(f"{classifier.provider}: {failure.reason}")
    raise ImproperlyConfigured("No classifier is configured.")


def ask_repeatedly(
    classifier: Classifier, document: DocumentHead, *, deadline_s: float, is_unwanted: Callable[[], bool]
) -> RawProposal:
    """Ask a classifier for `deadline_s` seconds in all, again and after growing pauses while its provider is away.

    Raises `ClassificationFailed`: at once when it is not retryable or the call is cancelled, else after the last try
    that there is time for.
    """
    ends = time.monotonic() + deadline_s
    pause_s = FIRST_PAUSE_S
    earlier: ClassificationFailed | None = None
    while True:
        try:
            return classifier.classify(document, deadline_s=ends - time.monotonic(), is_unwanted=is_unwanted)
        except ClassificationFailed as failure:
            if not failure.retryable:
                raise
            # The last try has only seconds. The error of the try before it says more.
            reason = earlier or failure
            if time.monotonic() + pause_s >= ends:
                raise reason from failure
            earlier = failure
        _wait(pause_s, is_unwanted)
        pause_s = min(2 * pause_s, MAX_PAUSE_S)


def _wait(seconds: float, is_unwanted: Callable[[], bool]) -> None:
    ends = time.monotonic() + seconds
    while (left_s := ends - time.monotonic()) > 0:
        if is_unwanted():
            raise cancelled()
        time.sleep(min(left_s, LOOK_EVERY_S))


def configured_classifiers() -> list[Classifier]:
    """The classifiers of `KB_CLASSIFIER` in order: Claude when there is a key, else the rules, where it names none."""
    return [
        RulesClassifier() if name == CLASSIFICATION.offline else ModelClassifier(CLASSIFICATION.model(name))
        for name in CLASSIFICATION.chain
    ]
