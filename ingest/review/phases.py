"""The phase of a job that screens show, made of its status, stage and error code."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Q, TextChoices
from django.utils.translation import gettext_lazy as _

from ingest.decide.discard import DISCARDED
from ingest.job_states import JobStatus, Stage
from ingest.models import Job
from ingest.stages.classify.proposal import UNCLASSIFIED
from kb_project.registries import complete


class ReviewPhase(TextChoices):
    """In the order of a job's life, which is the order of the progress bar."""

    QUEUED = "queued", _("Queued")
    CLASSIFYING = "classifying", _("Classifying")
    AWAITING_REVIEW = "awaiting_review", _("Awaiting review")
    EMBEDDING = "embedding", _("Being added")
    DONE = "done", _("Done")
    FAILED = "failed", _("Failed")
    DISCARDED = "discarded", _("Discarded")


MOVING = frozenset({ReviewPhase.QUEUED, ReviewPhase.CLASSIFYING, ReviewPhase.EMBEDDING})
"""Phases that end without a person."""

CONDITIONS: Mapping[ReviewPhase, Q] = complete(
    ReviewPhase,
    {
        ReviewPhase.QUEUED: Q(status=JobStatus.QUEUED),
        ReviewPhase.CLASSIFYING: Q(status=JobStatus.PROCESSING, processing_stage=Stage.CLASSIFYING),
        ReviewPhase.AWAITING_REVIEW: Q(status=JobStatus.AWAITING_REVIEW),
        ReviewPhase.EMBEDDING: Q(status=JobStatus.PROCESSING, processing_stage=Stage.EMBEDDING),
        ReviewPhase.DONE: Q(status=JobStatus.DONE),
        ReviewPhase.FAILED: Q(status=JobStatus.FAILED) & ~Q(error_code=DISCARDED),
        ReviewPhase.DISCARDED: Q(status=JobStatus.FAILED, error_code=DISCARDED),
    },
)
"""What to look for in the table to find the jobs of a phase."""

NOT_CLASSIFIED = CONDITIONS[ReviewPhase.AWAITING_REVIEW] & Q(error_code__in=UNCLASSIFIED)
"""Jobs whose classifier failed, so that another try may help."""

COUNTS = {phase.value: Count("pk", filter=condition) for phase, condition in CONDITIONS.items()}
COUNTS["unclassified"] = Count("pk", filter=NOT_CLASSIFIED)
"""To annotate or aggregate a query of jobs with; `Progress.of` takes the row."""


def phase_of(job: Job) -> ReviewPhase:
    if job.status == JobStatus.PROCESSING:
        return ReviewPhase(str(job.processing_stage))
    if job.status == JobStatus.FAILED and job.error_code == DISCARDED:
        return ReviewPhase.DISCARDED
    return ReviewPhase(job.status)


@dataclass(frozen=True, slots=True)
class BatchShare:
    """One stretch of the bar. `start` and `width` in per cent of it."""

    phase: ReviewPhase
    count: int
    start: float
    width: float


@dataclass(frozen=True, slots=True)
class BatchProgress:
    parts: tuple[BatchShare, ...]
    total: int

    @classmethod
    def of(cls, counts: Mapping[str, Any]) -> BatchProgress:
        """From the number of jobs by phase. What is counted besides is left out."""
        total = sum(counts.get(phase, 0) for phase in ReviewPhase)
        parts, start = [], 0.0
        for phase in ReviewPhase:
            count = counts.get(phase, 0)
            if count:
                width = 100 * count / total
                parts.append(BatchShare(phase, count, round(start, 3), round(width, 3)))
                start += width
        return cls(tuple(parts), total)

    def count(self, phase: ReviewPhase) -> int:
        return next((part.count for part in self.parts if part.phase == phase), 0)

    @property
    def moving(self) -> bool:
        """Whether anything will change without a person."""
        return any(part.phase in MOVING for part in self.parts)

    @property
    def awaiting(self) -> int:
        return self.count(ReviewPhase.AWAITING_REVIEW)

    @property
    def failed(self) -> int:
        return self.count(ReviewPhase.FAILED)
