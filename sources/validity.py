"""What a version is on a day: in force, not yet, or not any more."""

from datetime import date

from django.db import models
from django.utils.translation import gettext_lazy as _

from law.timeline import Days


class Status(models.TextChoices):
    """A version on a day. One whose days are not known counts as in force, and says so."""

    IN_FORCE = "in_force", _("in force")
    NOT_YET = "not_yet", _("not yet in force")
    SUPERSEDED = "superseded", _("superseded")
    REPEALED = "repealed", _("repealed")
    UNDATED = "undated", _("in force, as far as is known")


def status_on(day: date, days: Days, *, is_followed: bool) -> Status:
    """`is_followed` says whether another version of the work begins when this one ends, or later."""
    if days == Days():
        return Status.UNDATED
    if day < days.first:
        return Status.NOT_YET
    if day < days.until:
        return Status.IN_FORCE
    return Status.SUPERSEDED if is_followed else Status.REPEALED


def in_force_sql(alias: str, day: str) -> str:
    """SQL that is true for a row of kb_source that is in force on a day, or may be."""
    return (
        f"(({alias}.valid_from IS NULL OR {alias}.valid_from <= {day})"
        f" AND ({alias}.valid_to IS NULL OR {day} < {alias}.valid_to))"
    )


def is_followed_sql(alias: str) -> str:
    """SQL for `is_followed` of a row of kb_source; NULL where the version has no end."""
    return (
        f"CASE WHEN {alias}.valid_to IS NOT NULL THEN EXISTS (SELECT FROM kb_source next_one"
        f" WHERE next_one.work_id = {alias}.work_id AND next_one.valid_from >= {alias}.valid_to) END"
    )
