"""What of the radar there is for a reader, as the page, the API and the file show it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Prefetch, QuerySet
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from law.citations.provision_names import name_of
from reading.documents.citing import texts_around
from search.shown.marked import excerpt, marked, sentence
from sources import provisions
from sources.models import Provision, Source, StaleReference
from sources.provisions import address
from topics.models import Topic

BECAME = {"changed": _("Changed"), "renumbered": _("Renumbered"), "repealed": _("Repealed")}
CSS = {"changed": "changed", "renumbered": "moved", "repealed": "removed"}


@dataclass(frozen=True, slots=True)
class ShownStale:
    """A reference that is out of date: `number` is of the provision that it stands in, `text` the sentence around it.

    `cites` and `now` name the provision and the document that it means, with their addresses.
    """

    row: StaleReference
    number: str
    text: str
    sentence: SafeString
    cites: str
    cites_url: str
    now: str
    now_url: str

    @property
    def outcome(self) -> str:
        return str(BECAME[self.row.became])

    @property
    def css(self) -> str:
        return CSS[self.row.became]

    @property
    def url(self) -> str:
        return address(self.row.source_id, self.row.eid)


def stale_in(topics: Iterable[Topic]) -> QuerySet[StaleReference]:
    """What is out of date in topics today, the latest changes first."""
    sources = Source.objects.in_force(timezone.localdate()).filter(topic__in=topics)
    found = StaleReference.objects.filter(source__in=sources).order_by("-since", "-source_id", "span_start", "pk")
    read = Source.objects.select_related("topic").prefetch_related("labels")
    return found.prefetch_related(Prefetch("source", read), "cited", "now")


def shown(rows: Sequence[StaleReference]) -> list[ShownStale]:
    """Rows with their sentences and the names of what they mean. Two queries, however many there are."""
    meant = [(pk, eid) for one in rows for pk, eid in ((one.cited_id, one.cited_eid), (one.now_id, one.now_eid)) if pk]
    held = provisions.holders([*((one.source_id, one.eid) for one in rows), *meant])
    texts = texts_around(rows)
    return [_shown(one, held, texts) for one in rows]


def _shown(
    one: StaleReference, held: Mapping[tuple[int, str], Provision], texts: Mapping[int, tuple[str, int]]
) -> ShownStale:
    text, base = texts.get(one.pk, (one.text, one.span_start))
    start, end = one.span_start - base, min(one.span_end - base, len(text))
    first, last = sentence(text, start, end)
    begin, finish = excerpt(text[first:last], [(start - first, end - first)])
    within = held.get((one.source_id, one.eid))
    return ShownStale(
        row=one,
        number=within.number if within and within.eid == one.eid else "",
        text=text[first:last],
        sentence=marked(text, [(start, end)], start=first + begin, end=first + finish),
        cites=_named(one.cited, one.cited_eid, held),
        cites_url=address(one.cited.pk, one.cited_eid) if one.cited else "",
        now=_named(one.now, one.now_eid, held),
        now_url=address(one.now.pk, one.now_eid) if one.now else "",
    )


def _named(source: Source | None, eid: str, held: Mapping[tuple[int, str], Provision]) -> str:
    """The provision, or of a clause the one around it, and its document."""
    if source is None:
        return ""
    provision = held.get((source.pk, eid)) if eid else None
    name = (name_of(provision, source=source) or provision.number) if provision else ""
    return f"{name} · {source}" if name else str(source)
