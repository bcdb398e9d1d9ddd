"""Delete stored files that no row names, and retry until it works.

A request is a row, written in the transaction that drops the last reference to the file. The deletion follows the
commit, and the sweeper repeats failed ones. A file is stored before the row that names it. So it is announced before
that: a request to delete it later is written first, and the row's transaction withdraws it. The sweeper deletes the
file of a process that died in between. Times are the database's, because the clocks of machines differ.
"""

import errno
import logging
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta

from django.db import DatabaseError, InterfaceError, connection, transaction
from django.db.models import F, Q
from django.db.models.functions import Now

from kb_project.api.problem import is_of_storage
from sources.files import storage
from sources.models import FileDeletion

log = logging.getLogger(__name__)

NAMED_WITHIN = timedelta(hours=1)
"""How long after its announcement a file may come to be named by a row."""
LOCK = 0x6B62_6261_636B  # any number that no other lock has


def reserve(key: str) -> None:
    """Announce a file that is about to be stored under a new key. Unless `named`, it is deleted."""
    FileDeletion.objects.create(key=key, requested_at=Now() + NAMED_WITHIN)


@contextmanager
def reserved(key: str) -> Iterator[None]:
    """Announce the file that is stored in this block. If no row names it at the end, it is deleted.

    Where the storage itself failed the sweeper deletes it: nobody waits for a storage that hangs a second time.
    """
    reserve(key)
    try:
        yield
    except BaseException as error:
        if is_of_storage(error):
            _leave_to_sweeper(key)
        else:
            release(key)
        raise
    release(key)


@contextmanager
def copied(key: str, area: storage.Area, *, kind: str, topic_slug: str = "") -> Iterator[str]:
    """As `reserved`, for a copy of a stored file in another area. Gives its `storage.fresh_key`."""
    copy = storage.fresh_key(key, area, kind=kind, topic_slug=topic_slug)
    with reserved(copy):
        storage.copy(key, copy)
        yield copy


def confirm(key: str) -> None:
    """Keep an announced file. Call it in the transaction of the row that names it.

    Raises `OSError` when that took longer than `NAMED_WITHIN`, or the clock jumped: the file may be gone.
    """
    if not FileDeletion.objects.filter(_is_announced(), key=key).delete()[0]:
        raise OSError(errno.ESTALE, "Storing the file took too long", key)


def release(key: str) -> None:
    """Delete an announced file, unless a row names it after all, as when the answer to the commit was lost."""
    try:
        if not FileDeletion.objects.filter(_is_announced(), key=key).update(requested_at=Now()):
            return
        for deletion in FileDeletion.objects.filter(key=key):
            _perform(deletion)
    except (DatabaseError, InterfaceError):
        log.warning("The stored file %s is left to the sweeper", key, exc_info=True)


def _leave_to_sweeper(key: str) -> None:
    with suppress(DatabaseError, InterfaceError):  # then the announcement expires
        FileDeletion.objects.filter(_is_announced(), key=key).update(requested_at=Now())


def delete_on_commit(key: str) -> None:
    """Have the file deleted once the surrounding transaction has committed."""
    if not key:
        return
    deletion = FileDeletion.objects.create(key=key)
    transaction.on_commit(lambda: _perform(deletion), robust=True)


def retry_failed(*, older_than: timedelta = timedelta(seconds=30), limit: int = 200) -> int:
    """Repeat failed deletions. Returns how many succeeded."""
    due = Q(requested_at__lt=Now() - older_than) | Q(requested_at__gt=Now() + NAMED_WITHIN + older_than)
    waiting = FileDeletion.objects.filter(due).order_by("attempts", "id")
    return sum(_perform(deletion) for deletion in waiting[:limit])


def _is_announced() -> Q:
    """A time further ahead than any announcement's comes from a wrong clock, and is due."""
    return Q(requested_at__gt=Now(), requested_at__lte=Now() + NAMED_WITHIN)


def _perform(deletion: FileDeletion) -> bool:
    try:
        if deletions_are_paused():
            return False
        storage.delete(deletion.key)
    except Exception:  # any storage, any failure: it is tried again
        log.warning("Could not delete the stored file %s", deletion.key, exc_info=True)
        FileDeletion.objects.filter(pk=deletion.pk).update(attempts=F("attempts") + 1)
        return False
    deletion.delete()
    return True


@contextmanager
def deletions_held() -> Iterator[None]:
    """While this runs, as during a backup, every file that a row names still exists. Two of them wait for each other.

    An advisory lock, which ends with the connection of whoever took it. What is held back stays on the list, for the
    sweeper. A deletion asks after the commit of the change that let go of the file. So one that did not see the lock
    belongs to a change that a snapshot taken under the lock sees.
    """
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_lock(%s)", [LOCK])
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_unlock(%s)", [LOCK])


def deletions_are_paused() -> bool:
    """Whether deletions are held back now."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock_shared(%s)", [LOCK])
        return not cursor.fetchone()[0]
