"""Documents that cite what was repealed, renumbered or changed after their day.

References to works are looked at as `kb_radar_work` says, by one process at a time.
"""

from collections.abc import Iterable
from datetime import date
from typing import NamedTuple

from django.db import transaction
from django.utils import timezone

from kb_project.database.rows import fetch
from kb_project.database.work_queue import WorkQueue, try_lock
from kb_project.errors import TooLarge
from sources import provisions
from sources.models import StaleReference
from sources.standing import PinnedCitation, Standing, StandingStatus, WorkReader
from sources.validity import in_force_sql

QUEUE = WorkQueue("kb_radar_work", about="work_id", lock=0x6B62726461)
MAX_SECONDS = 0.5  # of one call: the worker has documents to index as well
LOOK_BACK_DAYS = 8  # in which a version that began is looked at: beat may have been away
TOLD = frozenset({StandingStatus.CHANGED, StandingStatus.RENUMBERED, StandingStatus.REPEALED})
_CITING = f"""
SELECT r.source_id, r.topic_id, r.eid, r.span_start, r.span_end, r.text, r.cites ->> 'number', r.target_id,
    at.eid, at.place > 1, COALESCE(s.valid_from, s.published_at)
FROM kb_source t
JOIN kb_reference r ON r.target_id = t.id AND NOT r.internal
CROSS JOIN LATERAL unnest(r.target_eid || r.target_between) WITH ORDINALITY AS at(eid, place)
JOIN kb_source s ON s.id = r.source_id AND s.topic_id = t.topic_id AND s.work_id <> t.work_id
WHERE t.work_id = %s AND COALESCE(s.valid_from, s.published_at) IS NOT NULL AND {in_force_sql("s", "%s::date")}
ORDER BY r.source_id, r.span_start, r.id, at.place
"""
_NOTE_BEGUN = """
INSERT INTO kb_radar_work (work_id)
SELECT DISTINCT s.work_id FROM kb_change c JOIN kb_source s ON s.id = c.source_id
WHERE c.day BETWEEN %s::date - %s AND %s::date
RETURNING work_id
"""


class _Citing(NamedTuple):
    """A reference to a version of the work, or what its range holds, and the day of its document."""

    source_id: int
    topic_id: int
    eid: str
    span_start: int
    span_end: int
    text: str
    number: str
    cited_id: int
    cited_eid: str
    is_between: bool  # the ends of a range
    day: date


def work(*, longest_s: float = MAX_SECONDS) -> int:
    """Do what is to be done, until all is done or the time is over. Returns how many works that was.

    Another process that tries meanwhile returns 0.
    """
    return QUEUE.run_for(longest_s, _work_out)


def note_begun() -> int:
    """Note the works of which a version began or ended in the last days. Returns how many."""
    today = timezone.localdate()
    return len(fetch(_NOTE_BEGUN, [today, LOOK_BACK_DAYS, today]))


def _work_out(work_id: int) -> int:
    """Store which references to a work are out of date today. Returns whether that was done."""
    with transaction.atomic():
        if not try_lock(QUEUE.lock):
            return 0
        notes = [pk for (pk,) in fetch("SELECT id FROM kb_radar_work WHERE work_id = %s", [work_id])]
        today = timezone.localdate()
        citing = [_Citing(*row) for row in fetch(_CITING, [work_id, today, today])]
        _store(work_id, _stale(work_id, citing, today=today) if citing else [])
        QUEUE.forget(notes)
    return 1


def _stale(work_id: int, citing: Iterable[_Citing], *, today: date) -> list[StaleReference]:
    """What is out of date among the references. A text that is too large to be compared tells nothing.

    That an act ended is said of the ends of a range.
    """
    reader = WorkReader(work_id)
    known: dict[tuple[int, str, date], Standing | None] = {}
    found = []
    for one in citing:
        version = reader.version_on(one.day)
        pinned_id = version.pk if version else one.cited_id
        key = (pinned_id, one.cited_eid, one.day)
        if key not in known:
            known[key] = _standing(reader, work_id, *key, today=today)
        standing = known[key]
        has_ended = standing is not None and standing.version is None
        if standing is not None and standing.status in TOLD and not (one.is_between and has_ended):
            found.append(_row(work_id, one, pinned_id, standing))
    held = provisions.holders((row.now_id, row.now_eid) for row in found if row.now_id and row.now_eid)
    for row in found:
        now = held.get((row.now_id or 0, row.now_eid))
        row.now_number = now.number.strip(" .") if now else ""
    return found


def _standing(reader: WorkReader, work_id: int, source_id: int, eid: str, day: date, *, today: date) -> Standing | None:
    pin = PinnedCitation(work_id=work_id, source_id=source_id, eid=eid, day=day)
    try:
        return reader.read(pin, today)
    except TooLarge:
        return None


def _row(work_id: int, one: _Citing, pinned_id: int, standing: Standing) -> StaleReference:
    now = standing.now
    return StaleReference(
        source_id=one.source_id,
        topic_id=one.topic_id,
        eid=one.eid,
        span_start=one.span_start,
        span_end=one.span_end,
        text=one.text,
        number="" if one.is_between else one.number or "",
        work_id=work_id,
        cited_id=pinned_id,
        cited_eid=one.cited_eid,
        became=standing.status.value,
        since=standing.since,
        now_id=standing.version if isinstance(standing.version, int) else None,
        now_eid=now.eid if now else "",
    )


def _store(work_id: int, found: list[StaleReference]) -> None:
    """Write the rows of a work in place of those that are stored. What was looked at stays so while it is the same."""
    looked = {
        _same(one): (one.looked_at, one.looked_by)
        for one in StaleReference.objects.filter(work_id=work_id).exclude(looked_at=None)
    }
    StaleReference.objects.filter(work_id=work_id).delete()
    for row in found:
        row.looked_at, row.looked_by = looked.get(_same(row), (None, ""))
    StaleReference.objects.bulk_create(found)


def _same(row: StaleReference) -> tuple[object, ...]:
    return row.source_id, row.text, row.cited_eid, row.became, row.since, row.now_eid
