"""A provision that is watched gets another number: the watch goes along."""

from collections.abc import Sequence

from django.utils import timezone

from keeping.models import Watch, WatchEvent, WatchKind
from keeping.watches.targets import Target
from sources.models import Change


def follow(work_id: int, changes: Sequence[WatchEvent]) -> None:
    """Lead the watches of provisions to where these stand since changes that began."""
    begun = {one.source_id for one in changes if not one.ends and one.day and one.day <= timezone.localdate()}
    for change in Change.objects.filter(source__in=begun, ends=False).order_by("day"):
        _follow(work_id, change)


def _follow(work_id: int, change: Change) -> None:
    """Of two watches of a person that meet one stays. One that was made since means the number that it has already."""
    rows = change.provisions or ()
    moved = {row["before"]: row["since"] for row in rows if row["change"] == "moved" and row["since"] != row["before"]}
    provisions = Watch.objects.filter(kind=WatchKind.PROVISION, work_id=work_id, eid__in=[eid for eid in moved if eid])
    watches = [one for one in provisions.defer("seen") if timezone.localdate(one.made_at) < change.day]
    for watch in watches:  # two may change places
        Watch.objects.filter(pk=watch.pk).update(key=f"moving:{watch.pk}")
    for watch in watches:
        target = Target(WatchKind.PROVISION, work_id=work_id, eid=moved[watch.eid])
        if not target.eid or Watch.objects.filter(watcher=watch.watcher_id, key=target.key).exists():
            watch.delete()
        else:
            Watch.objects.filter(pk=watch.pk).update(eid=target.eid, key=target.key)
