"""Rows of tables: documents that meet a filter get one each, and those that changed are marked."""

import logging
from collections.abc import Mapping
from datetime import date, timedelta
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import F, Q
from django.db.models.functions import Now
from django.utils import timezone

from ingest.models import Job
from kb_project.database.rows import fetch
from keeping.models import Table, TableRow
from sources.scope import Scope

MAX_ROWS = 1_000
TABLES_AT_ONCE = 50
LOOK_AGAIN_S = 20
log = logging.getLogger(__name__)
NONE = 0  # a document that is not there: an empty list would find all
_MISSING = (
    "FROM kb_source s WHERE {condition} AND NOT EXISTS"
    " (SELECT FROM kb_table_row r WHERE r.table_id = %(table)s::bigint AND r.source_id = s.id)"
)
_ADD = f"""
INSERT INTO kb_table_row (table_id, source_id, content_sha256)
SELECT %(table)s::bigint, s.id, s.content_sha256 {_MISSING}
ORDER BY kb_title_key(s.title) COLLATE "C", s.id LIMIT %(room)s::integer
ON CONFLICT DO NOTHING RETURNING id
"""
_ADD_CELLS = """
INSERT INTO kb_table_cell (table_id, row_id, column_id)
SELECT r.table_id, r.id, q.id FROM kb_table_row r JOIN kb_table_column q ON q.table_id = r.table_id
WHERE r.table_id = %(table)s::bigint
    AND NOT EXISTS (SELECT FROM kb_table_cell c WHERE c.row_id = r.id AND c.column_id = q.id)
ORDER BY r.id, q.position, q.id
ON CONFLICT DO NOTHING RETURNING id
"""
_REMOVE_MOVED = """
DELETE FROM kb_table_row r USING kb_source s
WHERE r.table_id = %(table)s::bigint AND s.id = r.source_id AND s.topic_id <> %(topic)s::bigint RETURNING r.id
"""
# The document has another text, or another version of its work is in force today and it is not.
_MARK_CHANGED = """
UPDATE kb_table_row r SET changed_at = now(), now_id = found.now_id
FROM (
    SELECT r.id, CASE WHEN r.content_sha256 <> s.content_sha256 THEN s.id ELSE later.id END AS now_id
    FROM kb_table_row r JOIN kb_source s ON s.id = r.source_id
    LEFT JOIN LATERAL (
        SELECT v.id FROM kb_source v
        WHERE v.work_id = s.work_id AND v.id <> s.id
            AND s.valid_to <= %(today)s::date AND (v.valid_from IS NULL OR v.valid_from <= %(today)s::date)
            AND (v.valid_to IS NULL OR v.valid_to > %(today)s::date)
        ORDER BY v.valid_from DESC NULLS LAST, v.id DESC LIMIT 1
    ) later ON TRUE
    WHERE r.table_id = %(table)s::bigint AND (r.content_sha256 <> s.content_sha256 OR later.id IS NOT NULL)
) found
WHERE found.id = r.id AND (r.changed_at IS NULL OR r.now_id IS DISTINCT FROM found.now_id)
RETURNING r.id
"""


def scope_of(rows: Mapping[str, Any], *, topic_id: int) -> Scope:
    """The documents that a filter, as a table keeps it, finds today. Of a batch those that were confirmed."""
    listed = tuple(rows.get("source_ids", ()))
    if batch_id := rows.get("batch_id"):
        confirmed = (
            Job.objects.of_batch(UUID(batch_id)).filter(source__isnull=False).values_list("source_id", flat=True)
        )
        listed = tuple(pk for pk in confirmed if not listed or pk in listed) or (NONE,)
    return Scope(
        topic_id=topic_id,
        label_ids=tuple(rows.get("label_ids", ())),
        kinds=tuple(rows.get("kind", ())),
        source_ids=listed,
        published_from=_day(rows.get("published_from")),
        published_to=_day(rows.get("published_to")),
        as_of=timezone.localdate(),
        all_versions=bool(listed),  # whoever lists documents means these
    )


def _day(text: str | None) -> date | None:
    return date.fromisoformat(text) if text else None


def look_for_all() -> int:
    """Look for new and changed documents of the tables for which nobody has for a while. Returns how many it was.

    What raises is logged, and looked for again in its turn: no other table waits for it.
    """
    before = timezone.now() - timedelta(seconds=LOOK_AGAIN_S)
    due = Table.objects.filter(Q(looked_at=None) | Q(looked_at__lt=before))
    ids = list(due.order_by(F("looked_at").asc(nulls_first=True), "pk").values_list("pk", flat=True)[:TABLES_AT_ONCE])
    return sum(_look_in_turn(table_id) for table_id in ids)


def _look_in_turn(table_id: int) -> bool:
    try:
        return look(table_id)
    except Exception:
        log.exception("The rows of table %s could not be looked for", table_id)
        Table.objects.filter(pk=table_id).update(looked_at=Now())
        return False


@transaction.atomic
def look(table_id: int) -> bool:
    """Add rows and cells that are missing, and mark the rows that changed. False where another process does it."""
    table = Table.objects.select_for_update(skip_locked=True, no_key=True).filter(pk=table_id).first()
    if table is None:
        return False
    condition, parameters = scope_of(table.rows, topic_id=table.topic_id).source_condition("s")
    given = {**parameters, "table": table.pk, "topic": table.topic_id, "today": timezone.localdate()}
    fetch(_REMOVE_MOVED, given)
    rows = TableRow.objects.filter(table=table).count()
    fetch(_ADD.format(condition=condition), {**given, "room": max(0, MAX_ROWS - rows)})
    if fetch(_ADD_CELLS, given):
        table.filled_at = None
    fetch(_MARK_CHANGED, given)
    [(table.left_out,)] = fetch(f"SELECT count(*) {_MISSING.format(condition=condition)}", given)
    table.looked_at = Now()
    table.save(update_fields=["filled_at", "left_out", "looked_at"])
    return True
