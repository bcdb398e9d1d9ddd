"""What a document cites, and what cites it."""

from collections import Counter
from collections.abc import Iterable
from typing import Literal, NamedTuple

from django.db.models import Count, F, Q, QuerySet, TextField, Value
from django.db.models.functions import Coalesce, NullIf

from kb_project.database.rows import fetch
from law.references.reasons import Reason, reasons_of
from sources.models import Provision, Reference, Source
from sources.provisions import upwards
from sources.references.status import ResolutionStatus

MAX_DOCUMENTS = 8  # of a picture
WHOLE = ""  # in place of an address: the document
UNREAD = Q(internal=False) & (Q(act_key="") | Q(cites__has_key="unread"))  # of which act it is was not read
HERE = {"target__title__isnull": False}  # asked of the source itself: a note of its deletion may still wait


def references_of(source: Source, provision: Provision | None = None) -> QuerySet[Reference]:
    """What stands in a document, or in one provision of it, in the order of the text."""
    found = Reference.objects.filter(source=source)
    if provision is not None:
        found = found.filter(span_start__gte=provision.span_start, span_end__lte=provision.span_end)
    return found.select_related("source", "target").order_by("span_start", "pk")


def citing(source: Source, provision: Provision | None = None, *, with_own: bool = True) -> QuerySet[Reference]:
    """What refers to a document, or to one provision of it or to what is inside that, newest documents first.

    A reference leads to one version of a work, and is one to the others too. Those of the work itself are its own:
    `with_own` says whether they are among them.
    """
    found = Reference.objects.filter(target__work_id=source.work_id)
    if not with_own:
        found = found.exclude(source__work_id=source.work_id)
    if provision is not None:
        found = found.filter(_at(provision.eid))
    newest = F("source__published_at").desc(nulls_last=True)
    return found.select_related("source", "target").order_by(newest, "-source_id", "span_start", "pk")


class WorkProvision(NamedTuple):
    """A work, or the provision of it that has an address in any version."""

    work_id: int
    eid: str = WHOLE


class DocumentCount(NamedTuple):
    """A document, and how many references are from it or to it."""

    pk: int
    title: str
    times: int


def documents_of(references: QuerySet[Reference], side: Literal["source", "target"]) -> list[DocumentCount]:
    """The other documents that references are from, or lead to, those with most first, `MAX_DOCUMENTS` of them."""
    title = Coalesce(NullIf(f"{side}__title", Value("")), f"{side}__identifier", output_field=TextField())
    rows = (
        references.filter(internal=False, **HERE)
        .order_by()
        .values_list(f"{side}_id", title)
        .annotate(times=Count("pk"))
    )
    return [DocumentCount(*row) for row in rows.order_by("-times", f"{side}_id")[:MAX_DOCUMENTS]]


def with_status(references: QuerySet[Reference], status: ResolutionStatus) -> QuerySet[Reference]:
    """Those of a status, as `status_of` tells it."""
    if status == ResolutionStatus.RESOLVED:
        return references.filter(**HERE)
    others = references.exclude(**HERE).filter(is_ambiguous=status == ResolutionStatus.AMBIGUOUS)
    if status == ResolutionStatus.AMBIGUOUS:
        return others
    return others.filter(UNREAD) if status == ResolutionStatus.UNREAD else others.exclude(UNREAD)


def as_certain(references: QuerySet[Reference], certainty: float) -> QuerySet[Reference]:
    """Those whose act is at least so certain. At 0 also those of which that is not known."""
    of_number = Q(cites__has_key="unread") & Q(**HERE)
    return references.filter(Q(reason__in=reasons_of(certainty)) | of_number) if certainty else references


def reason_of(reference: Reference) -> Reason | None:
    """Why it is taken to be of its act, None where that is not known."""
    if reference.cites.get("unread"):  # a number that no form reads, and that a document bears
        return Reason.NAMED if reference.target is not None else None
    return Reason(reference.reason) if reference.reason else None


def status_of(reference: Reference) -> ResolutionStatus:
    """Whether it leads anywhere. `target` has to be fetched with it."""
    if reference.target is not None:
        return ResolutionStatus.RESOLVED
    if reference.is_ambiguous:
        return ResolutionStatus.AMBIGUOUS
    is_read = reference.internal or (reference.act_key and not reference.cites.get("unread"))
    return ResolutionStatus.NOT_HERE if is_read else ResolutionStatus.UNREAD


def is_found(reference: Reference) -> bool:
    """Whether what it cites is there: the provision, or the document if that is cited as a whole."""
    cited = reference.cites
    is_within = cited["number"] or cited["clauses"] or cited["divisions"]
    return reference.target is not None and bool(reference.target_eid or not is_within)


def cited_counts(places: Iterable[WorkProvision], *, with_own: bool = False) -> dict[WorkProvision, int]:
    """How often each of these places is cited, as `citing` lists it: a reference counts once for each that it is of.

    In one query for any number of places. Those that are not cited are left out.
    """
    wanted = set(places)
    rows = fetch(
        """
        SELECT t.work_id, CASE WHEN %(eids)s::boolean THEN r.target_eid ELSE '' END,
            CASE WHEN %(eids)s::boolean THEN r.target_between END, count(*)
        FROM kb_source t JOIN kb_reference r ON r.target_id = t.id JOIN kb_source s ON s.id = r.source_id
        WHERE t.work_id = ANY(%(works)s::bigint[]) AND (%(own)s::boolean OR s.work_id <> t.work_id) GROUP BY 1, 2, 3
        """,
        {
            "works": sorted({one.work_id for one in wanted}),
            "eids": any(one.eid for one in wanted),
            "own": with_own,
        },
    )
    counts = Counter[WorkProvision]()
    for work_id, eid, between, times in rows:
        cited = {WHOLE, *upwards(eid), *(between or ())}
        counts.update({place: times for place in (WorkProvision(work_id, one) for one in cited) if place in wanted})
    return dict(counts)


def _at(eid: str) -> Q:
    """At the provision, inside it (a backtick is what comes after the underscore), or to a range that holds it."""
    inside = Q(target_eid__gte=f"{eid}__", target_eid__lt=f"{eid}_`")
    return Q(target_eid=eid) | inside | Q(target_between__contains=[eid])
