"""The background tasks: each makes one call of a verb."""

from __future__ import annotations

from uuid import UUID

from celery import shared_task

from ingest import sweep as sweeping
from ingest import work as working
from kb_project import request_ids


@shared_task(name="ingest.tasks.work")
def work(job_id: str) -> None:
    """Take one job as far as it goes without a person."""
    with request_ids.also(job_id=job_id):
        working.work(UUID(job_id))


@shared_task(name="ingest.tasks.sweep", expires=60)
def sweep() -> None:
    """Repeat lost hints, take over from dead workers, finish deletions."""
    sweeping.sweep()
