"""Versions of works as they are stored. Whoever changes their days locks the work first, before any source."""

from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from django.db import connection, transaction
from django.db.models import F, QuerySet
from django.utils.translation import gettext as _

from kb_project import audit
from kb_project.errors import Conflict
from kb_project.isolates import isolated
from law.timeline import Overlap, Period, Timeline
from sources.models import Source, Work

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
        values = {"title": isolated(met), "begin": met.valid_from or "–", "end": met.valid_to or "–"}
        super().__init__(sentence % values, errors={"valid_from": [sentence % values]}, source_id=met.pk)


class _Changed(Exception):
    """A source has come to another work, or is gone, before its work was locked."""


def lock_work_of(source_id: int) -> int | None:
    """The id of a source's work, locked with its versions as `lock_works_of` does, or None when the source is gone."""
    return lock_works_of(source_id).get(source_id)


def lock_works_of(*source_ids: int) -> dict[int, int]:
    """The works of those sources that are there, by the ids of these, all locked until the transaction ends.

    Works are locked first, then all their versions, each by their ids.
    """
    while True:
        works = _works_of(source_ids)
        # What was locked in vain is given back, as it may come after what is locked next.
        with suppress(_Changed), transaction.atomic():
            _lock(Work.objects.filter(pk__in=works.values()))
            if _works_of(source_ids) != works:
                raise _Changed
            _lock(Source.objects.filter(work_id__in=works.values()))
            return works


def _works_of(source_ids: Collection[int]) -> dict[int, int]:
    return dict(Source.objects.filter(pk__in=source_ids).values_list("pk", "work_id"))


def _lock(rows: QuerySet[Any]) -> None:
    list(rows.select_for_update(no_key=True).order_by("pk").values_list("pk"))


def last_of(work_id: int) -> Source:
    """The version of a work that begins last."""
    return Source.objects.filter(work_id=work_id).order_by(F("valid_from").desc(nulls_last=True), "-pk")[0]


def check(work_id: int, days: Period, *, besides: int | None = None) -> None:
    """Raise `VersionOverlap` unless a version with these days fits among those of the work, leaving one out."""
    timeline = _timeline(work_id)
    if besides is not None and besides in timeline.versions:
        timeline.take_out(besides)
    _put(timeline, NEW, days)


def preview(work_id: int, days: Period) -> tuple[Period, list[tuple[Source, Period]]]:
    """The days that one more version would get, and the versions that would get others. Nothing is stored.

    Raises `VersionOverlap`.
    """
    timeline = _timeline(work_id)
    before = timeline.versions
    fitted = _put(timeline, NEW, days)
    changed = {pk: after for pk, after in timeline.versions.items() if pk != NEW and after != before[pk]}
    return fitted, [(source, changed[source.pk]) for source in Source.objects.filter(pk__in=changed).order_by("pk")]


def create_version(work_id: int, *, by: str, **columns: Any) -> Source:
    """Make a source as one more version of a locked work. Raises `VersionOverlap`."""
    timeline = _timeline(work_id)
    days = _put(timeline, NEW, Period(columns.get("valid_from"), columns.get("valid_to")))
    _write(timeline, by=by)
    columns |= {"valid_from": days.begin, "valid_to": days.end}
    source = Source.objects.create(work_id=work_id, **columns)
    sync_work(work_id)
    return source


def following(source: Source, days: Period) -> Period:
    """The days that a version is given, which are not stored yet (`law.timeline.Timeline.following`)."""
    return _timeline(source.work_id).following(source.pk, days)


def change_days(source: Source, days: Period, *, by: str) -> None:
    """Give a version other days. Its work is locked. The caller saves the source. Raises `VersionOverlap`."""
    timeline = _timeline(source.work_id)
    timeline.take_out(source.pk)
    fitted = _put(timeline, source.pk, days)
    _write(timeline, by=by, besides=source.pk)
    source.valid_from, source.valid_to = fitted.begin, fitted.end


def move(source: Source, work_id: int | None, *, by: str) -> None:
    """Make a version of its locked work one of another, locked too, or with None the only one of a new work.

    It comes with the days that it has been given. A version before it goes on in its place where it was. The caller
    saves its days. Raises `VersionOverlap`.
    """
    left = source.work
    remove_version(source, by=by)
    if work_id is None:
        about = {name: getattr(source, name) for name in ("topic_id", "kind", "title", "identifier")}
        source.work = Work.objects.create(**about)
    else:
        add_version(source, work_id, by=by)
    source.save(update_fields=["work", "valid_from", "valid_to"])
    _record_move(source, left, source.work, by=by)
    sync_work(left.pk)
    sync_work(source.work.pk)


def add_version(source: Source, work_id: int, *, by: str) -> None:
    """Make a source one more version of a locked work. The caller saves its work and days. Raises `VersionOverlap`."""
    timeline = _timeline(work_id)
    fitted = _put(timeline, source.pk, source.days)
    _write(timeline, by=by, besides=source.pk)
    source.work = Work.objects.get(pk=work_id)
    source.valid_from, source.valid_to = fitted.begin, fitted.end


def join(work_id: int, into: int, *, by: str) -> None:
    """Make all versions of a locked work versions of another, locked too. Raises `VersionOverlap`."""
    timeline = _timeline(into)
    with _overlaps_named():
        timeline.join(_timeline(work_id))
    left, work = Work.objects.get(pk=work_id), Work.objects.get(pk=into)
    coming = list(Source.objects.filter(work=left).order_by("pk"))
    Source.objects.filter(work=left).update(work=work)
    _write(timeline, by=by)
    for source in coming:
        _record_move(source, left, work, by=by)
    sync_work(left.pk)
    sync_work(work.pk)


def remove_version(source: Source, *, by: str) -> None:
    """Before a version leaves its locked work: the one before it goes on in its place."""
    timeline = _timeline(source.work_id)
    timeline.take_out(source.pk)
    _write(timeline, by=by)


def sync_work(work_id: int) -> None:
    """Give a work the kind, title and identifier of its last version. Delete it when it has none.

    Versions that were made here say whether what they were made of is still here, and reads as it did.
    """
    with connection.cursor() as cursor:
        cursor.execute(_SETTLE, {"work": work_id})
    _check_bases(work_id)


def _check_bases(work_id: int) -> None:
    made = list(Source.objects.filter(work_id=work_id, consolidation__isnull=False).order_by("pk"))
    texts = dict(Source.objects.filter(work_id=work_id).values_list("pk", "content_sha256")) if made else {}
    for source in made:  # one that was made of another has the greater id
        about = source.consolidation or {}
        is_repealed = texts.get(about["base"]) != about["base_sha256"]
        if is_repealed != about.get("base_is_gone", False):
            Source.objects.filter(pk=source.pk).update(consolidation={**about, "base_is_gone": is_repealed})
        if is_repealed:
            texts.pop(source.pk)


def _timeline(work_id: int) -> Timeline:
    rows = Source.objects.filter(work_id=work_id).values_list("pk", "valid_from", "valid_to")
    return Timeline({pk: Period(begin, end) for pk, begin, end in rows})


def _put(timeline: Timeline, version: int, days: Period) -> Period:
    with _overlaps_named():
        return timeline.put(version, days)


@contextmanager
def _overlaps_named() -> Iterator[None]:
    try:
        yield
    except Overlap as refused:
        raise VersionOverlap(Source.objects.get(pk=refused.met)) from refused


def _record_move(source: Source, left: Work, work: Work, *, by: str) -> None:
    before, after = ({"work_id": one.pk, "work": str(one)} for one in (left, work))
    audit.record(by=by, action="source.work", thing=source, before=before, after=after, topic_id=source.topic_id)


def _write(timeline: Timeline, *, by: str, besides: int | None = None) -> None:
    """Store the days of versions that have others now, each with an entry in the audit. All are locked."""
    wanted = [pk for pk in timeline.versions if pk not in (NEW, besides)]
    for source in Source.objects.filter(pk__in=wanted).order_by("pk"):
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
