"""Limit the calls to the provider at a time, over all machines, by leases in a table.

No connection is held with a slot. The lease of a dead worker runs out.
"""

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
    """A slot, held until it is released or its lease runs out."""

    number: int
    holder: str


def acquire_slot(holder: str) -> Slot | None:
    """Take a free slot for this holder. None when all `KB_CLASSIFY_CONCURRENCY` slots are held."""
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
            if cursor.rowcount:  # the first call, or the setting was raised
                cursor.execute(_TAKE, parameters)
                row = cursor.fetchone()
    return Slot(row[0], holder) if row else None


def release(slot: Slot) -> None:
    """Release the slot, unless its lease ran out and another holds it."""
    with connection.cursor() as cursor:
        cursor.execute(_RELEASE, [slot.number, slot.holder])
