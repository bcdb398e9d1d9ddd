"""Looking at what notes cite of works, as `kb_note_work` says. One process does it at a time."""

from collections.abc import Sequence

from django.db import transaction
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from kb_project.database.rows import fetch
from kb_project.database.work_queue import WorkQueue, try_lock
from kb_project.hints import send_hint
from keeping.models import NoteCitation, NoteEvent
from keeping.notebooks.pinning import STORED, read_standings, told
from sources.models import Source

TASK = "keeping.notebooks.tasks.look_at_notes"
QUEUE = WorkQueue("kb_note_work", about="work_id", lock=0x6B62_6E6F_7465)
MAX_SECONDS = 0.5  # of one call: the worker has documents to index as well
LOOK_BACK_DAYS = 8  # in which a version that began is looked at: beat may have been away
_UNCITED = """
DELETE FROM kb_note_work w
WHERE NOT EXISTS (SELECT FROM kb_note_citation c WHERE c.work_id = w.work_id) AND NOT EXISTS (
    SELECT FROM kb_source s JOIN kb_note_citation c ON c.source_id = s.id WHERE s.work_id = w.work_id)
RETURNING 0
"""
_NOTE_BEGUN = """
INSERT INTO kb_note_work (work_id)
SELECT DISTINCT s.work_id FROM kb_note_citation c
LEFT JOIN kb_source cited ON cited.id = c.source_id
JOIN kb_source s ON s.work_id = COALESCE(cited.work_id, c.work_id)
WHERE s.valid_from BETWEEN %(today)s::date - %(back)s AND %(today)s::date
    OR s.valid_to BETWEEN %(today)s::date - %(back)s AND %(today)s::date
    OR EXISTS (SELECT FROM kb_provision p WHERE p.source_id = s.id AND (
        p.valid_from BETWEEN %(today)s::date - %(back)s AND %(today)s::date
        OR p.valid_to BETWEEN %(today)s::date - %(back)s AND %(today)s::date))
RETURNING work_id
"""


def hint() -> None:
    """Tell a worker after this transaction that there is something to look at. When the broker is away, beat does."""
    transaction.on_commit(lambda: send_hint(TASK), robust=True)


def work(*, longest_s: float = MAX_SECONDS) -> int:
    """Look at what is to be looked at, until all is or the time is over. Returns how many works that was.

    Another process that tries meanwhile returns 0.
    """
    return QUEUE.run_for(longest_s, _look, before=_forget_uncited)


def note_begun() -> int:
    """Note the works of which a version, or a provision by itself, began or ended in the last days.

    Returns how many of them are cited.
    """
    return len(fetch(_NOTE_BEGUN, {"today": timezone.localdate(), "back": LOOK_BACK_DAYS}))


def _forget_uncited() -> int:
    """Forget the works that no note cites, as most are. Who keeps one notes it anew in the same transaction."""
    fetch(_UNCITED, [])
    return 0


def _look(work_id: int) -> int:
    """Store what became of each citation of a work by today, with an event of each that became something else."""
    with transaction.atomic():
        if not try_lock(QUEUE.lock):
            return 0
        notes = [pk for (pk,) in fetch("SELECT id FROM kb_note_work WHERE work_id = %s", [work_id])]
        cited = _held(_citations(work_id))
        before = {one.pk: (one.status, told(one)) for one in cited if one.looked_at}
        read_standings(work_id, cited, day=timezone.localdate())
        NoteCitation.objects.bulk_update(cited, STORED, batch_size=500)
        NoteEvent.objects.bulk_create(
            NoteEvent(note_id=one.note_id, citation=one, was=before[one.pk][0], status=one.status, since=one.since)
            for one in cited
            if one.pk in before and before[one.pk][1] != told(one)
        )
        QUEUE.forget(notes)
    return 1


def _citations(work_id: int) -> list[NoteCitation]:
    """Those of a version that is in the work, and those of one that is gone and was in it."""
    inside = Source.objects.filter(work_id=work_id).values("pk")
    gone = Q(work_id=work_id) & ~Exists(Source.objects.filter(pk=OuterRef("source_id")))
    found = NoteCitation.objects.filter(Q(source_id__in=inside) | gone)
    return list(found.select_related("note").order_by("pk"))


def _held(cited: Sequence[NoteCitation]) -> list[NoteCitation]:
    """Those whose notes are there still. The notes stay until the end of the transaction."""
    ids = sorted({one.note_id for one in cited})
    held = fetch("SELECT id FROM kb_note WHERE id = ANY(%s::bigint[]) ORDER BY id FOR KEY SHARE", [ids])
    there = {pk for (pk,) in held}
    return [one for one in cited if one.note_id in there]
