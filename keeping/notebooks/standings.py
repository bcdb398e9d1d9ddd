"""What became of pinned citations, as it is stored with them."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from django.utils import timezone

from kb_project.errors import TooLarge
from keeping.models import NoteCitation
from law.comparison.wording import normal_forms
from sources.models import Source, Work
from sources.standing import PinnedCitation, Standing, StandingStatus, WorkReader

LONGEST_TEXT = 20_000  # characters of a provision that are kept
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
)
"""The fields of a citation that `read_standings` writes."""


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
    known: dict[PinnedCitation, Standing | None] = {}
    for one in cited:
        pin = pin_of(one, work_id)
        if pin not in known:
            known[pin] = _standing(reader, pin, day)
        one.work_id, one.looked_at = work_id, timezone.now()
        one.topic_id = topics.get(one.source_id, of_work or one.topic_id)
        standing = known[pin]
        one.is_unread = standing is None
        if standing is not None:
            _write(one, standing)


def _standing(reader: WorkReader, pin: PinnedCitation, day: date) -> Standing | None:
    """Where the version still reads as it did, it is followed from there, with all that stands around it."""
    alone = replace(pin, text="", number="")
    try:
        cited = reader.cited(alone)
        return reader.read(alone if cited is not None and cited.text[:LONGEST_TEXT] == pin.text else pin, day)
    except TooLarge:
        return None


def _write(one: NoteCitation, standing: Standing) -> None:
    now = standing.now
    one.status, one.since = standing.status.value, standing.since
    one.now_id = standing.version if isinstance(standing.version, int) else None
    one.now_eid, one.now_number = (now.eid, now.number.strip(" .")) if now else ("", "")
    one.now_text = now.text if now and len(now.text) <= LONGEST_TEXT else ""
    one.terms = list(standing.terms)
    one.quote_stands = standing.quote_stands or (not one.quote and standing.status is StandingStatus.STANDS)


def told(one: NoteCitation) -> tuple[object, ...]:
    """What there is to tell of a citation. What stands says the same in each version."""
    said: tuple[object, ...] = ()
    if one.status in (StandingStatus.CHANGED, StandingStatus.RENUMBERED):
        said = (one.now_eid, normal_forms(one.now_text))
    elif one.status == StandingStatus.DEFINITION_CHANGED:
        said = tuple(one.terms)
    return (one.status, *said)
