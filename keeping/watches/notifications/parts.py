"""What is to be told to a person now, watch by watch, as mails and webhooks tell it."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from keeping.models import Channel, Watch, Watcher
from keeping.watches.kinds import names_of
from keeping.watches.notifications.lines import Lines, NewsLine
from keeping.watches.notifications.links import stop_path
from keeping.watches.notifications.news import news_of
from keeping.watches.targets import VisibleTargets

MAX_LINES = 20  # of one watch; of more the number is said
MAX_IN_ALL = 300


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
