"""A process that dies while it looks at notes: what it had begun is done by the next, and told once."""

import subprocess
import sys

import pytest
from django.db import connection, transaction

from ingest.documents import edit
from keeping.models import NoteCitation, NoteEvent, NoteWork
from keeping.notebooks.looking import QUEUE
from tests.keeping.notebooks.notes import gardens_act, kept, look, notebook
from tests.servers import PROJECT, subprocess_environment
from tests.sources.changes.laws import AMENDED
from tests.sources.test_standing import SECOND
from tests.waiting import wait_until

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.deep]
PROGRAM = "import django; django.setup(); from keeping.notebooks import looking; looking.work(longest_s=60)"
WAITS = """
SELECT 1 FROM pg_locks held JOIN pg_locks waiting USING (pid) JOIN pg_database ON pg_database.oid = held.database
WHERE datname = current_database() AND held.locktype = 'advisory' AND held.granted AND NOT waiting.granted
"""
HELD = """
SELECT 1 FROM pg_locks JOIN pg_database ON pg_database.oid = pg_locks.database
WHERE datname = current_database() AND locktype = 'advisory' AND (classid::bigint << 32) + objid::bigint = %s
"""


def found(statement: str, *values: int) -> bool:
    with connection.cursor() as cursor:
        cursor.execute(statement, list(values) or None)
        return cursor.fetchone() is not None


def test_a_looker_killed_at_work_tells_once_and_loses_nothing() -> None:
    act, book = gardens_act(), notebook()
    notes = [kept(book, act, eid) for eid in ("sec_3", "sec_4", "sec_5")]
    look()
    edit.edit(act.pk, {"valid_to": AMENDED}, by="test")
    gardens_act(SECOND, valid_from=AMENDED, work_id=act.work_id)
    with transaction.atomic():
        NoteCitation.objects.select_for_update().get(note=notes[1])
        command = [sys.executable, "-c", PROGRAM]
        environment = subprocess_environment(DJANGO_SETTINGS_MODULE="kb_project.settings")
        looker = subprocess.Popen(command, cwd=PROJECT, env=environment)
        wait_until(lambda: found(WAITS))  # it has read, and is about to write
        looker.kill()
        looker.wait()
    wait_until(lambda: not found(HELD, QUEUE.lock))
    assert not NoteEvent.objects.exists()
    assert set(NoteCitation.objects.values_list("status", flat=True)) == {"stands"}
    assert NoteWork.objects.exists()
    look()
    told = sorted((event.note_id, event.status) for event in NoteEvent.objects.all())
    assert told == [(notes[0].pk, "changed"), (notes[1].pk, "repealed"), (notes[2].pk, "renumbered")]
    look()
    assert NoteEvent.objects.count() == 3
