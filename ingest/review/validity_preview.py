"""What would become of the versions of a work if a job's document came in as one more. Nothing is stored."""

import datetime as dt
import re
from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.formats import date_format
from django.utils.translation import gettext as _

from ingest.models import Job
from kb_project.isolates import isolated
from law.timeline import Period
from sources import work_versions
from sources.models import Source

_CHOSEN = re.compile(r"version_of:([0-9]{1,18})")
_ISO_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")


@dataclass(frozen=True, slots=True)
class ValidityPreview:
    """Sentences on the days that change, or one on why the version would be refused."""

    sentences: tuple[str, ...]
    is_refused: bool = False


def foresee(job: Job, values: Mapping[str, str]) -> ValidityPreview | None:
    """What the form's values for `similar`, `valid_from` and `valid_to` lead to, or None if they name no work here."""
    chosen = _CHOSEN.fullmatch(values.get("similar") or "")
    if chosen is None:
        return None
    source = Source.objects.filter(pk=int(chosen[1]), topic_id=job.topic_id).first()
    try:
        days = Period(_day(values.get("valid_from")), _day(values.get("valid_to")))
    except ValueError:
        return None  # the form says which day is none
    if source is None or (days.begin and days.end and days.end <= days.begin):
        return None
    try:
        fitted, changed = work_versions.preview(source.work_id, days)
    except work_versions.VersionOverlap as refused:
        return ValidityPreview((refused.detail,), is_refused=True)
    sentences = [
        _("“%(title)s” is then in force until %(day)s.")
        % {"title": isolated(one), "day": date_format(after.until - dt.timedelta(days=1))}
        for one, after in changed
    ]
    if fitted.end != days.end:
        sentences.append(
            _("This one is then in force until %(day)s: the next one begins the day after.")
            % {"day": date_format(fitted.until - dt.timedelta(days=1))}
        )
    return ValidityPreview(tuple(sentences or [_("The days of the other versions stay as they are.")]))


def _day(text: str | None) -> dt.date | None:
    """Raises `ValueError`."""
    if text and not _ISO_DAY.fullmatch(text):
        raise ValueError(text)
    return dt.date.fromisoformat(text) if text else None
