"""What other programs are told of jobs and sources, in the transaction of the change (`ingest.webhooks.outbox`)."""

from typing import Any

from ingest.models import Job
from ingest.webhooks.models import Event
from ingest.webhooks.outbox import announce
from sources.fields import CARD
from sources.models import Source


def job_awaits_review(job: Job) -> None:
    data = {name: getattr(job, name) for name in ("id", "batch_id", "topic_id", "kind", "filename")}
    announce(Event.JOB_AWAITING_REVIEW, topic_id=job.topic_id, data={"job": data})


def source_was_published(source: Source) -> None:
    announce(Event.SOURCE_PUBLISHED, topic_id=source.topic_id, data=_told_of(source))


def source_was_replaced(source: Source) -> None:
    """The source has another file and text under the id that it had."""
    announce(Event.SOURCE_REPLACED, topic_id=source.topic_id, data=_told_of(source))


def source_dates_changed(source: Source) -> None:
    """Somebody said that the source is in force on other days, as of one that was repealed."""
    announce(Event.SOURCE_DAYS_CHANGED, topic_id=source.topic_id, data=_told_of(source))


def source_was_deleted(source: Source) -> None:
    """To be called while the source still has its id."""
    announce(Event.SOURCE_DELETED, topic_id=source.topic_id, data=_told_of(source))


def _told_of(source: Source) -> dict[str, Any]:
    names = ("id", "topic_id", "work_id", *(field.column for field in CARD))
    return {"source": {name: getattr(source, name) for name in names}}
