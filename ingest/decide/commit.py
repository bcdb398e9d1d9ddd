"""Commit a job with a person's decision."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Q

from ingest.decide.reopen import confirm_reopened, get_locked_job
from ingest.decisions import Decision, LabelChoice, resolve
from ingest.documents import versions
from ingest.job_states import Transition
from ingest.jobs import dispatch
from ingest.jobs.transitions import WrongState, transition
from ingest.models import Job
from ingest.similar.duplicates import DuplicateDocument, duplicate_reference
from ingest.similar.naming import SimilarDocument, SimilarDocumentsHere, similar_to
from labels import locks, topic_labels
from sources.fields import FIELDS
from sources.models import Source

REPLACE = "sources.delete_source"
"""The permission to replace a source: what it was is gone, as if it were deleted."""


def commit(
    job_id: UUID,
    decision: Decision,
    *,
    by: str,
    allow_duplicate: bool,
    allow_similar: bool = True,
    labels_within: Collection[int] | None = None,
    if_version: str | None = None,
) -> Job:
    """Store the decision, make its new labels, and send the job on to be embedded. A reopened job's source is edited.

    The proposal is not changed. With `allow_duplicate` the caller has shown the person that the same bytes are there.
    Without it, raises `DuplicateDocument` while they are. `allow_similar` is the same for documents that are nearly
    the same: without it, raises `SimilarDocumentsHere` unless the decision replaces a source. Raises `Invalid` for a
    faulty decision, `VersionOverlap`, `WrongState` when the job does not await review, and `NotFound`. It is one
    transaction. With topics as `labels_within`, only labels known there exist. `if_version` is the
    `version_token` of a reopened job's source as the person saw it: raises `EditConflict` when it is another by now.
    """
    decision.check()
    with transaction.atomic():
        locks.lock_shared()  # before any row: the order of locks is labels, sources, jobs
        job = get_locked_job(job_id)
        if job.state not in Transition.COMMIT.sources:
            raise WrongState(job, Transition.COMMIT)
        if job.source is not None:
            return confirm_reopened(job, decision, by=by, if_version=if_version, labels_within=labels_within)
        twin = duplicate_of(job)
        if twin is not None and not allow_duplicate:
            raise DuplicateDocument(twin, field="allow_duplicate")
        versions.check(decision, topic_id=job.topic_id)
        similar = similar_to(job)
        if similar and not (allow_similar or decision.replaces or decision.version_of):
            raise SimilarDocumentsHere(similar)
        labels = resolve(decision.labels, by=by, within=labels_within)
        topic_labels.add_to_topic(labels, topic_id=job.topic_id)  # the source is made later
        kept = replace(decision, labels=tuple(LabelChoice(label.slug, label.name) for label in labels))
        moved = transition(
            job_id,
            Transition.COMMIT,
            by=by,
            why=_why(job, kept, twin, similar),
            confirmed=kept.as_confirmed(),
            kind=decision.kind,
            attempts=0,
            claim="",
            heartbeat_at=None,
        )
        dispatch.send_on_commit(moved)
    return moved


def duplicate_of(job: Job) -> Source | Job | None:
    """The source or job that a duplicate job has its bytes in common with, if any.

    When the original is gone, the first of its duplicates that is committed is no duplicate.
    """
    if not job.allow_duplicate:
        return None
    source = Source.objects.filter(topic=job.topic, content_sha256=job.content_sha256).order_by("id").first()
    if source is not None:
        return source
    others = Job.objects.holding_content(topic=job.topic, sha256=job.content_sha256).exclude(pk=job.pk)
    return others.filter(Q(allow_duplicate=False) | Q(confirmed__isnull=False)).order_by("created_at").first()


def changed_fields(suggestions: Mapping[str, Any], confirmed: Mapping[str, Any]) -> list[str]:
    """The fields in which the decision differs from the proposal. Empty and missing are equal."""
    changed = [
        field.name for field in FIELDS if (suggestions.get(field.name) or "") != (confirmed.get(field.name) or "")
    ]
    proposed = {label["slug"] for label in suggestions.get("labels", [])}
    return changed + (["labels"] if proposed != {label["slug"] for label in confirmed.get("labels", [])} else [])


def _why(job: Job, decision: Decision, twin: Source | Job | None, similar: Sequence[SimilarDocument]) -> str:
    parts = ["confirmed"]
    if job.ai_suggestions:
        changed = changed_fields(job.ai_suggestions, decision.as_confirmed())
        parts.append(f"changed: {', '.join(changed)}" if changed else "as proposed")
    if twin is not None:
        (name, value), *_ = duplicate_reference(twin).items()
        parts.append(f"though {name} {value} has the same bytes")
    if decision.replaces:
        parts.append(f"replaces source_id {decision.replaces}")
    elif decision.version_of:
        parts.append(f"another version of source_id {decision.version_of}")
    elif similar:
        named = [f"{name} {value}" for one in similar for name, value in duplicate_reference(one.document).items()]
        parts.append(f"though nearly the same as {', '.join(named)}")
    return "; ".join(parts)
