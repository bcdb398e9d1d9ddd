"""The few slots for classifications at a time, over all workers and machines: leases in a table.

No connection is held while a slot is: a holder that dies leaves its slot behind, and the lease runs out.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.conf import settings
from django.db import connection

GRACE_S = 10.0
"""How much longer than the call itself a lease lasts, for what comes before and after the call."""

_TAKE = """
UPDATE kb_classify_slot
SET holder = %(holder)s, expires_at = statement_timestamp() + make_interval(secs => %(lease)s)
WHERE number = (
    SELECT number FROM kb_classify_slot
    WHERE number <= %(slots)s AND (
        holder = '' OR expires_at < statement_timestamp()
        OR expires_at > statement_timestamp() + make_interval(secs => 2 * %(lease)s)  -- left of a clock that was wrong
    )
    ORDER BY number LIMIT 1 FOR UPDATE SKIP LOCKED
)
RETURNING number
"""
_MAKE = """
INSERT INTO kb_classify_slot (number) SELECT generate_series(1, %(slots)s) ON CONFLICT (number) DO NOTHING
"""
_RELEASE = "UPDATE kb_classify_slot SET holder = '', expires_at = NULL WHERE number = %s AND holder = %s"


@dataclass(frozen=True, slots=True)
class Slot:
    """A slot that is held until it is released or its lease runs out."""

    number: int
    holder: str


def take_slot(holder: str) -> Slot | None:
    """A free slot for this holder, whose name is its own; None when all `KB_CLASSIFY_CONCURRENCY` are held."""
    parameters = {
        "holder": holder,
        "lease": settings.KB_CLASSIFY_TIMEOUT_S + GRACE_S,
        "slots": settings.KB_CLASSIFY_CONCURRENCY,
    }
    with connection.cursor() as cursor:
        cursor.execute(_TAKE, parameters)
        row = cursor.fetchone()
        if row is None:
            cursor.execute(_MAKE, parameters)
            if cursor.rowcount:  # the first call ever, or the setting was raised
                cursor.execute(_TAKE, parameters)
                row = cursor.fetchone()
    return Slot(row[0], holder) if row else None


def release(slot: Slot) -> None:
    """Give the slot back; one whose lease ran out and that another holds is left alone."""
    with connection.cursor() as cursor:
        cursor.execute(_RELEASE, [slot.number, slot.holder])
