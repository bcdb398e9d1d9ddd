"""The ingest job and the history of its moves."""

from __future__ import annotations

import uuid
from typing import Any

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from ingest.jobs.states import LIVE, Stage, State, Status
from sources.kinds import Kind
from sources.models import Source
from topics.models import Topic


class JobQuerySet(models.QuerySet["Job"]):
    def in_state(self, *states: State) -> JobQuerySet:
        condition = Q()
        for state in states:
            condition |= Q(status=state.status, processing_stage=state.stage)
        return self.filter(condition)

    def holding_content(self, *, topic: Topic, sha256: str) -> JobQuerySet:
        """Jobs that hold these bytes: live ones, or done ones whose source exists."""
        return self.filter(topic=topic, content_sha256=sha256).filter(
            Q(status__in=LIVE) | Q(status=Status.DONE, source__isnull=False)
        )


class Job(models.Model):
    """One uploaded file on its way to becoming a source.

    Only `ingest.jobs.transitions` writes `status` and `processing_stage`. `confirmed` is what a person decided, at
    upload for a single file, at commit for a file of a batch, None until then. `ai_suggestions` is what the
    classifier proposed and is never touched by a person. `claim` names the worker that is at it.

    With `reindex`, the job is to read, cut and index the file of a `source` that is there already: it owns no file
    (`file_key` and `content_sha256` are empty) and makes no source.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    batch_id = models.UUIDField(null=True, blank=True)
    topic = models.ForeignKey(Topic, on_delete=models.PROTECT, related_name="+")
    kind = models.CharField(max_length=20, choices=Kind.choices)
    status = models.CharField(max_length=20, choices=Status.choices, default=Status.QUEUED)
    processing_stage = models.CharField(max_length=20, choices=Stage.choices, null=True, blank=True)  # noqa: DJ001
    ai_suggestions = models.JSONField(default=dict, blank=True)
    confirmed = models.JSONField(null=True, blank=True)
    warnings = models.JSONField(default=list, blank=True)
    filename = models.TextField(default="", blank=True)
    file_key = models.TextField(default="", blank=True)
    size = models.BigIntegerField(default=0)
    content_sha256 = models.CharField(max_length=64, default="", blank=True)
    allow_duplicate = models.BooleanField(default=False)
    duplicate_of = models.JSONField(null=True, blank=True)
    source = models.ForeignKey(Source, on_delete=models.SET_NULL, null=True, blank=True, related_name="jobs")
    reindex = models.BooleanField(default=False)
    error_code = models.CharField(max_length=40, default="", blank=True)
    error_message = models.TextField(default="", blank=True)
    attempts = models.IntegerField(default=0)
    claim = models.TextField(default="", blank=True)
    heartbeat_at = models.DateTimeField(null=True, blank=True)
    hinted_at = models.DateTimeField(null=True, blank=True)
    progress_stage = models.CharField(max_length=20, default="", blank=True)
    progress_done = models.IntegerField(default=0)
    progress_total = models.IntegerField(null=True, blank=True)
    created_at = models.DateTimeField(db_default=Now())
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    objects = JobQuerySet.as_manager()

    class Meta:
        db_table = "kb_ingest_job"
        verbose_name = _("ingest job")
        verbose_name_plural = _("ingest jobs")
        ordering = ["-created_at", "-id"]
        indexes = [
            models.Index(fields=["status", "created_at"], name="kb_ingest_job_status_idx"),
            models.Index(fields=["topic", "created_at"], name="kb_ingest_job_topic_idx"),
            models.Index(fields=["batch_id", "created_at"], name="kb_ingest_job_batch_idx"),
            models.Index(fields=["topic", "content_sha256"], name="kb_ingest_job_content_idx"),
            models.Index(fields=["source"], name="kb_ingest_job_source_idx"),
        ]
        constraints = [
            models.CheckConstraint(condition=Q(kind__in=Kind.values), name="kb_ingest_job_kind_check"),
            models.CheckConstraint(condition=Q(status__in=Status.values), name="kb_ingest_job_status_check"),
            models.CheckConstraint(
                condition=Q(status=Status.PROCESSING, processing_stage__in=Stage.values)
                | (~Q(status=Status.PROCESSING) & Q(processing_stage__isnull=True)),
                name="kb_ingest_job_stage_goes_with_processing",
            ),
            # One live job, or one job whose source is still there, for the same bytes in a topic: this is what
            # holds against uploads at the same instant. Deleting the source empties `source` and frees the bytes.
            models.UniqueConstraint(
                fields=["topic", "content_sha256"],
                condition=~Q(content_sha256="")
                & Q(allow_duplicate=False)
                & (Q(status__in=LIVE) | Q(status=Status.DONE, source__isnull=False)),
                name="kb_ingest_job_content_once",
            ),
            models.UniqueConstraint(
                fields=["source"], condition=Q(reindex=True, status__in=LIVE), name="kb_ingest_job_reindex_once"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.filename} ({self.state})"

    @property
    def state(self) -> State:
        return State(self.status, self.processing_stage)

    @property
    def stored_key(self) -> str:
        """The key of the file to read: the source's for a reindex, else the job's own. Empty when deleted."""
        if self.reindex:
            return self.source.file_key if self.source else ""
        return self.file_key

    @property
    def progress(self) -> dict[str, Any] | None:
        """`{stage, done, total}` while a worker is at it; pages while reading, chunks while indexing."""
        if not self.progress_stage:
            return None
        return {"stage": self.progress_stage, "done": self.progress_done, "total": self.progress_total}


class JobEvent(models.Model):
    """One move of a job: from where, to where, by whom and why. It is never changed."""

    job = models.ForeignKey(Job, on_delete=models.CASCADE, related_name="events")
    at = models.DateTimeField(db_default=Now())
    from_state = models.CharField(max_length=40, default="", blank=True)
    to_state = models.CharField(max_length=40)
    by = models.TextField()
    why = models.TextField(default="", blank=True)

    class Meta:
        db_table = "kb_ingest_event"
        verbose_name = _("job event")
        verbose_name_plural = _("job events")
        ordering = ["id"]

    def __str__(self) -> str:
        return f"{self.from_state or '·'} → {self.to_state}"


class Draft(models.Model):
    """A kind and label names that reviewers set for an undecided job of a batch."""

    job = models.OneToOneField(Job, on_delete=models.CASCADE, primary_key=True, related_name="draft")
    kind = models.CharField(max_length=20, choices=Kind.choices, blank=True, default="")
    labels = models.JSONField(default=list, blank=True)
    by = models.TextField()
    at = models.DateTimeField(auto_now=True)

    class Meta:
        db_table = "kb_ingest_draft"
        verbose_name = _("draft of a decision")
        verbose_name_plural = _("drafts of decisions")

    def __str__(self) -> str:
        return f"{self.job_id}: {self.kind} {self.labels}"
