"""What the text of a document leads to, and what leads to it: links, counts, previews and the list of who cites it."""

from collections import Counter
from collections.abc import Sequence
from itertools import takewhile

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.text import Truncator
from django.utils.translation import gettext as _

from kb_project.screens import pictures
from law.citations.provision_names import citation
from law.metadata.head import HeadPage
from law.metadata.kind import CAPTION_WITHIN, Case, find_case
from law.metadata.lines import lines_of
from law.structure.provisions import ProvisionKind
from reading.documents.citing import citing_groups
from reading.documents.shown import TextAnnotations
from search.shown.access import of_source, part_of_source
from search.shown.marked import MarkedLink, Ranges
from sources import provisions
from sources.changes.coming import coming_in
from sources.kinds import SourceKind
from sources.models import Chunk, Provision, Reference, Source
from sources.provisions import address
from sources.references.listing import (
    DocumentCount,
    WorkProvision,
    cited_counts,
    citing,
    documents_of,
    is_found,
    references_of,
    status_of,
)
from sources.references.status import ResolutionStatus

MAX_PREVIEW_LENGTH = 600  # characters
MAX_IN_PICTURE_LENGTH = 30
MAX_SIGNATURES = 20


def overlay(source: Source, stored: Sequence[Provision], *, start: int, end: int, marks: Ranges) -> TextAnnotations:
    """The links in some characters of a document, how often its provisions are cited, and what becomes of them."""
    inside = references_of(source).filter(span_start__lt=end, span_end__gt=start)
    links = [_link(one) for one in inside if not _is_own_title(one)]
    counts = cited_counts(WorkProvision(source.work_id, one.eid) for one in stored)
    return TextAnnotations(
        marks=marks,
        links=links,
        cited={place.eid: times for place, times in counts.items()},
        coming=coming_in(source),
        signatures=signatures(source),
    )


def signatures(source: Source) -> frozenset[int]:
    """The provisions that are lines of a judgment's signatures, by id."""
    if source.kind != SourceKind.CASELAW:
        return frozenset()
    last = provisions.in_order(source.pk).reverse()[:MAX_SIGNATURES]
    signed = takewhile(lambda one: not one.number and one.span_end - one.span_start <= len(one.heading) + 1, last)
    return frozenset(one.pk for one in signed)


def case_of(source: Source) -> Case | None:
    """What a judgment's caption says of it. None for what is no judgment."""
    if source.kind != SourceKind.CASELAW:
        return None
    begins = Chunk.objects.filter(source=source, seq__lt=CAPTION_WITHIN).order_by("seq").values_list("text", flat=True)
    return find_case(lines_of(HeadPage(None, text) for text in begins), is_judgment=True)


def _is_own_title(reference: Reference) -> bool:
    """Whether the document names itself: that leads nowhere else."""
    return reference.target_id == reference.source_id and not reference.target_eid and is_found(reference)


def _link(reference: Reference) -> MarkedLink:
    place = (reference.span_start, reference.span_end)
    if reference.target is None or not is_found(reference):
        return MarkedLink(*place, "", _not_found(reference))
    if reference.target_id == reference.source_id:
        return MarkedLink(*place, f"#{reference.target_eid}")  # whatever else the page's address has
    return MarkedLink(*place, address(reference.target.pk, reference.target_eid))


def _not_found(reference: Reference) -> str:
    if reference.target is not None or reference.internal:
        return _("This provision was not found in the document.")
    if reference.is_ambiguous:
        return _("More than one document may be meant.")
    if status_of(reference) == ResolutionStatus.UNREAD:
        return _("It was not read of which document this is.")
    return _("This document is not here.")


@part_of_source
def preview(request: HttpRequest, source: Source) -> HttpResponse:
    """The beginning of a provision, or of the document, as a fragment that links open."""
    eid = request.GET.get("eid", "")
    passage = provisions.read(source.pk, eid) if eid else None
    if eid and passage is None:
        raise Http404
    text = passage.text if passage else _beginning(source)
    context = {
        "source": source,
        "cited": _cited(source, passage.provision if passage else None),
        "holds": source.said_on(provision=passage.provision if passage else None),
        "above": passage.ancestors if passage else (),
        "text": text[:MAX_PREVIEW_LENGTH].rstrip(),
        "is_cut": len(text) > MAX_PREVIEW_LENGTH,
        "path": address(source.pk, eid),
    }
    return render(request, "search/_preview.html", context)


def _cited_sections(source: Source) -> list[tuple[Provision, int]]:
    """The numbered sections that others refer to, in the order of the text, with how often."""
    sections = list(provisions.in_order(source.pk).filter(kind=ProvisionKind.SECTION).exclude(number=""))
    counts = cited_counts(WorkProvision(source.work_id, one.eid) for one in sections)
    return [(one, times) for one in sections if (times := counts.get(WorkProvision(source.work_id, one.eid)))]


def _cited(source: Source, provision: Provision | None) -> str:
    return citation(provision, source=source, label=provision.heading) if provision else str(source)


def _beginning(source: Source) -> str:
    return Chunk.objects.filter(source=source, seq=0).values_list("text", flat=True).first() or ""


def _counts(found: Sequence[DocumentCount]) -> dict[str, int]:
    counts: Counter[str] = Counter()
    for one in found:
        counts[_short(one.title)] += one.times
    return dict(counts)


def _short(title: str) -> str:
    return Truncator(title).chars(MAX_IN_PICTURE_LENGTH)


@of_source
def cited_by(request: HttpRequest, source: Source) -> HttpResponse:
    """Who refers to a document or to a provision of it, by kind. `group` with `page` shows more of one of them."""
    eid = request.GET.get("eid", "")
    provision = provisions.find(source.pk, eid) if eid else None
    if eid and provision is None:
        raise Http404
    found, only = citing(source, provision), request.GET.get("group", "")
    is_fragment = bool(request.headers.get("HX-Request"))
    cites = references_of(source, provision).filter(target__isnull=False)
    away = [] if is_fragment or only else documents_of(cites, "target")
    to = [] if is_fragment or only else documents_of(found, "source")
    context = {
        "source": source,
        "eid": eid,
        "sections": [] if is_fragment or only else _cited_sections(source),
        "cited": _cited(source, provision),
        "path": address(source.pk, eid),
        "groups": list(citing_groups(found, work_id=source.work_id, only=only, page=request.GET.get("page", ""))),
        "is_whole": not only,
        "cites": away,
        "picture": pictures.ways(_counts(to), _short(_cited(source, provision)), _counts(away)) if to or away else None,
    }
    return render(request, "search/_cited_by.html" if is_fragment else "search/cited_by.html", context)
