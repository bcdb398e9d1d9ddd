"""Sending to one receiver after another, each of which one process has at a time: for the length of a lease.

A process takes a receiver, sends without a connection to the database, and records what became of it. One that is
killed leaves the receiver to the next, when the lease has ended. So everything arrives at least once. Times are the
database's, as the clocks of machines differ.
"""

import time
from abc import ABC, abstractmethod
from collections.abc import Mapping
from contextlib import closing
from datetime import timedelta
from threading import BoundedSemaphore
from typing import Any, ClassVar, Generic, TypeVar

from django.conf import settings
from django.db import transaction
from django.db.models import Model, Q, QuerySet
from django.db.models.functions import Now

TURN_S = 20.0
R = TypeVar("R", bound=Model)  # with a column `held_until`


def held(receiver: R) -> QuerySet[R]:
    """The receiver, unless its lease has ended meanwhile and another process has it."""
    rows: QuerySet[R] = type(receiver)._default_manager.filter(pk=receiver.pk, held_until=receiver.held_until)  # type: ignore[attr-defined]
    return rows


class Sender(ABC, Generic[R]):
    """One turn of sending on a channel. `at_once` so many of a process may have theirs, `is_over` ends one early."""

    at_once: ClassVar[BoundedSemaphore]
    order: ClassVar[tuple[Any, ...]]
    """Of the receivers: whose turn it is."""
    is_over = False

    @classmethod
    def send(cls, *, turn_s: float = TURN_S) -> int:
        """Send what is due, for about `turn_s` seconds. Returns how often something was sent, or tried."""
        if not cls.at_once.acquire(blocking=False):
            return 0  # as many are at it as may be, and they go on until nothing is due
        try:
            ends, done = time.monotonic() + turn_s, 0
            with closing(cls()) as turn:
                while not turn.is_over and time.monotonic() < ends and (receiver := turn.take()):
                    done += turn.serve(receiver, ends)
            return done
        finally:
            cls.at_once.release()

    @classmethod
    def is_due(cls) -> bool:
        """Whether there is somebody to send to."""
        return cls().free().exists()

    @property
    def lease(self) -> timedelta:
        """How long a receiver is held for one message."""
        return timedelta(seconds=2 * settings.KB_WEBHOOK_TIMEOUT_S)

    @abstractmethod
    def due(self) -> QuerySet[R]:
        """To whom something is due."""

    @abstractmethod
    def serve(self, receiver: R, ends: float) -> int:
        """Send it, and record what became of it. Returns how often it was tried, up to this monotonic time."""

    def begin(self, receiver: R) -> Mapping[str, Any]:
        """What is noted of a receiver when it is taken, by column."""
        return {}

    def close(self) -> None:
        """End the turn."""

    def free(self) -> QuerySet[R]:
        """Those of `due` whom no process has, and who do not wait after a failure."""
        return self.due().filter(Q(held_until=None) | Q(held_until__lt=Now()))

    @transaction.atomic
    def take(self) -> R | None:
        """The next receiver, for the length of a lease."""
        locked = self.free().select_for_update(skip_locked=True, no_key=True, of=("self",))
        receiver = locked.order_by(*self.order, "pk").first()
        if receiver is not None:
            begun = {"held_until": Now() + self.lease, **self.begin(receiver)}
            for name, value in begun.items():
                setattr(receiver, name, value)
            receiver.save(update_fields=list(begun))
            receiver.refresh_from_db(fields=list(begun))
        return receiver
