"""Marking words of a document, changing what was marked, and finding it. All of it is of one person."""

from dataclasses import dataclass
from datetime import date, timedelta

from django.db.models import BigIntegerField, Exists, OuterRef, Q, QuerySet, Subquery
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Cast, Coalesce
from django.utils import timezone
from django.utils.translation import gettext as _

from kb_project.errors import Conflict, Invalid, NotFound
from keeping.highlights.placing import holder
from keeping.models import Highlight
from keeping.people import Owner
from law.comparison.anchors import Anchor, are_alike, best, literal_places, worded_places
from law.comparison.wording import words
from sources import provisions
from sources.comparison import MAX_CHARACTERS
from sources.models import Source, TrashedSource, Work

MAX_WORDS_LENGTH = 2_000  # characters that are marked
MAX_AROUND_LENGTH = 200  # characters before or behind that a request may give
MAX_NOTE_LENGTH = 4_000
MAX_OF_A_WORK = 500
MAX_OF_A_PERSON = 20_000


@dataclass(frozen=True, kw_only=True)
class ChosenWords:
    """What is to be marked. `eid` and `start`, a character of the document, tell between places that have the words."""

    anchor: Anchor
    eid: str = ""
    start: int | None = None


def of_version(owner: Owner, version: Source) -> QuerySet[Highlight]:
    """What the person marked in any version of a version's work, in the order in which they did."""
    versions = Source.objects.filter(work_id=version.work_id).values("pk")
    is_there = Exists(Source.objects.filter(pk=OuterRef("source_id")))
    gone = Q(work_id=version.work_id) & ~is_there
    return Highlight.objects.filter(Q(source__in=versions) | gone, person=owner.person).order_by("pk")


def find(owner: Owner, highlight_id: int) -> Highlight:
    """One of the person's own, in a topic that they see now. Raises NotFound."""
    found = Highlight.objects.filter(pk=highlight_id, person=owner.person)
    if owner.within is not None:
        source = Source.objects.filter(pk=OuterRef("source_id")).values("topic_id")
        work = Work.objects.filter(pk=OuterRef("work_id")).values("topic_id")
        found = found.annotate(topic=Coalesce(Subquery(source), Subquery(work))).filter(topic__in=owner.within)
    highlight = found.first()
    if highlight is None:
        raise NotFound(_("You have no such highlight."))
    return highlight


def mark(owner: Owner, version: Source, chosen: ChosenWords, *, colour: str, note: str) -> Highlight:
    """Mark words of a version. Raises Invalid where they are not in it, or at several places, and Conflict."""
    if of_version(owner, version).count() >= MAX_OF_A_WORK:
        raise Conflict(_("You have %(n)s highlights in this document. There can be no more.") % {"n": MAX_OF_A_WORK})
    if Highlight.objects.filter(person=owner.person).count() >= MAX_OF_A_PERSON:
        raise Conflict(_("You have %(n)s highlights. There can be no more.") % {"n": MAX_OF_A_PERSON})
    text = provisions.whole_text(version.pk)
    start, end = _place(version, text, chosen)
    anchor = Anchor.at(text, start, end)
    held = holder(list(provisions.in_order(version.pk)), start)
    return Highlight.objects.create(
        person=owner.person,
        work_id=version.work_id,
        source=version,
        eid=held.eid if held else "",
        number=held.number if held else "",
        day=_day(version),
        start=start,
        exact=anchor.exact,
        prefix=anchor.prefix,
        suffix=anchor.suffix,
        colour=colour,
        note=note,
    )


def change(highlight: Highlight, *, colour: str | None = None, note: str | None = None) -> Highlight:
    """Give it another colour or note. None leaves it as it is."""
    highlight.colour = highlight.colour if colour is None else colour
    highlight.note = highlight.note if note is None else note
    highlight.save(update_fields=["colour", "note"])
    return highlight


def forget_lost() -> int:
    """Delete what was marked in works that are gone, with nothing of them in the trash. Returns how many."""
    is_there = Exists(Source.objects.filter(pk=OuterRef("source_id"))) | Exists(
        Work.objects.filter(pk=OuterRef("work_id"))
    )
    work_id = Cast(KeyTextTransform("work_id", "row"), BigIntegerField())
    thrown = TrashedSource.objects.annotate(work_id=work_id)
    in_trash = Exists(thrown.filter(Q(pk=OuterRef("source_id")) | Q(work_id=OuterRef("work_id"))))
    return Highlight.objects.exclude(is_there | in_trash).delete()[0]


def _place(version: Source, text: str, chosen: ChosenWords) -> tuple[int, int]:
    found = literal_places(text, chosen.anchor)
    if not found and len(text) <= MAX_CHARACTERS:
        found = worded_places(text, chosen.anchor, [one.form for one in chosen.anchor.words], words(text))
    if chosen.eid:
        provision = provisions.find(version.pk, chosen.eid)
        if provision is None:
            raise _refusal("eid", _("There is no such provision."))
        found = [one for one in found if provision.span_start <= one.start < provision.span_end]
    place = best(found, near=chosen.start)
    if place is None:
        raise _refusal("exact", _("These words are not in the document."))
    if chosen.start is None and are_alike(found):
        raise _refusal("exact", _("These words stand at several places. Say what is before or behind them."))
    return place.start, place.end


def _refusal(field: str, sentence: str) -> Invalid:
    return Invalid(sentence, errors={field: [sentence]})


def _day(version: Source) -> date:
    """Today, or the day nearest to it on which the version is in force."""
    days, today = version.days, timezone.localdate()
    return max(days.first, today) if days.end is None else min(max(days.first, today), days.end - timedelta(days=1))
