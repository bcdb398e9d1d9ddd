"""Deleting stored files after the rows that named them are gone, until it has worked.

The request is a row written in the transaction that lets go of the file; the deletion follows the commit, and the
sweeper repeats what failed.
"""

from __future__ import annotations

import logging
from datetime import timedelta

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from sources import deletion_hold, storage
from sources.models import FileDeletion

log = logging.getLogger(__name__)


def request(key: str) -> None:
    """Have the file deleted once the surrounding transaction has committed."""
    if not key:
        return
    deletion = FileDeletion.objects.create(key=key)
    transaction.on_commit(lambda: _perform(deletion), robust=True)


def repeat_failed(*, older_than: timedelta = timedelta(seconds=30), limit: int = 200) -> int:
    """Try again what an earlier attempt, or a killed process, left undone. Returns how many went well."""
    waiting = FileDeletion.objects.filter(requested_at__lt=timezone.now() - older_than).order_by("attempts", "id")
    return sum(_perform(deletion) for deletion in waiting[:limit])


def _perform(deletion: FileDeletion) -> bool:
    try:
        if deletion_hold.held():
            return False
        storage.delete(deletion.key)
    except Exception:  # any storage, any failure: it is tried again
        log.warning("Could not delete the stored file %s", deletion.key, exc_info=True)
        FileDeletion.objects.filter(pk=deletion.pk).update(attempts=F("attempts") + 1)
        return False
    deletion.delete()
    return True
