"""Taking a cell that is to be read, for a while, and recording what was read.

A process takes a cell for the length of a lease, reads its document without a transaction, and records it under its
claim. One that is killed leaves the lease, after which another process takes the cell. Nothing is recorded by whoever
has lost it, so a cell is filled once. No more than `KB_TABLE_CONCURRENCY` are held at a time, over all machines.
"""

from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID, uuid4

from django.conf import settings
from django.db import transaction
from django.db.models import F
from django.db.models.functions import Now
from django.utils import timezone

from ingest.webhook_events import table_was_filled
from kb_project.database.rows import fetch
from keeping.models import UNFINISHED, CellStatus, Table, TableCell
from keeping.tables.reading.document import CellReason, PutOff, Reading

MAX_ATTEMPTS = 3
GRACE_S = 60.0  # of a lease, beside the time that reading has
_LOCK = 0x6B62_7461_626C
_DUE = """(
    (c.status = 'waiting' AND (c.next_at IS NULL OR c.next_at <= now()))
    OR (c.status = 'running' AND c.held_until < now())
)"""
# Tables take turns, and of one the cells that were not tried yet come first.
_NEXT = f"""
SELECT t.id, one.id FROM kb_table t
CROSS JOIN LATERAL (
    SELECT c.id FROM kb_table_cell c WHERE c.table_id = t.id AND {_DUE} ORDER BY c.attempts, c.id LIMIT 1
) one
WHERE NOT t.paused ORDER BY t.turn_at NULLS FIRST, t.id LIMIT 1
"""
_IS_DUE = f"""
SELECT 1 FROM kb_table t WHERE NOT t.paused
    AND EXISTS (SELECT FROM kb_table_cell c WHERE c.table_id = t.id AND {_DUE}) LIMIT 1
"""
_HELD = "SELECT count(*) FROM kb_table_cell WHERE status = 'running' AND held_until >= now()"


@dataclass(frozen=True, kw_only=True)
class ClaimedCell:
    """A cell with its row, column and table, held by this process alone until the lease ends."""

    cell: TableCell
    claim: UUID


def is_due() -> bool:
    """Whether a cell is to be read now."""
    return bool(fetch(_IS_DUE, []))


def lease() -> timedelta:
    return timedelta(seconds=settings.KB_ANSWER_TIMEOUT_S + GRACE_S)


def take() -> ClaimedCell | None:
    """The next cell, None where there is none, or as many as may be are read already.

    One that was taken `MAX_ATTEMPTS` times, and whose programs ended each time, has failed.
    """
    while True:
        with transaction.atomic():
            fetch("SELECT pg_advisory_xact_lock(%s::bigint)", [_LOCK])
            [(held,)] = fetch(_HELD, [])
            found = fetch(_NEXT, []) if held < settings.KB_TABLE_CONCURRENCY else []
            if not found:
                return None
            [(table_id, cell_id)] = found
            Table.objects.filter(pk=table_id).update(turn_at=Now())
            cell = TableCell.objects.select_related("table__topic", "row__source", "column").get(pk=cell_id)
            if cell.attempts >= MAX_ATTEMPTS:
                failed = Reading(status=CellStatus.FAILED, why=CellReason.LOST.value)
                _store(TableCell.objects.filter(pk=cell_id), cell, failed)
                continue
            claim = uuid4()
            TableCell.objects.filter(pk=cell_id).update(
                status=CellStatus.RUNNING.value,
                claim=claim,
                held_until=Now() + lease(),
                attempts=F("attempts") + 1,
            )
            cell.attempts += 1
            return ClaimedCell(cell=cell, claim=claim)


@transaction.atomic
def record(held: ClaimedCell, reading: Reading) -> bool:
    """Store what was read, and tell of the table where that was its last cell. False where the claim was lost."""
    return _store(TableCell.objects.filter(pk=held.cell.pk, claim=held.claim), held.cell, reading)


def _store(cells: object, cell: TableCell, reading: Reading) -> bool:
    # Whoever stores the last cell sees that it is, as the table is locked by one at a time.
    table = Table.objects.select_for_update(no_key=True).filter(pk=cell.table_id).first()
    passage = reading.passage
    stored = table is not None and cells.update(  # type: ignore[attr-defined]
        status=reading.status.value,
        value=reading.value,
        quote=reading.quote,
        chunk_id=passage.chunk_id if passage else None,
        eid=passage.eid if passage else "",
        page=passage.page if passage else None,
        searched=reading.searched,
        why=reading.why,
        filled_at=Now(),
        claim=None,
        held_until=None,
        next_at=None,
    )
    if not stored or table is None:
        return False
    if not TableCell.objects.filter(table=table, status__in=UNFINISHED).exists():
        table.filled_at = timezone.now()
        table.save(update_fields=["filled_at"])
        table_was_filled(table_id=table.pk, name=table.name, topic_id=table.topic_id)
    return True


def put_off(held: ClaimedCell, why: PutOff) -> bool:
    """Have it tried again later. After `MAX_ATTEMPTS` it has failed. False where the claim was lost."""
    if held.cell.attempts >= MAX_ATTEMPTS and not why.is_free:
        return record(held, Reading(status=CellStatus.FAILED, why=why.why.value))
    return bool(
        TableCell.objects.filter(pk=held.cell.pk, claim=held.claim).update(
            status=CellStatus.WAITING.value,
            claim=None,
            held_until=None,
            next_at=Now() + timedelta(seconds=why.seconds),
            why=why.why.value,
            attempts=F("attempts") - int(why.is_free),
        )
    )
