"""What other programs are told of, in the transaction of the change (`ingest.webhooks.outbox`)."""

from collections.abc import Callable

from ingest.models import Job
from ingest.webhooks.models import Event
from ingest.webhooks.outbox import announce
from sources.fields import CARD
from sources.models import Source

listeners: list[Callable[[Source], None]] = []
"""What the rooms above do in the transaction of a change of a source, as it is told of. They add theirs."""


def job_awaits_review(job: Job) -> None:
    data = {name: getattr(job, name) for name in ("id", "batch_id", "topic_id", "kind", "filename")}
    announce(Event.JOB_AWAITING_REVIEW, topic_id=job.topic_id, data={"job": data})


def source_was_published(source: Source) -> None:
    _tell(Event.SOURCE_PUBLISHED, source)


def source_was_replaced(source: Source) -> None:
    """The source has another file and text under the id that it had."""
    _tell(Event.SOURCE_REPLACED, source)


def source_dates_changed(source: Source) -> None:
    """Somebody said that the source is in force on other days, as of one that was repealed."""
    _tell(Event.SOURCE_DAYS_CHANGED, source)


def source_was_deleted(source: Source) -> None:
    """To be called while the source still has its id."""
    _tell(Event.SOURCE_DELETED, source)


def table_was_filled(*, table_id: int, name: str, topic_id: int) -> None:
    """Every cell of a table of questions was read, for now: documents that come later get rows too."""
    announce(Event.TABLE_FILLED, topic_id=topic_id, data={"table": {"id": table_id, "name": name}})


def _tell(event: Event, source: Source) -> None:
    names = ("id", "topic_id", "work_id", "origin", *(field.column for field in CARD))
    announce(event, topic_id=source.topic_id, data={"source": {name: getattr(source, name) for name in names}})
    for listen in listeners:
        listen(source)
