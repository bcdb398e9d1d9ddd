"""Versions of works as they are stored. Whoever changes their days locks the work first, before any source."""

from typing import Any

from django.db import connection
from django.utils.translation import gettext as _

from kb_project import audit
from kb_project.errors import Conflict
from sources.models import Source, Work
from sources.works.timeline import Days, Overlap, Timeline

NEW = 0  # in a timeline, a version that has no id yet
_SETTLE = """
WITH last AS (
    SELECT kind, title, identifier FROM kb_source WHERE work_id = %(work)s
    ORDER BY valid_from DESC NULLS LAST, id DESC LIMIT 1
), gone AS (
    DELETE FROM kb_work WHERE id = %(work)s AND NOT EXISTS (SELECT FROM last)
)
UPDATE kb_work w SET kind = last.kind, title = last.title, identifier = last.identifier FROM last
WHERE w.id = %(work)s AND (w.kind, w.title, w.identifier) <> (last.kind, last.title, last.identifier)
"""


class VersionOverlap(Conflict):
    """Another version of the work is in force on some of the days. `source_id` is that version."""

    code = "version_overlap"
    title = "Versions overlap"

    def __init__(self, met: Source) -> None:
        if met.valid_from is None and met.valid_to is None:
            sentence = _("It is not known when “%(title)s” is in force. Say from which day this version is.")
        else:
            sentence = _("“%(title)s” is in force on some of these days: from %(begin)s until %(end)s.")
        values = {"title": str(met), "begin": met.valid_from or "–", "end": met.valid_to or "–"}
        super().__init__(sentence % values, errors={"valid_from": [sentence % values]}, source_id=met.pk)


def lock_work_of(source_id: int) -> int | None:
    """The id of a source's work, locked until the transaction ends; None when the source is gone."""
    while True:
        work_id = Source.objects.filter(pk=source_id).values_list("work_id", flat=True).first()
        if work_id is None:
            return None
        held = Work.objects.select_for_update(no_key=True).filter(pk=work_id).exists()
        if held and Source.objects.filter(pk=source_id, work_id=work_id).exists():
            return work_id


def check(work_id: int, days: Days, *, besides: int | None = None) -> None:
    """Raise `VersionOverlap` unless a version with these days fits among those of the work, leaving one out."""
    timeline = _timeline(work_id)
    if besides is not None and besides in timeline.versions:
        timeline.take_out(besides)
    _put(timeline, NEW, days)


def add(work_id: int, *, by: str, **columns: Any) -> Source:
    """Make a source as one more version of a locked work. Raises `VersionOverlap`."""
    timeline = _timeline(work_id)
    days = _put(timeline, NEW, Days(columns.get("valid_from"), columns.get("valid_to")))
    _write(timeline, by=by)
    columns |= {"valid_from": days.begin, "valid_to": days.end}
    source = Source.objects.create(work_id=work_id, **columns)
    settle(work_id)
    return source


def change_days(source: Source, days: Days, *, by: str) -> None:
    """Give a version other days; its work is locked. The caller saves the source. Raises `VersionOverlap`."""
    timeline = _timeline(source.work_id)
    timeline.take_out(source.pk)
    fitted = _put(timeline, source.pk, days)
    _write(timeline, by=by, besides=source.pk)
    source.valid_from, source.valid_to = fitted.begin, fitted.end


def take_out(source: Source, *, by: str) -> None:
    """Before a version leaves its locked work: the one before it goes on in its place."""
    timeline = _timeline(source.work_id)
    timeline.take_out(source.pk)
    _write(timeline, by=by)


def settle(work_id: int) -> None:
    """Give a work the kind, title and identifier of its last version; delete it when it has none."""
    with connection.cursor() as cursor:
        cursor.execute(_SETTLE, {"work": work_id})


def _timeline(work_id: int) -> Timeline:
    rows = Source.objects.filter(work_id=work_id).values_list("pk", "valid_from", "valid_to")
    return Timeline({pk: Days(begin, end) for pk, begin, end in rows})


def _put(timeline: Timeline, version: int, days: Days) -> Days:
    try:
        return timeline.put(version, days)
    except Overlap as refused:
        raise VersionOverlap(Source.objects.get(pk=refused.met)) from refused


def _write(timeline: Timeline, *, by: str, besides: int | None = None) -> None:
    """Store the days of versions that have others now, each with an entry in the audit."""
    wanted = [pk for pk in timeline.versions if pk not in (NEW, besides)]
    for source in Source.objects.select_for_update(no_key=True).filter(pk__in=wanted).order_by("pk"):
        before, after = source.days, timeline.versions[source.pk]
        if before == after:
            continue
        Source.objects.filter(pk=source.pk).update(valid_from=after.begin, valid_to=after.end)
        audit.record(
            by=by,
            action="source.edit",
            thing=source,
            before={"valid_from": before.begin, "valid_to": before.end},
            after={"valid_from": after.begin, "valid_to": after.end},
            topic_id=source.topic_id,
        )
