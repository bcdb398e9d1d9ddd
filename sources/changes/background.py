"""Working out the changes of works in the background, as `kb_change_work` says.

One process does it at a time. Two versions are compared once, and again when the text of one is published anew. So
nobody who reads the changes waits for it. What is published meanwhile is noted for the next turn.
"""

import time
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import date

from django.db import transaction
from django.db.models.functions import Now

from kb_project.database.rows import fetch
from kb_project.database.work_queue import WorkQueue, try_lock
from law.timeline import Period
from sources.changes.listing import Differences, compare
from sources.models import Change, ChangeWork, Source, Work

QUEUE = WorkQueue("kb_change_work", about="work_id", lock=0x6B62636861)
MAX_SECONDS = 0.5  # of one call: the worker has documents to index as well


@dataclass(frozen=True, slots=True)
class VersionEvent:
    """A version begins on a day, or `ends` on it and no other begins. `before` is the version before it."""

    version: int
    ends: bool
    day: date
    before: int | None = None


def work(*, longest_s: float = MAX_SECONDS) -> int:
    """Do what is to be done, until all is done or the time is over. Returns how many works that was.

    Another process that tries meanwhile returns 0.
    """
    ends = time.monotonic() + longest_s
    return QUEUE.run_for(longest_s, lambda work_id: _work_out(work_id, until=ends))


def _work_out(work_id: int, *, until: float) -> int:
    """Store the changes of a work. Returns whether that was done.

    At least two versions are compared. What there is no time for is noted again.
    """
    with transaction.atomic():
        if not try_lock(QUEUE.lock):
            return 0
        notes = fetch("SELECT id, source_id FROM kb_change_work WHERE work_id = %s", [work_id])
        published = {source_id for _, source_id in notes}
        versions = {one.pk: one for one in Source.objects.versions_of(work_id)}
        stored = {(one.source_id, one.ends): one for one in Change.objects.filter(source__work_id=work_id)}
        found: list[tuple[VersionEvent, Differences | None]] = []
        late = False
        for event in events_of({pk: one.days for pk, one in versions.items()}):
            differences = _known(stored.get((event.version, event.ends)), event, published=published)
            if differences is None and not late:
                before = versions[event.before] if event.before else None
                differences = compare(before, versions[event.version])
                late = time.monotonic() > until
            found.append((event, differences))
        _store(work_id, found, stored)
        QUEUE.forget(pk for pk, _ in notes)
        if any(differences is None for _, differences in found):
            ChangeWork.objects.create(work_id=work_id)
    return 1


def _known(change: Change | None, event: VersionEvent, *, published: Collection[int]) -> Differences | None:
    """What was stored of a comparison, if it was of these versions with the texts that they have."""
    if change is None or change.provisions is None or change.before_id != event.before:
        return None
    if event.before and not {event.version, event.before}.isdisjoint(published):
        return None
    return Differences(change.provisions, change.counts)


def _store(
    work_id: int, found: Iterable[tuple[VersionEvent, Differences | None]], stored: dict[tuple[int, bool], Change]
) -> None:
    """Write the events of a work over those that are stored."""
    Work.objects.select_for_update(no_key=True).filter(pk=work_id).first()  # as whoever deletes a version does
    present = set(Source.objects.filter(work_id=work_id).values_list("pk", flat=True))
    for event, differences in found:
        if event.version not in present:
            continue
        change = stored.pop((event.version, event.ends), None) or Change(source_id=event.version, ends=event.ends)
        days = (event.day, event.before)
        known = None if change.provisions is None else Differences(change.provisions, change.counts)
        if ((change.day, change.before_id), known) == (days, differences):
            continue
        if not change._state.adding and ((change.day, change.before_id) != days or None not in (known, differences)):
            change.noted_at = Now()
        change.day, change.before_id = days
        change.provisions, change.counts = differences or (None, {})
        change.save()
    Change.objects.filter(pk__in=[change.pk for change in stored.values()]).delete()


def events_of(versions: Mapping[int, Period]) -> list[VersionEvent]:
    """The events of one work, in the order of its versions. A day that is not known is no event."""
    found: list[VersionEvent] = []
    beginnings = {days.begin for days in versions.values()}
    before = None
    for version, days in sorted(versions.items(), key=lambda one: (one[1].first, one[0])):
        if days.begin is not None:
            found.append(VersionEvent(version, ends=False, day=days.begin, before=before))
        if days.end is not None and days.end not in beginnings:
            found.append(VersionEvent(version, ends=True, day=days.end))
        before = version
    return found
