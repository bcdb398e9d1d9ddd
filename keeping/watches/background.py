"""Finding what happened to what may be watched, as `kb_watch_work` says.

One process does it at a time, so that the ids of events rise in the order in which they can be read. Then a number says
how far somebody was told.
"""

import hashlib
import json
import time
from collections.abc import Iterator, Sequence
from datetime import date, timedelta

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from kb_project.database.rows import fetch
from kb_project.database.work_queue import WorkQueue, try_lock
from keeping.models import EventType, NoteEvent, WatchEvent, WatchWork
from keeping.watches import following, saved_searches
from keeping.watches.newest import LOCK
from labels.models import SourceLabel
from sources.changes.listing import NEWS_FOR, TOO_LARGE
from sources.models import Change, Source

QUEUE = WorkQueue("kb_watch_work", about="work_id", lock=LOCK)
MAX_SECONDS = 0.5  # of one call: the worker has documents to index as well
NEW_FOR = timedelta(days=8)  # a document that was taken in before, and is put back now, is none
LOOK_BACK_DAYS = 8  # in which a change that came into force is looked for: beat may have been away
KEPT_DAYS = 90  # events
_NOTE_BEGUN = """
INSERT INTO kb_watch_work (work_id, what, source_id)
SELECT DISTINCT s.work_id, 'change', s.id FROM kb_change c JOIN kb_source s ON s.id = c.source_id
WHERE c.day BETWEEN %s::date - %s AND %s::date AND c.provisions IS NOT NULL AND EXISTS (SELECT FROM kb_watch)
    AND NOT EXISTS (
        SELECT FROM kb_watch_event e
        WHERE e.work_id = s.work_id AND e.source_id = s.id AND e.ends = c.ends AND e.what = 'change' AND e.day = c.day
            AND (e.at AT TIME ZONE %s)::date >= c.day
    )
RETURNING work_id
"""


def work(*, longest_s: float = MAX_SECONDS) -> int:
    """Do what is to be done, until all is done or the time is over. Returns how many works and searches that was.

    Another process that tries meanwhile returns 0. While nobody watches anything, what is noted is forgotten.
    """
    ends = time.monotonic() + longest_s
    fetch("DELETE FROM kb_watch_work WHERE NOT EXISTS (SELECT FROM kb_watch) RETURNING id", [])
    done = QUEUE.run_for(longest_s, _work_out)
    return done + saved_searches.look(until=ends)


def is_work_left() -> bool:
    return QUEUE.exist() or saved_searches.is_work_left()


def note_begun() -> int:
    """Note the changes whose day came, and that were known before. Returns how many works they are of."""
    today = timezone.localdate()
    return len(fetch(_NOTE_BEGUN, [today, LOOK_BACK_DAYS, today, settings.TIME_ZONE]))


def forget_old() -> int:
    """Delete the events of which people were told long ago. Returns how many."""
    old = WatchEvent.objects.filter(at__lt=timezone.now() - timedelta(days=KEPT_DAYS))
    return old.delete()[0]


def _work_out(work_id: int) -> int:
    """Write the events of a work. Returns whether that was done."""
    with transaction.atomic():
        if not try_lock(QUEUE.lock):
            return 0
        notes = list(WatchWork.objects.filter(work_id=work_id))
        found = {one.key: one for one in _events(notes)}
        known = set(WatchEvent.objects.filter(key__in=found).values_list("key", flat=True))
        new = [one for key, one in found.items() if key not in known]
        looked = _look(work_id) if any(note.what != EventType.NOTE for note in notes) else []
        WatchEvent.objects.bulk_create([*new, *looked])
        if any(note.what in (EventType.CHANGE, EventType.LOOK) for note in notes):
            following.follow(work_id)
        QUEUE.forget(note.pk for note in notes)
    return 1


def _events(notes: Sequence[WatchWork]) -> Iterator[WatchEvent]:
    noted: dict[str, list[WatchWork]] = {}
    for note in notes:
        noted.setdefault(note.what, []).append(note)
    today = timezone.localdate()
    sources = [note.source_id for note in noted.get(EventType.DOCUMENT, ()) if note.source_id]
    for source in Source.objects.filter(pk__in=sources, created_at__gt=timezone.now() - NEW_FOR):
        if source.valid_from and source.valid_from >= (source.created_at - NEWS_FOR).date():
            continue  # it is told of as a change, once that is worked out
        yield _of(source, EventType.DOCUMENT, key=f"document:{source.pk}:{source.topic_id}")
    labelled = {(note.source_id, note.label_id) for note in noted.get(EventType.LABELLED, ())}
    given = SourceLabel.objects.filter(source_id__in=[pk for pk, _ in labelled]).select_related("source")
    for one in given:
        if (one.source_id, one.label_id) in labelled:
            key = f"labelled:{one.source_id}:{one.label_id}"
            yield _of(one.source, EventType.LABELLED, key=key, label_id=one.label_id)
    changed = {note.source_id for note in noted.get(EventType.CHANGE, ())}
    compared = Change.objects.filter(source__in=changed, provisions__isnull=False).select_related("source")
    for change in compared:
        if change.day >= (change.noted_at - NEWS_FOR).date():
            yield _of_change(change, today=today)
    ids = [note.note_event_id for note in noted.get(EventType.NOTE, ()) if note.note_event_id]
    for event in NoteEvent.objects.filter(pk__in=ids).select_related("citation", "note"):
        yield _of_note(event)


def _of(source: Source, what: EventType, **values: object) -> WatchEvent:
    return WatchEvent(what=what, work_id=source.work_id, source_id=source.pk, topic_id=source.topic_id, **values)


def _of_change(change: Change, *, today: date) -> WatchEvent:
    """It is told when it is known, and when it comes into force, and again if its day or what differs is another."""
    rows = change.provisions or []
    differs = [[row["change"], row["before"], row["since"]] for row in rows], change.counts
    signature = hashlib.sha256(json.dumps(differs, sort_keys=True).encode()).hexdigest()[:16]
    phase = "coming" if change.day > today else "begun"
    edge = "ends" if change.ends else "begins"
    return _of(
        change.source,
        EventType.CHANGE,
        key=f"change:{change.source_id}:{edge}:{change.day}:{phase}:{signature}",
        ends=change.ends,
        day=change.day,
        eids=sorted({eid for row in rows for eid in (row["before"], row["since"]) if eid}),
        is_whole=TOO_LARGE not in change.counts and sum(change.counts.values()) <= len(rows),
    )


def _of_note(event: NoteEvent) -> WatchEvent:
    citation = event.citation
    return WatchEvent(
        key=f"note:{event.pk}",
        what=EventType.NOTE,
        work_id=citation.work_id,
        source_id=citation.now_id or citation.source_id,
        topic_id=citation.topic_id,
        day=event.since,
        notebook_id=event.note.notebook_id,
        note_id=event.note_id,
        became=event.status,
    )


def _look(work_id: int) -> list[WatchEvent]:
    """That searches are to look at the work, if it is there."""
    source = Source.objects.filter(work_id=work_id).order_by("-pk").first()
    return [_of(source, EventType.LOOK)] if source else []
