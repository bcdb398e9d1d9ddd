"""Checks of the list of files to delete."""

from collections.abc import Iterator
from datetime import timedelta

from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from kb_project.operations.integrity.registry import Finding, IntegrityCheck, register
from sources.files import deletions, storage
from sources.models import FileDeletion

OLD = timedelta(hours=1)
REPEATED_AT_ONCE = 1000


def find_old_deletions() -> Iterator[Finding]:
    old = FileDeletion.objects.filter(requested_at__lt=Now() - OLD).order_by("id")
    for deletion in old.iterator():
        yield Finding(
            f"file {storage.printable(deletion.key)}",
            gettext_noop("It was to be deleted on %(asked)s. Attempts that failed: %(attempts)d."),
            {"asked": f"{deletion.requested_at:%Y-%m-%d %H:%M}", "attempts": deletion.attempts},
        )


def repeat_old_deletions() -> None:
    """Repeat all deletions, as long as some of a batch succeed."""
    while deletions.retry_failed(older_than=OLD, limit=REPEATED_AT_ONCE):
        pass


register(
    IntegrityCheck(
        name="old_deletions",
        meaning=_("A file that is to be deleted is gone within an hour of the time from which it is."),
        find=find_old_deletions,
        repair_all=repeat_old_deletions,
        advice=_("See in the log why the storage refuses, then run `manage.py check_integrity --repair`."),
        quick=True,
    )
)
