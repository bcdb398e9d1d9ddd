"""Pinning what a note cites: to a version, an address in it, and words that stand there."""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from django.utils import timezone
from django.utils.translation import gettext as _

from kb_project.errors import Conflict, Invalid
from keeping.models import NoteCitation
from keeping.notebooks.standings import LONGEST_TEXT
from keeping.people import Keeper
from law.citations.provision_names import name_of
from law.comparison.provision_texts import ProvisionText
from law.comparison.standing import quote_stands
from sources import provisions
from sources.models import Source
from sources.standing import PinnedCitation, WorkReader


@dataclass(frozen=True, kw_only=True)
class CitedPlace:
    """Words of a provision, or the provision as a whole, or with neither the document.

    `n` is its number in the text of the note, counted from 1 where that is None. `is_verified` says that the quote was
    held against the document before.
    """

    source_id: int
    eid: str = ""
    quote: str = ""
    n: int | None = None
    is_verified: bool = False


def sources_of(cited: Sequence[CitedPlace], keeper: Keeper) -> dict[int, Source]:
    """The documents that are cited. Raises Invalid for one that the person does not see."""
    wanted = {one.source_id for one in cited}
    found = Source.objects.filter(pk__in=wanted)
    seen = found if keeper.within is None else found.filter(topic__in=keeper.within)
    sources = {one.pk: one for one in seen}
    if len(sources) < len(wanted):
        sentence = _("There is no such document.")
        if any(one.is_verified for one in cited):
            raise Conflict(_("A document that the answer cites is not here any more. Ask again."))
        raise Invalid(sentence, errors={"citations": [sentence]})
    return sources


def pin(cited: Iterable[CitedPlace], sources: dict[int, Source], *, day: date) -> list[NoteCitation]:
    """Rows that are not stored yet. Raises Invalid for a provision or words that are not there, and TooLarge."""
    readers = {work_id: WorkReader(work_id) for work_id in {source.work_id for source in sources.values()}}
    return [
        _pinned(one, n if one.n is None else one.n, sources[one.source_id], readers, day)
        for n, one in enumerate(cited, 1)
    ]


def _pinned(one: CitedPlace, n: int, source: Source, readers: dict[int, WorkReader], day: date) -> NoteCitation:
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
        text=text.text if text and len(text.text) <= LONGEST_TEXT else "",
        now_id=source.pk if is_law else None,
        now_eid=text.eid if text and is_law else "",
        now_number=text.number.strip(" .") if text and is_law else "",
        looked_at=timezone.now() if is_law else None,
    )


def _check(one: CitedPlace, text: ProvisionText | None) -> None:
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
