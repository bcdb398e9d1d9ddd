"""Background work of the foundation."""

from datetime import timedelta

from django.conf import settings
from django.contrib.sessions.backends.db import SessionStore

import kb_project.accounts.tasks  # noqa: F401  Celery looks in apps alone
from kb_project.celery import app
from kb_project.database.work_queue import tasks_with_work
from kb_project.hints import send_hint
from kb_project.models import IntegrityRun
from kb_project.operations.integrity.run import run_if_due

CHECKED_EVERY = timedelta(days=1)


@app.task(expires=60)
def look_for_work() -> list[str]:
    """Hint at each task for which something is noted. Sent by beat every few seconds, in place of all of them."""
    due = tasks_with_work()
    for task in due:
        send_hint(task, priority=settings.KB_PRIORITY_HOUSEKEEPING, expires=60)
    return due


@app.task(expires=3600)
def check_integrity() -> bool:
    """Run the integrity checks when a day has passed since they last ran. Sent by beat every hour.

    So it is done once a day also where beat forgets its schedule at each restart. It repairs nothing.
    """
    return run_if_due(every=CHECKED_EVERY, by=IntegrityRun.By.BEAT) is not None


@app.task(expires=3600)
def clear_sessions() -> None:
    """Delete the sessions that have ended, also those of people who only began to sign in."""
    SessionStore.clear_expired()
