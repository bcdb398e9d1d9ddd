"""What happened once, told once, whichever of a person's watches tell of it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from keeping.watches.notifications.lines import NewsLine


@dataclass(frozen=True, slots=True)
class Alarm:
    """What happened to a document or a note, with the name and the line of each watch that tells of it."""

    told: Sequence[tuple[str, NewsLine]]

    @property
    def first(self) -> NewsLine:
        return self.told[0][1]

    @property
    def key(self) -> str:
        """The same for the same happening."""
        news = self.first.news
        parts = (news.source_id, "ends" if news.ends else "begins", news.day, news.note_id)
        return "-".join(str(part) for part in parts if part)

    @property
    def details(self) -> list[tuple[str, str, str]]:
        """Of each watch its name, what it says besides, and the path of that."""
        first = self.first
        return [
            (
                name,
                " · ".join(part for part in (line.said if line.said != first.said else "", line.more) if part),
                line.url,
            )
            for name, line in self.told
        ]


def alarms(said: Iterable[tuple[str, NewsLine]]) -> list[Alarm]:
    """The lines of watches, each with the name of its watch, by what happened, in the order of the first of each."""
    found: dict[tuple[int, bool, int | None], list[tuple[str, NewsLine]]] = {}
    for name, line in said:
        news = line.news
        found.setdefault((news.source_id, news.ends, news.note_id), []).append((name, line))
    # A watch that knows of a change says more than one that knows of a document.
    return [Alarm(sorted(told, key=lambda one: one[1].news.day is None)) for told in found.values()]
