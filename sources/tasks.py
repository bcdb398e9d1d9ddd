"""Background work of what texts cite and how they change."""

from contextlib import suppress

from celery import shared_task
from django.conf import settings
from kombu.exceptions import OperationalError

from sources import changes, radar, references

GO_ON_WITHIN_S = 5.0  # until beat sends it again


@shared_task
def work_on_references() -> int:
    """Read and resolve the references of what was published, renamed or deleted. Sent by beat every few seconds.

    Beside documents that wait it has a small share of a worker. Where none waits it goes on until all is done.
    """
    done = references.run_pending()
    if done and references.is_work_left():
        with suppress(OperationalError):  # beat sends it anyway
            work_on_references.apply_async(priority=settings.KB_PRIORITY_IDLE, expires=GO_ON_WITHIN_S)
    return done


@shared_task
def work_on_changes() -> int:
    """Work out what changed in the law by versions that were published or have other days, as `work_on_references`."""
    done = changes.work()
    if done and changes.is_work_left():
        with suppress(OperationalError):  # beat sends it anyway
            work_on_changes.apply_async(priority=settings.KB_PRIORITY_IDLE, expires=GO_ON_WITHIN_S)
    return done


@shared_task
def work_on_radar() -> int:
    """Look at the references to works that changed, and at references that are new, as `work_on_references`."""
    done = radar.work()
    if done and radar.is_work_left():
        with suppress(OperationalError):  # beat sends it anyway
            work_on_radar.apply_async(priority=settings.KB_PRIORITY_IDLE, expires=GO_ON_WITHIN_S)
    return done


@shared_task
def look_at_days() -> int:
    """Have the references looked at to works of which a version began or ended in the last days."""
    return radar.note_begun()
