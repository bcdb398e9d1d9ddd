"""The batches that `/review/` lists, those to review first."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import Count, Min, Q, QuerySet
from django.db.models.functions import Sign

from ingest.models import Job, JobEvent
from ingest.review.phases import CONDITIONS, Phase
from ingest.review.progress import Progress
from topics.models import Topic


@dataclass(frozen=True, slots=True)
class BatchRow:
    batch_id: UUID
    topic: str
    created_at: dt.datetime
    by: str
    progress: Progress


def ordered_batches() -> QuerySet[Job, Any]:
    """One row of values for each batch: those with jobs to review, then those with failures, the newest first."""
    counts = {phase.value: Count("pk", filter=condition) for phase, condition in CONDITIONS.items()}
    return (
        Job.objects.filter(batch_id__isnull=False)
        .order_by()
        .values("batch_id")
        .annotate(first_at=Min("created_at"), topic_of_all=Min("topic_id"), **counts)
        .order_by(Sign("awaiting_review").desc(), Sign("failed").desc(), "-first_at", "batch_id")
    )


def batch_rows(values: Iterable[dict[str, Any]]) -> list[BatchRow]:
    """The rows of one page of `ordered_batches`, with topics and uploaders."""
    found = list(values)
    topics = dict(Topic.objects.values_list("pk", "name"))
    uploaders = _uploaders([row["batch_id"] for row in found])
    return [
        BatchRow(
            batch_id=row["batch_id"],
            topic=topics.get(row["topic_of_all"], ""),
            created_at=row["first_at"],
            by=", ".join(uploaders[row["batch_id"]]),
            progress=Progress.of({phase: row[phase.value] for phase in Phase}),
        )
        for row in found
    ]


def _uploaders(batch_ids: list[UUID]) -> dict[UUID, list[str]]:
    """Who put files into each batch."""
    names: dict[UUID, list[str]] = defaultdict(list)
    arrivals = JobEvent.objects.filter(Q(job__batch_id__in=batch_ids), from_state="").order_by("by")
    for batch_id, by in arrivals.values_list("job__batch_id", "by").distinct():
        if batch_id:
            names[batch_id].append(by)
    return names
