"""The ingest job and the history of its moves."""

from __future__ import annotations

import uuid
from typing import Any

from django.db import models
from django.db.models import Prefetch, Q
from django.db.models.functions import Now
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy as _

from ingest.job_states import UNFINISHED, JobState, JobStatus, Stage
from kb_project.observability.tracing import MAX_TRACEPARENT_LENGTH
from sources.kinds import SourceKind
from sources.models import Source
from topics.models import Topic


class JobQuerySet(models.QuerySet["Job"]):
    def in_state(self, *states: JobState) -> JobQuerySet:
        condition = Q()
        for state in states:
            condition |= Q(status=state.status, processing_stage=state.stage)
        return self.filter(condition)

    def of_batch(self, batch_id: uuid.UUID) -> JobQuerySet:
        """The jobs of a batch in their fixed order."""
        return self.filter(batch_id=batch_id).order_by("created_at", "id")

    def with_similar(self) -> JobQuerySet:
        """With what each is nearly the same as, read in one query."""
        return self.prefetch_related(Prefetch("similar", to_attr="similar_rows"))

    def holding_content(self, *, topic: Topic, sha256: str) -> JobQuerySet:
        """Jobs that hold these bytes: live ones, or done ones whose source exists."""
        return self.filter(topic=topic, content_sha256=sha256).filter(
            Q(status__in=UNFINISHED) | Q(status=JobStatus.DONE, source__isnull=False)
        )


class Job(models.Model):
    """One uploaded file on its way to becoming a source.

    Only `ingest.jobs.transitions` writes `status` and `processing_stage`. `confirmed` is what a person decided, at
    upload for a single file, at commit for a file of a batch, None until then. `ai_suggestions` is what the
    classifier proposed and is never touched by a person. `claim` names the worker that is at it.

    `part_of` is None for a file that came by itself. One out of an archive has the path of that as `filename`, one that
    was attached to a message or a PDF the name of that, and its `job_id` if that became a job.

    `error_code` and `error_message` say why it failed. While it awaits review they say why its classifier did.

    `consolidation` is that of the source that it makes (`sources.consolidation`), None for what was uploaded.

    `unread_pages` are those whose text is not read: as a quick look told before the review, then as reading told. None
    while that is not known. `numbering` and `lost` are of the pages that were read so far, as those of `Source`.

    `traceparent` is the span in which it was accepted, of whose trace its stages are. None where nobody traced.

    With `reindex`, the job is to read, cut and index the file of a `source` that is there already: it owns no file
    (`file_key` and `content_sha256` are empty) and makes no source.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    batch_id = models.UUIDField(null=True, blank=True)
    topic = models.ForeignKey(Topic, on_delete=models.PROTECT, related_name="+")
    kind = models.CharField(max_length=20, choices=SourceKind.choices)
    status = models.CharField(max_length=20, choices=JobStatus.choices, default=JobStatus.QUEUED)
    processing_stage = models.CharField(max_length=20, choices=Stage.choices, null=True, blank=True)  # noqa: DJ001
    ai_suggestions = models.JSONField(default=dict, blank=True)
    confirmed = models.JSONField(null=True, blank=True)
    warnings = models.JSONField(default=list, blank=True)
    unread_pages = models.JSONField(null=True, blank=True)
    numbering = models.JSONField(null=True, blank=True)
    lost = models.JSONField(default=list, blank=True, db_default=[])
    filename = models.TextField(default="", blank=True)
    file_key = models.TextField(default="", blank=True)
    size = models.BigIntegerField(default=0)
    content_sha256 = models.CharField(max_length=64, default="", blank=True)
    allow_duplicate = models.BooleanField(default=False)
    duplicate_of = models.JSONField(null=True, blank=True)
    part_of = models.JSONField(null=True, blank=True)
    consolidation = models.JSONField(null=True, blank=True)
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
    traceparent = models.CharField(max_length=MAX_TRACEPARENT_LENGTH, null=True, blank=True)  # noqa: DJ001
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
            models.CheckConstraint(condition=Q(kind__in=SourceKind.values), name="kb_ingest_job_kind_check"),
            models.CheckConstraint(condition=Q(status__in=JobStatus.values), name="kb_ingest_job_status_check"),
            models.CheckConstraint(
                condition=Q(status=JobStatus.PROCESSING, processing_stage__in=Stage.values)
                | (~Q(status=JobStatus.PROCESSING) & Q(processing_stage__isnull=True)),
                name="kb_ingest_job_stage_goes_with_processing",
            ),
            # One live job, or one job whose source is still there, for the same bytes in a topic: this is what
            # holds against uploads at the same instant. Deleting the source empties `source` and frees the bytes.
            models.UniqueConstraint(
                fields=["topic", "content_sha256"],
                condition=~Q(content_sha256="")
                & Q(allow_duplicate=False)
                & (Q(status__in=UNFINISHED) | Q(status=JobStatus.DONE, source__isnull=False)),
                name="kb_ingest_job_content_once",
            ),
            models.UniqueConstraint(
                fields=["source"], condition=Q(reindex=True, status__in=UNFINISHED), name="kb_ingest_job_reindex_once"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.filename} ({self.state})"

    @property
    def state(self) -> JobState:
        return JobState(self.status, self.processing_stage)

    @cached_property
    def similar_rows(self) -> list[Similar]:
        """What its document is nearly the same as. For many jobs use `with_similar`."""
        return list(self.similar.all())

    @property
    def stored_key(self) -> str:
        """The key of the file to read: the source's for a reindex, else the job's own. Empty when deleted."""
        if self.reindex:
            return self.source.file_key if self.source else ""
        return self.file_key

    @property
    def progress(self) -> dict[str, Any] | None:
        """`{stage, done, total}` while a worker is at it. Pages while reading, chunks while indexing."""
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
    """What reviewers set for an undecided job of a batch.

    `kind` and `labels`, which are names, were set for many. `decision` was made and undone (`Job.confirmed`).
    """

    job = models.OneToOneField(Job, on_delete=models.CASCADE, primary_key=True, related_name="draft")
    kind = models.CharField(max_length=20, choices=SourceKind.choices, blank=True, default="")
    labels = models.JSONField(default=list, blank=True)
    decision = models.JSONField(null=True, blank=True)
    by = models.TextField()
    at = models.DateTimeField(auto_now=True)

    class Meta:
        db_table = "kb_ingest_draft"
        verbose_name = _("draft of a decision")
        verbose_name_plural = _("drafts of decisions")

    def __str__(self) -> str:
        return f"{self.job_id}: {self.kind} {self.labels}"


class BatchName(models.Model):
    """What people call a batch. One without a row is known by its time."""

    batch_id = models.UUIDField(primary_key=True)
    name = models.CharField(max_length=120)

    class Meta:
        db_table = "kb_ingest_batch_name"
        verbose_name = _("name of a batch")
        verbose_name_plural = _("names of batches")

    def __str__(self) -> str:
        return self.name


class JobFingerprint(models.Model):
    """What a job's document begins with (`law.words.fingerprints`), until its source is found in the index."""

    job = models.OneToOneField(Job, on_delete=models.CASCADE, primary_key=True, related_name="+")
    runs = models.BinaryField()

    class Meta:
        db_table = "kb_ingest_fingerprint"

    def __str__(self) -> str:
        return str(self.job_id)


class SimilarManager(models.Manager["Similar"]):
    """Reads the documents that are named with each row."""

    def get_queryset(self) -> models.QuerySet[Similar]:
        return super().get_queryset().select_related("source", "other__source")


class Similar(models.Model):
    """A document that a job's is nearly the same as: a `source`, or that of an `other` job.

    Of two jobs each names the other. `similarity` is from 0 to 1. `ingest.similar.naming` leaves out what is gone.
    """

    job = models.ForeignKey(Job, on_delete=models.CASCADE, related_name="similar")
    source = models.ForeignKey(Source, on_delete=models.CASCADE, null=True, related_name="+")
    other = models.ForeignKey(Job, on_delete=models.CASCADE, null=True, related_name="+")
    similarity = models.FloatField()

    objects = SimilarManager()

    class Meta:
        db_table = "kb_ingest_similar"
        ordering = ["-similarity", "id"]
        constraints = [
            models.UniqueConstraint(fields=["job", "source"], name="kb_ingest_similar_source_once"),
            models.UniqueConstraint(fields=["job", "other"], name="kb_ingest_similar_job_once"),
            models.CheckConstraint(
                condition=Q(source__isnull=True) ^ Q(other__isnull=True), name="kb_ingest_similar_names_one"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.job_id} ~ {self.source_id or self.other_id}"


class Hold(models.Model):
    """A reviewer has the page of an undecided job open. It tells others, and keeps nobody from deciding.

    `page` names the last page that took or renewed it. After `until` it is void.
    """

    job = models.OneToOneField(Job, on_delete=models.CASCADE, primary_key=True, related_name="hold")
    by = models.TextField()
    page = models.CharField(max_length=32, default="", blank=True)
    since = models.DateTimeField(db_default=Now())
    until = models.DateTimeField()

    class Meta:
        db_table = "kb_ingest_hold"
        verbose_name = _("hold of a reviewer")
        verbose_name_plural = _("holds of reviewers")

    def __str__(self) -> str:
        return f"{self.job_id}: {self.by}"
