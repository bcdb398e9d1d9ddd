"""What a document is, as Akoma Ntoso identifies it: a work, its expression in a language, and this file of it."""

from collections.abc import Sequence
from datetime import date

from labels.models import Label
from law.languages import Language
from reading.akn.analysis import write_acts, write_analysis, write_lifecycle, write_periods
from reading.akn.elements import Elements
from reading.akn.modifications import Modifications
from sources.kinds import SourceKind
from sources.models import Source
from sources.provisions import address

# The type of document, and its name or subtype, by kind.
TYPES = {
    SourceKind.LAW: ("act", "law"),
    SourceKind.REGULATION: ("act", "regulation"),
    SourceKind.CIRCULAR: ("doc", "circular"),
    SourceKind.TOOL: ("doc", "tool"),
    SourceKind.CASELAW: ("judgment", "judgment"),
}
UNKNOWN = date.min  # the standard wants a date; its name says that it is unknown
FORMAT = "application/akn+xml"


def work_uri(source: Source, language: Language) -> str:
    """The address of the work, whatever its version and language: `/akn/il/act/law/2024-05-01/source-12`."""
    dated = [source.published_at.isoformat()] if source.published_at else []
    return "/".join(["/akn", language.country, *TYPES[SourceKind(source.kind)], *dated, f"source-{source.pk}"])


def write_meta(
    elements: Elements, source: Source, language: Language, labels: Sequence[Label], found: Modifications
) -> None:
    """The `meta` element."""
    with elements.element("meta"):
        with elements.element("identification", {"source": "#kb"}):
            _identify(elements, source, language)
        if labels:
            with elements.element("classification", {"source": "#kb"}):
                for label in labels:
                    elements.empty("keyword", value=label.slug, showAs=label.name, dictionary="/kb/labels")
        write_lifecycle(elements, found)
        write_analysis(elements, found)
        write_periods(elements, found)
        with elements.element("references", {"source": "#kb"}):
            write_acts(elements, found, language.country)
            for eid, shown in (("kb", "knowledge base"), ("author", "unknown")):
                href = f"/akn/ontology/organization/{language.country}/{eid}"
                elements.empty("TLCOrganization", eId=eid, href=href, showAs=shown)


def _identify(elements: Elements, source: Source, language: Language) -> None:
    """FRBR's three levels. A later version of a law will be another expression, by its date, of the same work."""
    work = work_uri(source, language)
    published = source.published_at.isoformat() if source.published_at else ""
    expression = f"{work}/{language.alpha_3}@{published}"
    with elements.element("FRBRWork"):
        _uris(elements, work, f"{work}/!main")
        elements.empty("FRBRalias", value=source.title, name="title")
        elements.empty("FRBRalias", value=address(source.pk), name="page")
        _made(elements, source.published_at, "publication", by="#author")
        elements.empty("FRBRcountry", value=language.country)
        elements.empty("FRBRsubtype", value=TYPES[SourceKind(source.kind)][1])
        if source.identifier:
            elements.empty("FRBRnumber", value=source.identifier)
        elements.empty("FRBRname", value=source.title)
    with elements.element("FRBRExpression"):
        _uris(elements, expression, f"{expression}/!main")
        _made(elements, source.published_at, "publication", by="#author")
        elements.empty("FRBRauthoritative", value="false")
        elements.empty("FRBRlanguage", language=language.alpha_3)
    with elements.element("FRBRManifestation"):
        _uris(elements, f"{expression}.akn", f"{expression}/!main.akn")
        _made(elements, source.created_at.date(), "conversion", by="#kb")
        elements.empty("FRBRformat", value=FORMAT)


def _uris(elements: Elements, uri: str, this: str) -> None:
    elements.empty("FRBRthis", value=this)
    elements.empty("FRBRuri", value=uri)


def _made(elements: Elements, on: date | None, name: str, *, by: str) -> None:
    elements.empty("FRBRdate", date=(on or UNKNOWN).isoformat(), name=name if on else "unknown")
    elements.empty("FRBRauthor", href=by)
