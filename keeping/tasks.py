"""Background work of what people keep.

Tasks keep the names that the release before sends and knows them by.
"""

import time
from threading import BoundedSemaphore

from django.conf import settings

from kb_project.celery import app
from kb_project.database.work_queue import look_for
from kb_project.hints import send_hint
from keeping.highlights import editing
from keeping.notebooks import looking
from keeping.surveys import making as surveys
from keeping.tables import making as tables
from keeping.tables import rows
from keeping.tables.reading import claims, filling
from keeping.watches import background as watches
from keeping.watches.notifications.mailing import Mails
from keeping.watches.notifications.posting import Posts
from sources.tasks import go_on

TABLE_TURN_S = 20.0
HINT_EXPIRES_S = 60
_fillers = BoundedSemaphore(settings.KB_TABLE_CONCURRENCY)


@app.task(name="keeping.highlights.tasks.forget_lost_highlights")
def forget_lost_highlights() -> int:
    """Delete what was marked in works that are gone for good. Returns how many."""
    return editing.forget_lost()


@app.task(name=looking.TASK)
def look_at_notes() -> int:
    """Look at what notes cite of works that changed. Hinted at after a change, and while something is noted."""
    return go_on(look_at_notes, looking.work(), is_work_left=looking.QUEUE.exist)


@app.task(name="keeping.notebooks.tasks.look_at_days_of_notes")
def look_at_days_of_notes() -> int:
    """Have the notes looked at that cite works of which a version began or ended in the last days."""
    noted = looking.note_begun()
    if noted:
        looking.hint()
    return noted


@app.task(name=settings.KB_SURVEY_TASK)
def make_surveys() -> None:
    """Make the survey that waits longest. Only classifiers consume this task's queue."""
    if surveys.run_next() and surveys.are_waiting():
        surveys.hint()


@app.task(name=settings.KB_TABLE_TASK)
def fill_cells() -> None:
    """Fill the cells that wait, and go on. Only classifiers consume this task's queue.

    Whoever takes a cell has another look too, until as many are read as may be.
    """
    if not _fillers.acquire(blocking=False):
        return
    try:
        ends = time.monotonic() + TABLE_TURN_S
        hint = tables.hint_now
        while filling.fill_next(on_taken=hint):
            hint = _no_hint
            if time.monotonic() > ends:
                tables.hint_now()
                return
    finally:
        _fillers.release()


def _no_hint() -> None:
    pass


@app.task(name="keeping.tables.tasks.look_for_rows", expires=60)
def look_for_rows() -> int:
    """Give new documents rows, and mark those that changed. Sent by beat."""
    return rows.look_for_all()


@app.task(name="keeping.watches.tasks.work_on_watches")
def work_on_watches() -> int:
    """Find what happened to what is watched. Hinted at while something is noted, and goes on while there is more."""
    return go_on(work_on_watches, watches.work(), is_work_left=watches.is_work_left)


@app.task(name="keeping.watches.tasks.look_at_days_of_watches")
def look_at_days_of_watches() -> int:
    """Have the changes told of that were known before, and whose day came."""
    return watches.note_begun()


@app.task(name=settings.KB_WATCH_MAIL_TASK)
def send_watch_mails() -> int:
    """Send the digests that are due. It waits for the mail server, so it has the queue of webhooks."""
    return Mails.send()


@app.task(name=settings.KB_WATCH_POST_TASK)
def post_to_watchers() -> int:
    """Post what is due to the webhooks of people. Only classifiers consume this task's queue."""
    return Posts.send()


@app.task(name="keeping.watches.tasks.look_for_watch_mails", expires=60)
def look_for_watch_mails() -> bool:
    """Hint where a mail, or a message to the webhook of a person, is due. Sent by beat, to any worker."""
    channels = ((settings.KB_WATCH_MAIL_TASK, Mails), (settings.KB_WATCH_POST_TASK, Posts))
    due = [task for task, channel in channels if channel.is_due()]
    for task in due:
        send_hint(task, expires=HINT_EXPIRES_S)
    return bool(due)


@app.task(name="keeping.watches.tasks.tidy_watches", expires=3600)
def tidy_watches() -> int:
    """Forget what happened long ago. Sent by beat once a day."""
    return watches.forget_old()


look_for(look_at_notes.name, looking.QUEUE.exist)
look_for(make_surveys.name, surveys.are_waiting)
look_for(fill_cells.name, claims.is_due)
look_for(work_on_watches.name, watches.is_work_left)
