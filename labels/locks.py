"""The lock on how labels are built, so that no merge comes between what a change of assignments read and wrote.

Whoever changes assignments or makes a label takes `lock_shared()`, before it locks any source. Whoever merges, renames
or deletes a label takes `alone()`. Then follow sources, then labels, each by id. Both locks end with the transaction.
"""

from django.db import connection, transaction
from django.utils.translation import gettext as _

from kb_project.errors import NotFound
from sources.models import Source

STRUCTURE = 0x6B62_6C61_6265_6C73  # "kblabels"; advisory locks share one space of numbers with everyone


def lock_shared() -> None:
    """Until the transaction ends, no label is merged, renamed or deleted. Others may share."""
    _lock("pg_advisory_xact_lock_shared")


def alone() -> None:
    """Until the transaction ends, nobody else makes, assigns, merges, renames or deletes a label.

    Must not follow `lock_shared()` in one transaction: two that do would wait for each other.
    """
    _lock("pg_advisory_xact_lock")


def source(source_id: int) -> Source:
    """The source, its row locked until the transaction ends. Raises `NotFound`.

    The lock is NO KEY, so that rows which name the source can still be written.
    """
    found = Source.objects.select_for_update(no_key=True).filter(pk=source_id).first()
    if found is None:
        raise NotFound(_("There is no such source."))
    return found


def _lock(function: str) -> None:
    """Take an advisory lock until the transaction ends. Raises `TransactionManagementError` outside of one."""
    if not connection.in_atomic_block:
        raise transaction.TransactionManagementError("A lock that ends with the transaction needs one.")
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {function}(%s)", [STRUCTURE])
