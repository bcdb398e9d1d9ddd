"""Background work of the foundation."""

from datetime import timedelta

from celery import shared_task

from kb_project.integrity.run import run_if_due
from kb_project.models import IntegrityRun

CHECKED_EVERY = timedelta(days=1)


@shared_task(expires=3600)
def check_integrity() -> bool:
    """Run the integrity checks when a day has passed since they last ran; sent by beat every hour.

    So it is done once a day also where beat forgets its schedule at each restart. It repairs nothing.
    """
    return run_if_due(every=CHECKED_EVERY, by=IntegrityRun.By.BEAT) is not None
