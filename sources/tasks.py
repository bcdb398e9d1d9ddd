"""Background work of what texts cite and how they change."""

from collections.abc import Callable
from contextlib import suppress

from celery import Task
from django.conf import settings
from kombu.exceptions import OperationalError

from kb_project.celery import app
from kb_project.database.work_queue import look_for
from sources import changes, radar, references

GO_ON_WITHIN_S = 5.0  # until beat sends it again


def go_on(task: Task, done: int, *, is_work_left: Callable[[], bool]) -> int:
    """Send the task again while it gets on and more is noted. Beside documents that wait it has a small share."""
    if done and is_work_left():
        with suppress(OperationalError):  # beat sends it anyway
            task.apply_async(priority=settings.KB_PRIORITY_IDLE, expires=GO_ON_WITHIN_S)
    return done


@app.task
def work_on_references() -> int:
    """Read and resolve the references of what was published, renamed or deleted. Hinted at while something is noted.

    Beside documents that wait it has a small share of a worker. Where none waits it goes on until all is done.
    """
    return go_on(work_on_references, references.run_pending(), is_work_left=references.QUEUE.exist)


@app.task
def work_on_changes() -> int:
    """Work out what changed in the law by versions that were published or have other days, as `work_on_references`."""
    return go_on(work_on_changes, changes.work(), is_work_left=changes.QUEUE.exist)


@app.task
def work_on_radar() -> int:
    """Look at the references to works that changed, and at references that are new, as `work_on_references`."""
    return go_on(work_on_radar, radar.work(), is_work_left=radar.QUEUE.exist)


@app.task
def look_at_days() -> int:
    """Have the references looked at to works of which a version began or ended in the last days."""
    return radar.note_begun()


look_for(work_on_references.name, references.QUEUE.exist)
look_for(work_on_changes.name, changes.QUEUE.exist)
look_for(work_on_radar.name, radar.QUEUE.exist)
