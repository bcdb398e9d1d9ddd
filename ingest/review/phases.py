"""The phase of a job that screens show, made of its status, stage and error code."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Q, TextChoices
from django.utils.translation import gettext_lazy as _

from ingest.decide.discard import DISCARDED
from ingest.job_states import Stage, Status
from ingest.models import Job
from ingest.stages.classify.proposal import UNCLASSIFIED


class Phase(TextChoices):
    """In the order of a job's life, which is the order of the progress bar."""

    QUEUED = "queued", _("Queued")
    CLASSIFYING = "classifying", _("Classifying")
    AWAITING_REVIEW = "awaiting_review", _("Awaiting review")
    EMBEDDING = "embedding", _("Embedding")
    DONE = "done", _("Done")
    FAILED = "failed", _("Failed")
    DISCARDED = "discarded", _("Discarded")


MOVING = frozenset({Phase.QUEUED, Phase.CLASSIFYING, Phase.EMBEDDING})
"""Phases that end without a person."""

CONDITIONS: dict[Phase, Q] = {
    Phase.QUEUED: Q(status=Status.QUEUED),
    Phase.CLASSIFYING: Q(status=Status.PROCESSING, processing_stage=Stage.CLASSIFYING),
    Phase.AWAITING_REVIEW: Q(status=Status.AWAITING_REVIEW),
    Phase.EMBEDDING: Q(status=Status.PROCESSING, processing_stage=Stage.EMBEDDING),
    Phase.DONE: Q(status=Status.DONE),
    Phase.FAILED: Q(status=Status.FAILED) & ~Q(error_code=DISCARDED),
    Phase.DISCARDED: Q(status=Status.FAILED, error_code=DISCARDED),
}
"""What to look for in the table to find the jobs of a phase."""

NOT_CLASSIFIED = CONDITIONS[Phase.AWAITING_REVIEW] & Q(error_code__in=UNCLASSIFIED)
"""Jobs whose classifier failed, so that another try may help."""

COUNTS = {phase.value: Count("pk", filter=condition) for phase, condition in CONDITIONS.items()}
COUNTS["unclassified"] = Count("pk", filter=NOT_CLASSIFIED)
"""To annotate or aggregate a query of jobs with; `Progress.of` takes the row."""


def phase_of(job: Job) -> Phase:
    if job.status == Status.PROCESSING:
        return Phase(str(job.processing_stage))
    if job.status == Status.FAILED and job.error_code == DISCARDED:
        return Phase.DISCARDED
    return Phase(job.status)


@dataclass(frozen=True, slots=True)
class Part:
    """One stretch of the bar; `start` and `width` in per cent of it."""

    phase: Phase
    count: int
    start: float
    width: float


@dataclass(frozen=True, slots=True)
class Progress:
    parts: tuple[Part, ...]
    total: int

    @classmethod
    def of(cls, counts: Mapping[str, Any]) -> Progress:
        """From the number of jobs by phase; what is counted besides is left out."""
        total = sum(counts.get(phase, 0) for phase in Phase)
        parts, start = [], 0.0
        for phase in Phase:
            count = counts.get(phase, 0)
            if count:
                width = 100 * count / total
                parts.append(Part(phase, count, round(start, 3), round(width, 3)))
                start += width
        return cls(tuple(parts), total)

    def count(self, phase: Phase) -> int:
        return next((part.count for part in self.parts if part.phase == phase), 0)

    @property
    def moving(self) -> bool:
        """Whether anything will change without a person."""
        return any(part.phase in MOVING for part in self.parts)

    @property
    def awaiting(self) -> int:
        return self.count(Phase.AWAITING_REVIEW)

    @property
    def failed(self) -> int:
        return self.count(Phase.FAILED)
