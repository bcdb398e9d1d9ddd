"""What happened in words, in the language of the moment, as the page, the mail and the feed say it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any
from uuid import UUID

from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.text import Truncator
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from kb_project.registries import complete
from keeping.models import EventType, Watch
from keeping.watches.notifications.news import WatchNews
from keeping.watches.targets import VisibleTargets
from law.comparison.side_by_side import DiffRow, DiffSide, beside
from law.comparison.statuses import StandingStatus
from reading.changes.shown import BECAME, COUNTED, row_name
from sources import provisions
from sources.changes.listing import TOO_LARGE
from sources.models import Change, Source
from sources.provisions import address

MAX_PLACES, MAX_LENGTH = 3, 80  # of one provision that are said, and characters of each
MAX_PROVISIONS = 3  # of a whole document
STANDS: Mapping[Any, Any] = complete(
    StandingStatus,
    {
        StandingStatus.STANDS: gettext_lazy("What it cites stands again"),
        StandingStatus.CHANGED: gettext_lazy("What it cites was changed"),
        StandingStatus.RENUMBERED: gettext_lazy("What it cites has another number"),
        StandingStatus.REPEALED: gettext_lazy("What it cites was repealed"),
        StandingStatus.NOT_HERE: gettext_lazy("What it cites is not here any more"),
        StandingStatus.DEFINITION_CHANGED: gettext_lazy("A term in what it cites is defined otherwise"),
    },
)
_SAID: Mapping[str, Any] = {
    EventType.DOCUMENT: gettext_lazy("New document"),
    EventType.LABELLED: gettext_lazy("Has this label now"),
    EventType.MATCH: gettext_lazy("New match"),
}
_Edge = tuple[int, bool]


@dataclass(frozen=True, slots=True)
class NewsLine:
    """`title` is the document, `said` what happened, `more` what differs. `url` is a path."""

    news: WatchNews
    title: str
    said: str
    more: str
    url: str

    @property
    def at(self) -> datetime:
        return self.news.at


class Lines:
    """Says news. What it read is kept, so one says those of many people who watch the same.

    It holds at most `most` documents, and then begins anew. With `words` it says which words changed, which takes
    reading both texts.
    """

    def __init__(self, *, most: int = 20_000, words: bool = False) -> None:
        self._most, self._says_words = most, words
        self._words: dict[tuple[UUID, str, str], str] = {}
        self._sources: dict[int, Source] = {}
        self._changes: dict[_Edge, Change] = {}

    def say(
        self, news: Sequence[WatchNews], watches: Mapping[int, Watch], *, visible: VisibleTargets
    ) -> list[NewsLine]:
        """To whom the news are of, in their order. What is gone meanwhile is left out."""
        self._read(news)
        noted = {one.note_id for one in news if one.note_id}
        notes = visible.notes(noted) if noted else {}
        said = [self._line(one, watches[one.watch_id], notes) for one in news if one.watch_id in watches]
        return [line for line in said if line]

    def _read(self, news: Sequence[WatchNews]) -> None:
        if len(self._sources) > self._most:
            self._sources.clear()
            self._changes.clear()
            self._words.clear()
        missing = {one.source_id for one in news} - self._sources.keys()
        if missing:
            self._sources |= Source.objects.only("title", "filename", "kind", "work_id").in_bulk(missing)
            changes = Change.objects.filter(source__in=missing)
            self._changes |= {(one.source_id, one.ends): one for one in changes}

    def _line(self, one: WatchNews, watch: Watch, notes: Mapping[int, str]) -> NewsLine | None:
        source = self._sources.get(one.source_id)
        if one.what == EventType.NOTE:
            return _of_note(one, source, notes)
        if source is None:
            return None
        change = self._changes.get((one.source_id, one.ends))
        if one.what == EventType.CHANGE or (one.what == EventType.DOCUMENT and change and change.before_id):
            return self._of_change(one, source, change, watch)
        return NewsLine(one, str(source), str(_SAID[one.what]), "", address(source.pk))

    def _of_change(self, one: WatchNews, source: Source, change: Change | None, watch: Watch) -> NewsLine | None:
        if change is None:
            return None
        url = address(source.pk)
        if change.before_id and not change.ends:
            url = reverse("document-compare", args=[change.before_id, source.pk])
        if watch.eid and not change.ends:
            row = _row_of(change, watch)
            if row and row["since"]:
                url = address(source.pk, row["since"])
            elif row and change.before_id:
                url = address(change.before_id, row["before"])
            more = self._of_provision(one, source, change, row)
        elif TOO_LARGE in change.counts:
            more = _("Too large to be compared.")
        else:
            more = ", ".join(str(said) % change.counts[kind] for kind, said in COUNTED.items() if kind in change.counts)
            if words := self._said(change, source):
                more = f"{more}. {words}"
        return NewsLine(one, str(source), _began(one, change, today=timezone.localdate()), more, url)

    def _of_provision(self, one: WatchNews, source: Source, change: Change, row: Mapping[str, Any] | None) -> str:
        """What became of the provision that is watched, or that it is not known."""
        if row is None:
            return "" if one.is_whole else _("So much changed that it is not known whether this provision did.")
        became = str(BECAME[row["change"]])
        if row["change"] == "moved" and row["since"] != row["before"] and (name := row_name(row, source)):
            became = _("Moved to %s") % name
        words = self._said(change, source, row)
        return f"{became}. {words}" if words else became

    def _said(self, change: Change, source: Source, row: Mapping[str, Any] | None = None) -> str:
        """Which words changed in a provision, or in the first of the document."""
        if not self._says_words or change.ends:
            return ""
        key = (change.pk, *((row["before"], row["since"]) if row else ("", "")))
        if key not in self._words:
            said = said_of_provisions(change, source) if row is None else said_of(change, row)
            self._words[key] = said
        return self._words[key]


def _of_note(one: WatchNews, source: Source | None, notes: Mapping[int, str]) -> NewsLine | None:
    title = notes.get(one.note_id or 0)
    if title is None:
        return None
    said = str(STANDS[StandingStatus(one.became)])
    since = [_("since %s") % date_format(one.day)] if one.day else []
    more = " · ".join([*([str(source)] if source else []), *since])
    return NewsLine(one, title, said, more, address(source.pk) if source else reverse("watches"))


def _began(one: WatchNews, change: Change, *, today: date) -> str:
    day = date_format(change.day)
    if one.what == EventType.DOCUMENT:  # it may have been superseded since
        return _("New document, a version in force from %s") % day
    if change.ends:
        return (_("Ends on %s") if change.day > today else _("Repealed or expired on %s")) % day
    if change.day > today:
        return _("New version, in force from %s") % day
    return (_("New version, in force since %s") if change.before_id else _("In force since %s")) % day


def _row_of(change: Change, watch: Watch) -> Mapping[str, Any] | None:
    """What a change says of a watched provision: of itself before what is around or inside it.

    The address of the watch is one in the version of the change, or in that before, as the watch says.
    """
    sides = ["since", "before"] if watch.source_id == change.source_id else ["before", "since"]
    rows, eid = change.provisions or (), watch.eid
    for side in sides:
        for row in rows:
            if row[side] == eid:
                return row
    for side in sides:
        for row in rows:
            if row[side] and (row[side].startswith(f"{eid}__") or eid.startswith(f"{row[side]}__")):
                return row
    return None


def said_of_provisions(change: Change, source: Source) -> str:
    """The words of the first provisions that changed, each with its name."""
    rows = [row for row in change.provisions or () if row["before"] and row["since"]]
    said = [(row_name(row, source), said_of(change, row)) for row in rows[:MAX_PROVISIONS]]
    return " ".join(f"{name}: {words}." for name, words in said if name and words)


def said_of(change: Change, row: Mapping[str, Any]) -> str:
    """What one provision says now and said before, place by place. '' where it is in one version alone."""
    if not (change.before_id and row["before"] and row["since"]):
        return ""
    before, after = (
        provisions.read(pk, eid) for pk, eid in ((change.before_id, row["before"]), (change.source_id, row["since"]))
    )
    if before is None or after is None:
        return ""
    places = list(_places(beside(_own(before), _own(after))))
    said = [_said(one, other) for one, other in places[:MAX_PLACES]]
    return "; ".join([*said, *(["…"] if len(places) > MAX_PLACES else [])])


def _own(passage: provisions.Passage) -> str:
    """Without its number, which another line says."""
    number, text = passage.provision.number, passage.text.strip()
    return text.removeprefix(number).lstrip(". ") if number else text


def _places(rows: Sequence[DiffRow]) -> Iterator[tuple[str, str]]:
    """The words that are replaced, and those in their place. One of the two may be ''."""
    for row in rows:
        before = after = ""
        for run in row.runs:
            if run.only is DiffSide.BOTH:
                if before or after:
                    yield before, after
                before = after = ""
            elif run.only is DiffSide.BEFORE:
                before = run.words
            else:
                after = run.words
        if before or after:
            yield before, after


def _said(before: str, after: str) -> str:
    before, after = (Truncator(" ".join(one.split())).chars(MAX_LENGTH) for one in (before, after))
    if not before:
        return _("“%s” is new") % after
    if not after:
        return _("“%s” is gone") % before
    return _("“%(before)s” is now “%(after)s”") % {"before": before, "after": after}
