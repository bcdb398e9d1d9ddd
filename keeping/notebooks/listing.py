"""What of notes is shown to a person, and what is found in them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from answers.writing.statements.support import unsupported
from kb_project.registries import complete
from keeping.models import Note, Notebook, NoteCitation, NoteKind
from keeping.notebooks.visibility import notes_for, seen_by, with_citations
from keeping.people import Owner
from law.comparison.statuses import StandingStatus
from sources.changes.coming import Coming
from sources.provisions import address

BECAME = complete(
    StandingStatus,
    {
        StandingStatus.STANDS: gettext_lazy("Stands"),
        StandingStatus.CHANGED: gettext_lazy("Changed"),
        StandingStatus.RENUMBERED: gettext_lazy("Renumbered"),
        StandingStatus.REPEALED: gettext_lazy("Repealed"),
        StandingStatus.NOT_HERE: gettext_lazy("Not here any more"),
        StandingStatus.DEFINITION_CHANGED: gettext_lazy("A definition changed"),
    },
)
CSS = {StandingStatus.RENUMBERED: "moved", StandingStatus.REPEALED: "removed", StandingStatus.NOT_HERE: "removed"}
MAX_WORDS_LENGTH = 200  # that notes are searched for


def notebooks_of(owner: Owner, *, words: str = "") -> QuerySet[Notebook]:
    """Those that a person sees, their own first, with how many notes they have. With `words`, those that have them."""
    found = seen_by(owner)
    if words:
        notes = notes_for(owner).filter(notebook=OuterRef("pk"))
        found = found.filter(Q(name__icontains=words) | Exists(notes.filter(_has(words))))
    own = Q(owner=owner.person)
    return found.annotate(note_count=Count("notes", distinct=True), is_others=~own).order_by("is_others", "name", "pk")


def notes_of(notebooks: QuerySet[Notebook], owner: Owner, *, words: str = "", tag: str = "") -> QuerySet[Note]:
    """The notes of notebooks in their order. With `words` or a `tag`, those that have it where the person sees it."""
    found = notes_for(owner).filter(notebook__in=notebooks).select_related("notebook__owner", "topic")
    if words:
        found = found.filter(_has(words))
    if tag:
        found = found.filter(tags__contains=[tag])
    return with_citations(found)


def _has(words: str) -> Q:
    """Law that somebody may not see is not found either."""
    quoted = NoteCitation.objects.filter(note=OuterRef("pk")).filter(
        Q(quote__icontains=words) | Q(title__icontains=words)
    )
    law = Q(title__icontains=words) | Q(text__icontains=words) | Q(Exists(quoted))
    return Q(remark__icontains=words) | Q(tags__icontains=words) | (Q(is_readable=True) & law)


@dataclass(frozen=True)
class ShownCitation:
    """A citation with its addresses. `now` is what stands for it today, None where that is what was cited."""

    row: NoteCitation

    @property
    def url(self) -> str:
        return address(self.row.source_id, self.row.eid)

    @property
    def stands(self) -> bool:
        return self.row.status == StandingStatus.STANDS

    @property
    def outcome(self) -> str:
        return str(BECAME[StandingStatus(self.row.status)])

    @property
    def quote_said(self) -> str:
        """What became of the quoted words, beside what became of the provision. '' where nothing is to be said."""
        row = self.row
        if not row.quote or row.words_stand is None:
            return ""
        if not row.words_stand:
            return _("The quoted words are not there any more.")
        if row.status == StandingStatus.CHANGED:
            return _("The quoted words stand. The provision changed elsewhere.")
        return "" if self.stands else _("The quoted words stand.")

    @property
    def coming(self) -> Coming | None:
        """What is known to become of it on a day to come."""
        row = self.row
        if row.coming_from is None or row.coming_from <= timezone.localdate():
            return None  # the day is here, and it is looked at soon
        return Coming(row.coming_from, StandingStatus(row.coming_status), row.coming_id, row.coming_eid)

    @property
    def css(self) -> str:
        return CSS.get(StandingStatus(self.row.status), "warning")

    @property
    def now(self) -> Mapping[str, Any] | None:
        one = self.row
        if one.now is None or (one.now_id, one.now_eid) == (one.source_id, one.eid):
            return None
        if one.eid and not one.now_eid:
            return None
        return {
            "source_id": one.now_id,
            "title": str(one.now),
            "eid": one.now_eid,
            "number": one.now_number,
            "text": one.now_text,
            "url": address(one.now_id or 0, one.now_eid),
        }


@dataclass(frozen=True)
class ShownNote:
    """A note as a person sees it. Of one that is not `readable` they see that it is there, and its owner's words."""

    row: Note
    is_own: bool = False

    @property
    def readable(self) -> bool:
        return bool(self.row.is_readable)  # type: ignore[attr-defined]  # `notes_in`

    @property
    def words(self) -> str:
        """What tells on which side it stands."""
        return f"{self.row.title} {self.row.text}" if self.readable else ""

    @property
    def citations(self) -> Sequence[ShownCitation]:
        return [ShownCitation(one) for one in self.row.citations.all()] if self.readable else []

    @property
    def fallen(self) -> Sequence[ShownCitation]:
        """Those that do not stand any more."""
        return [one for one in self.citations if not one.stands]

    @property
    def unsupported(self) -> Sequence[tuple[int, int]]:
        """Ranges of characters of an answer: sentences that none of its quotes supports."""
        if not self.readable or self.row.kind != NoteKind.ANSWER:
            return []
        return list(unsupported(self.row.text, [one.row.quote for one in self.citations]))

    @property
    def url(self) -> str:
        """The page that asks it again for its day, or shows it. '' of what is not readable."""
        return self._url(self.row.day) if self.readable else ""

    @property
    def url_today(self) -> str:
        """The same for today."""
        return self._url(None) if self.readable else ""

    @property
    def asked_today(self) -> str:
        """The query of the address that searches again."""
        return self.url_today.partition("?")[2]

    def _url(self, day: date | None) -> str:
        if self.row.kind in (NoteKind.SEARCH, NoteKind.ANSWER):
            asked: dict[str, Any] = {"q": self.row.title, "topic": self.row.topic_id, "as_of": day}
            filters = self.row.asked.get("filters", {})
            asked |= filters if self.is_own else {**filters, "label": []}  # it may be of a topic they do not see
            asked["ask"] = "1" if self.row.kind == NoteKind.ANSWER else ""
            return f"{reverse('home')}?{urlencode({k: v for k, v in asked.items() if v}, doseq=True)}"
        if self.row.kind == NoteKind.CHECK:
            return self._report_url()
        cited = self.citations
        if self.row.kind == NoteKind.COMPARISON and len(cited) == 2:
            return reverse("document-compare", args=[cited[0].row.source_id, cited[1].row.source_id])
        return cited[0].url if cited else ""

    def _report_url(self) -> str:
        """The report of a check, for as long as it is kept and for whose it is."""
        asked = self.row.asked
        last_day = datetime.fromisoformat(asked["checked_at"]) + timedelta(days=settings.KB_CHECK_DAYS)
        is_there = self.is_own and timezone.now() < last_day
        return reverse("check-report", args=[asked["check"]]) if is_there else ""


def shown(notes: Iterable[Note], owner: Owner) -> list[ShownNote]:
    """Notes with their notebooks as the person sees them."""
    return [ShownNote(one, is_own=one.notebook.owner_id == owner.person.pk) for one in notes]
