"""Pinning what a note cites to a version, an address in it and words that stand there, and what became of these."""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date

from django.utils import timezone
from django.utils.translation import gettext as _

from kb_project.errors import Conflict, Invalid, TooLarge
from keeping.models import NoteCitation
from keeping.people import Owner
from law.citations.provision_names import name_of
from law.comparison.provision_texts import ProvisionText
from law.comparison.standing import quote_stands
from law.comparison.wording import normal_forms
from sources import provisions
from sources.changes.coming import Coming, coming_of_citation
from sources.models import Source, Work
from sources.standing import PinnedCitation, Standing, StandingStatus, WorkReader

MAX_TEXT_LENGTH = 20_000  # characters of a provision that are kept
STORED = (
    "work_id",
    "topic",
    "status",
    "since",
    "now",
    "now_eid",
    "now_number",
    "now_text",
    "terms",
    "quote_stands",
    "is_unread",
    "looked_at",
    "coming_from",
    "coming_status",
    "coming_id",
    "coming_eid",
)
"""The fields of a citation that `read_standings` writes."""


@dataclass(frozen=True, kw_only=True)
class CitedWords:
    """Words of a provision, or the provision as a whole, or with neither the document.

    `n` is its number in the text of the note, counted from 1 where that is None. `is_verified` says that the quote was
    held against the document before.
    """

    source_id: int
    eid: str = ""
    quote: str = ""
    n: int | None = None
    is_verified: bool = False


def sources_of(cited: Sequence[CitedWords], owner: Owner) -> dict[int, Source]:
    """The documents that are cited. Raises Invalid for one that the person does not see."""
    wanted = {one.source_id for one in cited}
    found = Source.objects.filter(pk__in=wanted)
    seen = found if owner.within is None else found.filter(topic__in=owner.within)
    sources = {one.pk: one for one in seen}
    if len(sources) < len(wanted):
        sentence = _("There is no such document.")
        if any(one.is_verified for one in cited):
            raise Conflict(_("A document that the answer cites is not here any more. Ask again."))
        raise Invalid(sentence, errors={"citations": [sentence]})
    return sources


def pin(cited: Iterable[CitedWords], sources: dict[int, Source], *, day: date) -> list[NoteCitation]:
    """Rows that are not stored yet. Raises Invalid for a provision or words that are not there, and TooLarge."""
    readers = {work_id: WorkReader(work_id) for work_id in {source.work_id for source in sources.values()}}
    return [
        _pinned(one, n if one.n is None else one.n, sources[one.source_id], readers, day)
        for n, one in enumerate(cited, 1)
    ]


def _pinned(one: CitedWords, n: int, source: Source, readers: dict[int, WorkReader], day: date) -> NoteCitation:
    reader = readers[source.work_id]
    pinned = PinnedCitation(work_id=source.work_id, source_id=source.pk, eid=one.eid, quote=one.quote, day=day)
    text = reader.cited(pinned) if one.eid or one.quote else None
    _check(one, text)
    now = reader.version_on(timezone.localdate())
    is_law = now is not None and now.pk == source.pk
    return NoteCitation(
        n=n,
        topic_id=source.topic_id,
        work_id=source.work_id,
        source_id=source.pk,
        eid=text.eid if text else "",
        number=text.number.strip(" .") if text else "",
        title=source.title or source.identifier,
        quote=one.quote,
        quote_sha256=hashlib.sha256(one.quote.encode()).hexdigest() if one.quote else "",
        text=text.text if text and len(text.text) <= MAX_TEXT_LENGTH else "",
        now_id=source.pk if is_law else None,
        now_eid=text.eid if text and is_law else "",
        now_number=text.number.strip(" .") if text and is_law else "",
        looked_at=timezone.now() if is_law else None,
    )


def _check(one: CitedWords, text: ProvisionText | None) -> None:
    if one.is_verified:
        return
    sentence = ""
    if one.eid and text is None:
        sentence = _("The document has no such provision.")
    elif one.quote:
        whole = text or ProvisionText("", provisions.whole_text(one.source_id))
        if not quote_stands(one.quote, whole):
            sentence = _("These words do not stand there.")
    if sentence:
        raise Invalid(sentence, errors={"citations": [sentence]})


def named(one: NoteCitation, source: Source) -> str:
    """What is cited, as it is called: the provision and its document."""
    held = provisions.holders([(source.pk, one.eid)]).get((source.pk, one.eid)) if one.eid else None
    name = (name_of(held, source=source) or held.number or held.heading) if held else ""
    return f"{name} · {source}" if name else str(source)


def pin_of(one: NoteCitation, work_id: int) -> PinnedCitation:
    """A citation as it is looked at. The text is what was kept of the provision."""
    return PinnedCitation(
        work_id=work_id,
        source_id=one.source_id,
        eid=one.eid,
        quote=one.quote,
        day=one.note.day,
        text=one.text,
        number=one.number,
    )


def read_standings(work_id: int, cited: Sequence[NoteCitation], *, day: date) -> None:
    """Write into citations of a work what became of them by a day. What is too large to be compared says so."""
    reader = WorkReader(work_id)
    topics = dict(Source.objects.filter(pk__in=[one.source_id for one in cited]).values_list("pk", "topic_id"))
    of_work = Work.objects.filter(pk=work_id).values_list("topic_id", flat=True).first()
    known: dict[PinnedCitation, tuple[Standing, Coming | None] | None] = {}
    for one in cited:
        pin = pin_of(one, work_id)
        if pin not in known:
            known[pin] = _standing(reader, pin, day)
        one.work_id, one.looked_at = work_id, timezone.now()
        one.topic_id = topics.get(one.source_id, of_work or one.topic_id)
        found = known[pin]
        one.is_unread = found is None
        if found is not None:
            _write(one, *found)


def _standing(reader: WorkReader, pin: PinnedCitation, day: date) -> tuple[Standing, Coming | None] | None:
    """What became of it by the day, and what is known to become of it next. None where that is too large.

    Where the version still reads as it did, it is followed from there, with all that stands around it."""
    alone = replace(pin, text="", number="")
    try:
        cited = reader.cited(alone)
        followed = alone if cited is not None and cited.text[:MAX_TEXT_LENGTH] == pin.text else pin
        return reader.read(followed, day), coming_of_citation(reader, followed, day=day)
    except TooLarge:
        return None


def _write(one: NoteCitation, standing: Standing, coming: Coming | None) -> None:
    now = standing.now
    one.status, one.since = standing.status.value, standing.since
    one.now_id = standing.version if isinstance(standing.version, int) else None
    one.now_eid, one.now_number = (now.eid, now.number.strip(" .")) if now else ("", "")
    one.now_text = now.text if now and len(now.text) <= MAX_TEXT_LENGTH else ""
    one.terms = list(standing.terms)
    one.coming_from, one.coming_status = (coming.day, coming.status.value) if coming else (None, "")
    one.coming_id, one.coming_eid = (coming.source_id, coming.eid) if coming else (None, "")
    one.quote_stands = standing.quote_stands or (not one.quote and standing.status is StandingStatus.STANDS)


def told(one: NoteCitation) -> tuple[object, ...]:
    """What there is to tell of a citation. What stands says the same in each version."""
    said: tuple[object, ...] = ()
    if one.status in (StandingStatus.CHANGED, StandingStatus.RENUMBERED):
        said = (one.now_eid, normal_forms(one.now_text))
    elif one.status == StandingStatus.DEFINITION_CHANGED:
        said = tuple(one.terms)
    return (one.status, *said)
