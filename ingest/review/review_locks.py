"""Who has the page of which job open, so that two reviewers do not do the same work.

A hold is taken by opening the page, renewed while it is open, and given back by leaving it or deciding. It ends by
itself after `HELD_FOR_S`. It keeps nobody from deciding: only the state of the job does.
"""

from collections.abc import Iterable
from uuid import UUID

from django.db import connection
from django.db.models import QuerySet
from django.db.models.functions import Now

from ingest.models import Hold

HELD_FOR_S = 90  # the page renews it every 15 s, or once a minute in the background, where browsers slow its clock down

# One statement, so that of two who come at once only one takes it.
_TAKE = """
INSERT INTO kb_ingest_hold AS held (job_id, by, page, since, until)
VALUES (%(job)s, %(by)s, %(page)s, statement_timestamp(), statement_timestamp() + make_interval(secs => %(held_for)s))
ON CONFLICT (job_id) DO UPDATE SET by = excluded.by, page = excluded.page, until = excluded.until,
    since = CASE WHEN held.by = excluded.by AND held.until > excluded.since THEN held.since ELSE excluded.since END
WHERE held.by = excluded.by OR held.until <= excluded.since OR %(over)s
"""


def acquire(job_id: UUID, *, by: str, page: str = "", over: bool = False) -> Hold | None:
    """Take or renew the hold of a job. Returns the hold of somebody else that stands against it, or None.

    With `over` it is taken from whoever has it.
    """
    with connection.cursor() as cursor:
        cursor.execute(_TAKE, {"job": job_id, "by": by, "page": page, "held_for": HELD_FOR_S, "over": over})
        taken = cursor.rowcount
    return None if taken else held_by_other(job_id, by=by)


def held_by_other(job_id: UUID, *, by: str) -> Hold | None:
    """The hold that somebody else has on the job."""
    return _of_others(by).filter(pk=job_id).first()


def locks_of_others(batch_id: UUID, *, by: str) -> dict[UUID, Hold]:
    """The holds that others have on jobs of a batch, by job."""
    return {hold.pk: hold for hold in _of_others(by).filter(job__batch_id=batch_id)}


def _of_others(by: str) -> QuerySet[Hold]:
    return Hold.objects.filter(until__gt=Now()).exclude(by=by)


def release(job_id: UUID, *, by: str, page: str) -> None:
    """End the hold, unless another page of the same person has renewed it since."""
    Hold.objects.filter(pk=job_id, by=by, page=page).delete()


def force_release(job_id: UUID) -> None:
    """End the hold of whoever has it: the job is decided."""
    Hold.objects.filter(pk=job_id).delete()


def acquire_first_free(job_ids: Iterable[UUID], *, batch_id: UUID, by: str) -> UUID | None:
    """Take the first of these jobs of a batch that nobody else has. None when there is none."""
    held = locks_of_others(batch_id, by=by)
    return next((pk for pk in job_ids if pk not in held and acquire(pk, by=by) is None), None)
