"""Taking whom something is to be sent to, for a while, and recording what became of it.

A process takes a person for the length of a lease, notes up to which event it tells, sends it without a connection to
the database, and records it. One that is killed before it recorded leaves the note: when the lease has ended the same
is sent again, under the same id. So everything arrives at least once, and twice only where the kill came between the
answer of the receiver and the record (docs/adr/0035).
"""

from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Any, TypeVar

from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.db.models.functions import Now

from keeping.models import Sending, Watch

SETTLED_S = 30.0  # after an event: what is published together is told together
LATE = timedelta(hours=1)
S = TypeVar("S", bound=Sending)


def free(due: QuerySet[S]) -> QuerySet[S]:
    """Those whom no process has, and who do not wait after a failure."""
    return due.filter(Q(held_until=None) | Q(held_until__lt=Now()))


def untried(due: QuerySet[S]) -> QuerySet[S]:
    """Those whom nobody has tried to reach for an hour. They are `due` since then."""
    return due.filter(Q(held_until=None) | Q(held_until__lt=Now() - LATE))


@transaction.atomic
def take(due: QuerySet[S], *, last: str, lease: timedelta, begin: Callable[[S], Mapping[str, Any]]) -> S | None:
    """The one to whom nothing was sent for longest, as the column `last` says, those who failed after others.

    Unless something is to be sent again, what is sent is noted in the columns that `begin` gives.
    """
    locked = free(due).select_for_update(skip_locked=True, no_key=True, of=("self",))
    row = locked.order_by("failures", F(last).asc(nulls_first=True), "pk").first()
    if row is None:
        return None
    begun = begin(row) if row.sending_id is None else {}
    for name, value in begun.items():
        setattr(row, name, value)
    row.held_until = Now() + lease
    row.save(update_fields=["held_until", *begun])
    row.refresh_from_db(fields=["held_until"])
    return row


@transaction.atomic
def record(row: Sending, watches: QuerySet[Watch], *, column: str, **told: Any) -> None:
    """Note in the column of the watches that they told what was to be told, and what else is `told` of the row.

    Nothing is noted where the lease has ended and another process has the person.
    """
    if _held(row).update(sending_id=None, held_until=None, failures=0, **told):
        watches.filter(**{f"{column}__lt": row.sending_id}).update(**{column: row.sending_id})


def put_off(row: Sending, seconds: float, **noted: Any) -> bool:
    """Try again later. What is to be told is kept. Returns whether this process still had the person."""
    wait = timedelta(seconds=seconds)
    return bool(_held(row).update(held_until=Now() + wait, failures=F("failures") + 1, **noted))


def _held(row: S) -> QuerySet[S]:
    rows: QuerySet[S] = type(row)._default_manager.filter(pk=row.pk, held_until=row.held_until)
    return rows
