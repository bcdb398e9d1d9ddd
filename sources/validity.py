"""What a version is on a day: in force, not yet, or not any more."""

from datetime import date, datetime
from functools import lru_cache

from django.db import models
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _

from law.kinds import numbers_paragraphs
from law.timeline import Period
from sources.consolidation import Origin


class ValidityStatus(models.TextChoices):
    """A version on a day. One whose days are not known counts as in force, and says so."""

    IN_FORCE = "in_force", _("in force")
    NOT_YET = "not_yet", _("not yet in force")
    SUPERSEDED = "superseded", _("superseded")
    REPEALED = "repealed", _("repealed")
    UNDATED = "undated", _("no day stated")


IN_FORCE = (ValidityStatus.IN_FORCE, ValidityStatus.UNDATED)


def current_day() -> date:
    """Today in the service's time zone. Django's own first looks whether this thread has another, which none has."""
    return datetime.now(timezone.get_default_timezone()).date()


def status_on(day: date, days: Period, *, is_followed: bool) -> ValidityStatus:
    """`is_followed` says whether another version of the work begins when this one ends, or later."""
    if days.begin is None and days.end is None:
        return ValidityStatus.UNDATED
    if day < days.first:
        return ValidityStatus.NOT_YET
    if day < days.until:
        return ValidityStatus.IN_FORCE
    return ValidityStatus.SUPERSEDED if is_followed else ValidityStatus.REPEALED


def said(
    days: Period,
    *,
    kind: str,
    is_followed: bool,
    on: date | None = None,
    today: date | None = None,
    is_consolidated: bool = False,
) -> str:
    """The day that a text holds for, in the active language: what goes with it wherever it is shown, copied or quoted.

    It tells of the day `on`, by default today, and whatever that is, that the text is not in force today, and that it
    is no official one if it was made here (`sources.consolidation`). It is empty for a judgment and the like without
    days: nothing is known of these, and they have none.
    """
    today = today or current_day()
    sentence = _said(get_language(), days, kind, is_followed, on or today, today)
    return f"{sentence}; {Origin.CONSOLIDATED.label}" if is_consolidated else sentence


@lru_cache(maxsize=1_000)  # every hit of a search says one, and they are seldom of many days
def _said(_language: str | None, days: Period, kind: str, is_followed: bool, on: date, today: date) -> str:
    if days == Period() and numbers_paragraphs(kind):
        return ""
    then, now = (status_on(day, days, is_followed=is_followed) for day in (on, today))
    if then in IN_FORCE and now not in IN_FORCE:
        return f"{_sentence(then, days, on)}; {_sentence(now, days, on)}"
    if now in IN_FORCE and then not in IN_FORCE:
        return gettext("not in force on %(day)s") % {"day": date_format(on)}
    return _sentence(now, days, on)


def _sentence(status: ValidityStatus, days: Period, on: date) -> str:
    match status:
        case ValidityStatus.IN_FORCE:
            return gettext("in force on %(day)s") % {"day": date_format(on)}
        case ValidityStatus.UNDATED:
            return gettext("as of %(day)s; no day in force is stated") % {"day": date_format(on)}
        case ValidityStatus.SUPERSEDED:
            return gettext("superseded: not in force since %(day)s") % {"day": date_format(days.until)}
        case ValidityStatus.REPEALED:
            return gettext("repealed: not in force since %(day)s") % {"day": date_format(days.until)}
        case ValidityStatus.NOT_YET:
            return gettext("not yet in force: only from %(day)s") % {"day": date_format(days.first)}


def in_force_sql(alias: str, day: str) -> str:
    """SQL that is true for a row of kb_source that is in force on a day, or may be."""
    return (
        f"(({alias}.valid_from IS NULL OR {alias}.valid_from <= {day})"
        f" AND ({alias}.valid_to IS NULL OR {day} < {alias}.valid_to))"
    )


def is_followed_sql(alias: str) -> str:
    """SQL for `is_followed` of a row of kb_source. NULL where the version has no end."""
    return (
        f"CASE WHEN {alias}.valid_to IS NOT NULL THEN EXISTS (SELECT FROM kb_source next_one"
        f" WHERE next_one.work_id = {alias}.work_id AND next_one.valid_from >= {alias}.valid_to) END"
    )
