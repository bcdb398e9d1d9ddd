"""Sending to people what is new in what they watch, over a channel: which of them, what, and up to which event.

A turn notes up to which event it tells somebody, sends it, and records it. Whoever is killed before leaves the note:
when the lease has ended the same is sent again, under the same id. Something arrives twice only where the kill came
between the answer of the receiver and the record (docs/adr/0035).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from itertools import groupby
from typing import Any, ClassVar, TypeVar

from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.db.models.functions import Now

from kb_project.database.leases import Sender, held
from keeping.models import Channel, Sending, Watch, Watcher
from keeping.watches.kinds import names_of
from keeping.watches.newest import newest_id
from keeping.watches.notifications.lines import Lines, NewsLine
from keeping.watches.notifications.links import stop_path
from keeping.watches.notifications.news import news_of
from keeping.watches.targets import VisibleTargets

MAX_LINES = 20  # of one watch; of more the number is said
MAX_IN_ALL = 300
SETTLED = timedelta(seconds=30)  # after an event: what is published together is told together
LATE = timedelta(hours=1)
S = TypeVar("S", bound=Sending)


@dataclass(frozen=True, slots=True)
class ToldPart:
    """What one watch tells. `more` is how many things are left out. `root` is where the service is."""

    watch: Watch
    name: str
    url: str
    lines: Sequence[NewsLine]
    more: int
    root: str

    @property
    def stop(self) -> str:
        """Where the mails of the watch are ended."""
        return self.root + stop_path(self.watch.watcher_id, self.watch.pk)


def parts_of(
    watcher: Watcher, *, lines: Lines, since: str, upto: int, channels: Sequence[str] = Channel.values
) -> list[ToldPart]:
    """What happened after what was `mailed`, or `posted`, up to an event, in the language of the moment.

    What the person may see is asked here, so call it right before it is sent.
    """
    visible = VisibleTargets(watcher.person)
    news = news_of(visible, since=since, channels=channels, upto=upto, each=MAX_LINES)
    watches = Watch.objects.defer("seen").in_bulk({one.watch_id for one in news})
    named = names_of(visible, watches.values())
    said = lines.say([one for one in news if one.watch_id in named], watches, visible=visible)
    parts, room, root = list[ToldPart](), MAX_IN_ALL, watcher.service.rstrip("/")
    for watch_id, group in groupby(said, key=lambda line: line.news.watch_id):
        told = list(group)
        shown = told[: max(room, 0)]
        room -= len(shown)
        target = named[watch_id]
        more = told[0].news.total - len(shown)
        parts.append(ToldPart(watches[watch_id], target.name, root + target.url, shown, more, root))
    return parts


class WatchSender(Sender[S]):
    """A channel. `told` is the column of the watches with the last event that was told of over it."""

    told: ClassVar[str]

    def __init__(self, *, ago: timedelta = timedelta()) -> None:
        """A turn as it was due some time `ago`."""
        self.upto = newest_id(settled_s=max(SETTLED, ago).total_seconds())
        self.lines = Lines(words=True)

    @classmethod
    def late(cls) -> int:
        """How many people are due to be told of something, and nobody has tried for an hour."""
        untried = Q(held_until=None) | Q(held_until__lt=Now() - LATE)
        return cls(ago=LATE).due().filter(untried).count()

    def begin(self, row: S) -> Mapping[str, Any]:
        """Unless the same is sent again."""
        return {"sending_id": self.upto} if row.sending_id is None else {}

    @transaction.atomic
    def record(self, row: S, watches: QuerySet[Watch], **noted: Any) -> None:
        """Note that the watches told what was to be told, and what else is `noted` of the row.

        Nothing is noted where the lease has ended and another process has the person.
        """
        if held(row).update(sending_id=None, held_until=None, failures=0, **noted):
            watches.filter(**{f"{self.told}__lt": row.sending_id}).update(**{self.told: row.sending_id})

    def put_off(self, row: S, seconds: float, **noted: Any) -> bool:
        """Try again later. What is to be told is kept. Returns whether this process still had the person."""
        wait = timedelta(seconds=seconds)
        return bool(held(row).update(held_until=Now() + wait, failures=F("failures") + 1, **noted))
