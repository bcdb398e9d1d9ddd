"""Background work of tables: classifiers fill cells, workers look for documents."""

import time
from threading import BoundedSemaphore

from django.conf import settings

from kb_project.celery import app
from kb_project.database.work_queue import look_for
from keeping.tables import making, rows
from keeping.tables.reading import claims, filling

TURN_S = 20.0
_fillers = BoundedSemaphore(settings.KB_TABLE_CONCURRENCY)


@app.task(name=settings.KB_TABLE_TASK)
def fill_cells() -> None:
    """Fill the cells that wait, and go on. Only classifiers consume this task's queue.

    Whoever takes a cell has another look too, until as many are read as may be.
    """
    if not _fillers.acquire(blocking=False):
        return
    try:
        ends = time.monotonic() + TURN_S
        hint = making.hint_now
        while filling.fill_next(on_taken=hint):
            hint = _no_hint
            if time.monotonic() > ends:
                making.hint_now()
                return
    finally:
        _fillers.release()


def _no_hint() -> None:
    pass


@app.task(expires=60)
def look_for_rows() -> int:
    """Give new documents rows, and mark those that changed. Sent by beat."""
    return rows.look_for_all()


look_for(fill_cells.name, claims.is_due)
