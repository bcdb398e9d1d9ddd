"""Sending to people what is new in what they watch, over a channel: which of them, and up to which event.

A turn notes up to which event it tells somebody, sends it, and records it. Whoever is killed before leaves the note:
when the lease has ended the same is sent again, under the same id. Something arrives twice only where the kill came
between the answer of the receiver and the record (docs/adr/0035).
"""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any, ClassVar, TypeVar

from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.db.models.functions import Now

from kb_project.database.leases import Sender, held
from keeping.models import Sending, Watch
from keeping.watches.newest import newest_id
from keeping.watches.notifications.lines import Lines

SETTLED = timedelta(seconds=30)  # after an event: what is published together is told together
LATE = timedelta(hours=1)
S = TypeVar("S", bound=Sending)


class WatchSender(Sender[S]):
    """A channel. `told` is the column of the watches with the last event that was told of over it."""

    told: ClassVar[str]

    def __init__(self, *, ago: timedelta = timedelta()) -> None:
        """A turn as it was due some time `ago`."""
        self.upto = newest_id(settled_s=max(SETTLED, ago).total_seconds())
        self.lines = Lines(words=True)

    @classmethod
    def late(cls) -> int:
        """How many people are due to be told of something, and nobody has tried for an hour."""
        untried = Q(held_until=None) | Q(held_until__lt=Now() - LATE)
        return cls(ago=LATE).due().filter(untried).count()

    def begin(self, row: S) -> Mapping[str, Any]:
        """Unless the same is sent again."""
        return {"sending_id": self.upto} if row.sending_id is None else {}

    @transaction.atomic
    def record(self, row: S, watches: QuerySet[Watch], **noted: Any) -> None:
        """Note that the watches told what was to be told, and what else is `noted` of the row.

        Nothing is noted where the lease has ended and another process has the person.
        """
        if held(row).update(sending_id=None, held_until=None, failures=0, **noted):
            watches.filter(**{f"{self.told}__lt": row.sending_id}).update(**{self.told: row.sending_id})

    def put_off(self, row: S, seconds: float, **noted: Any) -> bool:
        """Try again later. What is to be told is kept. Returns whether this process still had the person."""
        wait = timedelta(seconds=seconds)
        return bool(held(row).update(held_until=Now() + wait, failures=F("failures") + 1, **noted))
