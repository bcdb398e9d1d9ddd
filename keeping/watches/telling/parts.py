"""What is to be told to a person now, watch by watch, as mails and webhooks tell it."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from keeping.models import How, Watch, Watcher
from keeping.watches.targets import Reader
from keeping.watches.telling.lines import Lines, NewsLine
from keeping.watches.telling.links import stop_path
from keeping.watches.telling.news import news_of

MOST_LINES = 20  # of one watch; of more the number is said
MOST_IN_ALL = 300


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
    watcher: Watcher, *, lines: Lines, since: str, upto: int, hows: Sequence[str] = How.values
) -> list[ToldPart]:
    """What happened after what was `mailed`, or `posted`, up to an event, in the language of the moment.

    What the person may see is asked here, so call it right before it is sent.
    """
    reader = Reader(watcher.person)
    news = news_of(reader, since=since, hows=hows, upto=upto, each=MOST_LINES)
    watches = Watch.objects.defer("seen").in_bulk({one.watch_id for one in news})
    named = reader.name(watches.values())
    said = lines.say([one for one in news if one.watch_id in named], watches, reader=reader)
    parts, room, root = list[ToldPart](), MOST_IN_ALL, watcher.service.rstrip("/")
    for watch_id, group in groupby(said, key=lambda line: line.news.watch_id):
        told = list(group)
        shown = told[: max(room, 0)]
        room -= len(shown)
        target = named[watch_id]
        more = told[0].news.total - len(shown)
        parts.append(ToldPart(watches[watch_id], target.name, root + target.url, shown, more, root))
    return parts
