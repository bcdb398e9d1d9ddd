"""Watches of provisions, led from version to version to where these stand today."""

from collections.abc import Mapping, Sequence

from django.utils import timezone

from kb_project.errors import TooLarge
from keeping.models import Watch, WatchKind
from keeping.watches.targets import WatchTarget
from sources import provisions
from sources.models import Source
from sources.standing import PinnedCitation, StandingStatus, WorkReader


def version_meant(work_id: int, eid: str) -> int | None:
    """The version that somebody means with an address: the one in force today if it has it, else the last that has."""
    today = timezone.localdate()
    versions = sorted(Source.objects.versions_of(work_id), key=lambda one: (one.days.hold(today), one.days.first))
    return next((one.pk for one in reversed(versions) if provisions.find(one.pk, eid)), None)


def follow(work_id: int) -> None:
    """Lead the watches of a work's provisions to the version in force today, whenever that was loaded.

    One whose provision is there no more stays at the version that had it last: it may come back. Of two watches of a
    person that meet one stays.
    """
    watches = list(Watch.objects.filter(kind=WatchKind.PROVISION, work_id=work_id).defer("seen").order_by("pk"))
    reader, versions = WorkReader(work_id), {one.pk: one for one in Source.objects.versions_of(work_id)}
    today = timezone.localdate()
    now = next((one for one in versions.values() if one.days.hold(today)), None)
    if now is None:
        return
    led = {watch.pk: eid for watch in watches if (eid := _led(watch, versions, now=now, reader=reader)) is not None}
    _place(watches, led, now=now)


def _led(watch: Watch, versions: Mapping[int, Source], *, now: Source, reader: WorkReader) -> str | None:
    """The address of what is watched in the version in force. None where that is not known, or it is not there."""
    if watch.source_id == now.pk:
        return watch.eid
    if watch.source_id not in versions:
        return watch.eid if provisions.find(now.pk, watch.eid) else None
    pin = PinnedCitation(work_id=now.work_id, source_id=watch.source_id, eid=watch.eid)
    try:
        standing = reader.read(pin, timezone.localdate())
    except TooLarge:
        return None
    if standing.now is None:
        return None
    return standing.now.eid if standing.status is StandingStatus.RENUMBERED else watch.eid


def _place(watches: Sequence[Watch], led: Mapping[int, str], *, now: Source) -> None:
    here = [one for one in watches if one.pk in led and (one.source_id, one.eid) != (now.pk, led[one.pk])]
    moving = [one for one in here if led[one.pk] != one.eid]
    for watch in moving:  # two may change places
        Watch.objects.filter(pk=watch.pk).update(key=f"moving:{watch.pk}")
    for watch in here:
        target = WatchTarget(WatchKind.PROVISION, work_id=watch.work_id, eid=led[watch.pk])
        others = Watch.objects.filter(watcher=watch.watcher_id, key=target.key).exclude(pk=watch.pk)
        if watch in moving and others.exists():
            watch.delete()
        else:
            Watch.objects.filter(pk=watch.pk).update(eid=target.eid, key=target.key, source_id=now.pk)
