"""Hold back deletions of stored files during a backup, so that every file its rows name still exists.

An advisory lock of the database, which ends with the connection of whoever took it. What is held back stays on the list
of files to delete, and the sweeper deletes it afterwards. A deletion asks after the commit of the change that let go
of the file; so one that did not see the lock belongs to a change that a snapshot taken under the lock sees.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection

LOCK = 0x6B62_6261_636B  # any number that no other lock has


@contextmanager
def deletions_held() -> Iterator[None]:
    """While this runs, no stored file is deleted by a row's request. Two of them wait for each other."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_lock(%s)", [LOCK])
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_unlock(%s)", [LOCK])


def held() -> bool:
    """Whether deletions are held back now."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock_shared(%s)", [LOCK])
        return not cursor.fetchone()[0]
