"""What became of all that a notebook holds since a person looked at it last."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, F, Max, OuterRef, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce
from django.utils import timezone

from keeping.matters.items import MatterWatch, watches_in
from keeping.models import Notebook, NotebookLook, NotebookWatch, NoteCitation, NoteEvent, NoteKind, Watch
from keeping.notebooks.listing import ShownCitation
from keeping.notebooks.shown_text import ThenAndNow
from keeping.notebooks.visibility import readable_in
from keeping.people import Owner
from keeping.watches.newest import newest_id
from keeping.watches.notifications.news import news_of
from keeping.watches.targets import VisibleTargets
from law.comparison.statuses import StandingStatus

MAX_EVENTS = 200  # of which the newest are told at once


@dataclass(frozen=True)
class CitationNews(ThenAndNow):
    """A citation that became something else, with the last event of it."""

    event: NoteEvent

    @property
    def place(self) -> str:
        """What it is called: as the note is, which is named after the one provision that it keeps."""
        row, note = self.shown.row, self.event.note
        if note.kind in (NoteKind.PROVISION, NoteKind.QUOTE) and note.title:
            return note.title
        return f"{row.number} · {row.title}" if row.number else row.title

    @property
    def kept_as(self) -> str:
        """The kind of the note, and its title where that says more than the place."""
        kind, title = self.event.note.get_kind_display(), self.event.note.title
        return f"{kind}: {title}" if title and title != self.place else kind


@dataclass(frozen=True, kw_only=True)
class WhatBecame:
    """`since` is when the person looked last, None if never. `upto` and `upto_news` are the last events that it tells.

    `coming` is what is known of days to come, whether it is new or not. `total` counts what the notes cite, `unknown`
    of these what was not looked at yet or could not be compared, `fallen` what is not today as it was kept.
    """

    since: datetime | None
    upto: int
    upto_news: int
    cited: Sequence[CitationNews]
    earlier: int
    watches: Sequence[MatterWatch]
    coming: Sequence[ShownCitation]
    total: int
    unknown: int
    fallen: int

    @property
    def told(self) -> Sequence[MatterWatch]:
        """The watches that have something new to tell."""
        return [one for one in self.watches if one.named and one.new_lines]

    @property
    def is_news(self) -> bool:
        return bool(self.cited or self.told)


def what_became(notebook: Notebook, owner: Owner) -> WhatBecame:
    """Of a notebook that the person may read, as far as they see its law."""
    events = list(_events(owner, [notebook.pk]).select_related("note").order_by("-pk")[: MAX_EVENTS + 1])
    earlier, events = len(events) - MAX_EVENTS, events[:MAX_EVENTS]
    last = {one.citation_id: one for one in reversed(events)}
    seen = readable_in(owner, [notebook.pk]).values("pk")
    rows = NoteCitation.objects.filter(note__in=seen)
    cited = rows.select_related("now", "note").in_bulk(list(last))
    news = [
        CitationNews(shown=ShownCitation(cited[pk]), event=event)
        for pk, event in sorted(last.items(), key=lambda item: -item[1].pk)
        if pk in cited
    ]
    watches = watches_in(notebook, owner)
    ahead = rows.filter(coming_from__gt=timezone.localdate()).select_related("now", "note")
    look = NotebookLook.objects.filter(notebook=notebook, person=owner.person).first()
    return WhatBecame(
        since=look.at if look else None,
        upto=max((one.pk for one in events), default=0),
        upto_news=max((line.news.event_id for one in watches for line in one.lines), default=0),
        cited=sorted(news, key=lambda one: one.event.since or one.event.at.date(), reverse=True),
        earlier=max(earlier, 0),
        watches=watches,
        coming=[ShownCitation(one) for one in ahead.order_by("coming_from", "pk")[:MAX_EVENTS]],
        total=rows.count(),
        unknown=rows.filter(looked_at__isnull=True).count() + rows.filter(is_unread=True).count(),
        fallen=rows.filter(looked_at__isnull=False).exclude(status=StandingStatus.STANDS).count(),
    )


def count_news(owner: Owner, notebooks: Collection[Notebook]) -> dict[int, int]:
    """How much is new in each of these notebooks: citations that became something else, and what watches tell."""
    ids = [one.pk for one in notebooks]
    counted = _events(owner, ids).values("note__notebook").annotate(n=Count("citation", distinct=True))
    news = {row["note__notebook"]: row["n"] for row in counted.order_by()}
    own = [one.pk for one in notebooks if one.owner_id == owner.person.pk] if not owner.is_pinned else []
    held = list(NotebookWatch.objects.filter(notebook__in=own).values_list("notebook_id", "watch_id"))
    if held:
        unread = {one.watch_id: one.unread for one in news_of(VisibleTargets(owner.person), since="read", each=1)}
        for notebook_id, watch_id in held:
            news[notebook_id] = news.get(notebook_id, 0) + unread.get(watch_id, 0)
    return {pk: count for pk, count in news.items() if count}


def mark_looked(notebook: Notebook, owner: Owner, *, upto: int, upto_news: int) -> None:
    """Note that the person looked, up to these events. What their watches told up to then is read too.

    Of numbers ahead of what has happened the newest counts: what is to come is not looked at.
    """
    upto = min(upto, NoteEvent.objects.aggregate(newest=Max("pk"))["newest"] or 0)
    upto_news = min(upto_news, newest_id())
    look, _made = NotebookLook.objects.get_or_create(notebook=notebook, person=owner.person)
    look.event_id, look.at = max(look.event_id, upto), timezone.now()
    look.save(update_fields=["event_id", "at"])
    if notebook.owner_id == owner.person.pk:
        held = NotebookWatch.objects.filter(notebook=notebook).values("watch")
        Watch.objects.filter(pk__in=held, read_id__lt=upto_news).update(read_id=upto_news)


def _events(owner: Owner, notebook_ids: Collection[int]) -> QuerySet[NoteEvent]:
    """What became of citations in notes whose law the person sees, after they looked."""
    looks = NotebookLook.objects.filter(notebook=OuterRef("note__notebook"), person=owner.person)
    seen = readable_in(owner, notebook_ids).values("pk")
    looked = Coalesce(Subquery(looks.values("event_id")), Value(0))
    return NoteEvent.objects.filter(note__in=seen).annotate(looked=looked).filter(pk__gt=F("looked"))
