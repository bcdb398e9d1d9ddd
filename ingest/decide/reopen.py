"""Reopen or take back a decided job, and decide one anew whose source is there already."""

from collections.abc import Collection
from dataclasses import replace
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext as _

from ingest.decide.discard import is_discarded
from ingest.decide.retry import take_back
from ingest.decisions import RELATIONS, Decision, LabelChoice
from ingest.documents import versions
from ingest.documents.edit import delete, save_form
from ingest.job_states import AWAITING_REVIEW, DONE, EMBEDDING, Transition
from ingest.jobs.transitions import WrongState, transition_locked
from ingest.models import Draft, Job
from kb_project.errors import Conflict, Invalid, NotFound
from kb_project.models import AuditEntry
from labels import locks
from law.timeline import Period
from sources import work_versions
from sources.models import Source

NOT_WORKED_ON = {"attempts": 0, "claim": "", "heartbeat_at": None, "progress_stage": ""}
CHANGES = ("source.edit", "source.labels", "source.work", "source.replace")
"""What the audit calls changes of a source."""


def reopen(job_id: UUID, *, by: str) -> Job:
    """Take a decision back: the job awaits review again, with what was decided as its proposal.

    Until its source is published, nothing of it remains: a worker that is at it loses its claim and drops what it made.
    From then on the source stays as it is, searchable, until the job is confirmed anew (`confirm_reopened`). What was
    discarded is taken back as long as it has its file (`take_back`). Raises `WrongState` for an undecided or failed
    job, `Conflict` when there is nothing to review, and `NotFound`.
    """
    found = Job.objects.filter(pk=job_id).first()
    if found is not None and found.batch_id and is_discarded(found):
        return take_back(job_id, by=by)
    with transaction.atomic():
        job = get_locked_job(job_id)
        if job.state not in Transition.REOPEN.sources:
            raise WrongState(job, Transition.REOPEN)
        if why := _why_not(job):
            raise Conflict(why, code="wrong_state")
        if job.state == EMBEDDING:
            return _undecide(job, by=by)
        Draft.objects.filter(job=job).delete()  # its source says more
        return transition_locked(job, Transition.REOPEN, by=by, why="reopened", confirmed=None, **NOT_WORKED_ON)


def withdraw(job_id: UUID, *, by: str) -> Job:
    """Take a confirmation back, also where its source is there by now: that is deleted, and no search finds it.

    The job awaits review again, with what was decided as its proposal. Where a source was confirmed anew, it stays, as
    with `reopen`. Raises what `reopen` raises, and `Conflict` when the source has become more than was decided.
    """
    with transaction.atomic():
        locks.lock_shared()  # before any row: the order of locks is labels, sources, jobs
        job = get_locked_job(job_id)
        if job.state != DONE or job.source is None or _was_amended(job):
            return reopen(job_id, by=by)
        if why := _why_not(job) or _why_it_stays(job, job.source):
            raise Conflict(why, code="wrong_state")
        file_key = job.file_key
        others = Source.objects.filter(work=job.source.work_id).exclude(pk=job.source.pk)
        other = others.order_by("pk").values_list("pk", flat=True).first()
        delete(job.source.pk, by=by, keeps_file=True)
        job.refresh_from_db()
        if other is not None:  # others came as versions of it: it comes back to them
            job.confirmed = {**(job.confirmed or {}), "version_of": other}
        return _undecide(job, by=by, file_key=file_key)


def _undecide(job: Job, *, by: str, **fields: Any) -> Job:
    """Let a locked job without a source await review again, with its decision as its draft."""
    Draft.objects.update_or_create(job=job, defaults={"decision": job.confirmed, "kind": "", "labels": [], "by": by})
    return transition_locked(job, Transition.REOPEN, by=by, why="undone", confirmed=None, **NOT_WORKED_ON, **fields)


def _was_amended(job: Job) -> bool:
    return job.events.order_by("-id").values_list("from_state", flat=True).first() == str(AWAITING_REVIEW)


def _why_it_stays(job: Job, source: Source) -> str:
    """Why the source of a confirmed job cannot be taken out as if it had never been, empty when it can."""
    if (job.confirmed or {}).get("replaces"):
        return _("It replaced another document, whose text is gone. Reopen it to change what was decided.")
    changes = AuditEntry.objects.filter(object_type="source", object_id=str(source.pk), action__in=CHANGES)
    return _("Its source was changed since. Reopen it to change what was decided.") if changes.exists() else ""


def confirm_reopened(
    job: Job, decision: Decision, *, by: str, if_version: str | None, labels_within: Collection[int] | None
) -> Job:
    """Edit the source of a reopened job as was decided anew. Its text and address stay, and it is reindexed if needed.

    The caller has locked the job. Raises `Invalid` for what relates it to another source, `DayRequired` for one of
    several versions that is to lose its days, and what `save_form` raises.
    """
    source = job.source
    assert source is not None  # a reopened job without one is committed
    if related := [name for name in RELATIONS if getattr(decision, name) not in (None, source.pk)]:
        sentence = _("This document is a source already. Change what it is of others in the library.")
        raise Invalid(sentence, errors={name: [sentence] for name in related})
    others = Source.objects.filter(work=source.work_id).exclude(pk=source.pk)
    if source.days != Period() and others.exists():
        versions.require_day(decision)
    columns = decision.columns()
    save_form(source.pk, columns, labels=decision.labels, if_version=if_version, by=by, labels_within=labels_within)
    labels = tuple(LabelChoice(label.slug, label.name) for label in source.labels.all())
    confirmed = replace(decision, labels=labels, replaces=None, version_of=None).as_confirmed()
    return transition_locked(
        job, Transition.AMEND, by=by, why="confirmed anew", confirmed=confirmed, kind=decision.kind
    )


def get_locked_job(job_id: UUID) -> Job:
    """The job, its row and that of its source locked until the transaction ends. Raises `NotFound`."""
    source_id = Job.objects.filter(pk=job_id, reindex=False).values_list("source_id", flat=True).first()
    if source_id is not None:  # works are locked before sources, and these before jobs
        work_versions.lock_work_of(source_id)
        Source.objects.select_for_update(no_key=True).filter(pk=source_id).first()
    # The source is read after the lock: a worker that had the job meanwhile may have made it.
    job = Job.objects.select_for_update(of=("self",)).select_related("topic").filter(pk=job_id).first()
    if job is None:
        raise NotFound(_("There is no such job."))
    return job


def _why_not(job: Job) -> str:
    """Why a decided job cannot be reviewed again, empty when it can."""
    if job.reindex or job.batch_id is None:
        return _("Only files of a batch are reviewed. Edit the source in the library.")
    if job.state == EMBEDDING:
        return ""
    if job.source is None:
        return _("Its source was deleted. Upload the document again.")
    is_its_document = job.file_key and job.file_key == job.source.file_key
    return "" if is_its_document else _("Its source has another document by now. Edit it in the library.")
