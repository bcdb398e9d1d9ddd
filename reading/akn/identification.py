"""What a document is, as Akoma Ntoso identifies it: a work, its expression in a language, and this file of it.

Beside it what changes it makes or was made by, and when: `lifecycle`, `analysis` and `temporalData`.
"""

from collections.abc import Sequence
from datetime import date

from labels.models import Label
from law.languages import Language
from reading.akn.elements import Elements
from reading.akn.modifications import FORCE, Modification, Modifications
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
AMENDING = "amending"


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


def write_lifecycle(elements: Elements, found: Modifications) -> None:
    """An event for each day on which something begins or ends."""
    if found.days:
        by = {"type": "amendment", "source": f"#{AMENDING}"} if found.passive else {"source": "#kb"}
        with elements.element("lifecycle", {"source": "#kb"}):
            for number, day in enumerate(found.days, 1):
                elements.empty("eventRef", eId=f"event_{number}", date=day.isoformat(), **by)


def write_analysis(elements: Elements, found: Modifications) -> None:
    """Each change, with the period in which it is in force."""
    if not found.all:
        return
    with elements.element("analysis", {"source": "#kb"}):
        for name, made in (("active", found.active), ("passive", found.passive)):
            if made:
                with elements.element(f"{name}Modifications"):
                    for number, one in enumerate(made, 1):
                        _write(elements, one, f"{name[0]}mod_{number}", found)


def write_periods(elements: Elements, found: Modifications) -> None:
    """A group for each period in which something is in force."""
    if found.periods:
        with elements.element("temporalData", {"source": "#kb"}):
            for number, (begins, ends) in enumerate(found.periods, 1):
                with elements.element("temporalGroup", {"eId": f"tmpg_{number}"}):
                    until = {"end": f"#event_{found.days.index(ends) + 1}"} if ends else {}
                    start = f"#event_{found.days.index(begins) + 1}"
                    elements.empty("timeInterval", refersTo="#inForce", start=start, **until)


def write_acts(elements: Elements, found: Modifications, country: str) -> None:
    """The act that made a document, and those that it changes: by address, or by name where they have none."""
    named = {f"act_{number}": name for number, name in enumerate(found.named, 1)}
    if found.amending:
        address, title = found.amending
        if address:
            elements.empty("passiveRef", eId=AMENDING, href=address, showAs=title)
        else:
            named[AMENDING] = title
    for eid, name in named.items():
        elements.empty(
            "TLCReference", eId=eid, href=f"/akn/ontology/reference/{country}/{eid}", showAs=name, name="act"
        )
    if found.periods:
        href = f"/akn/ontology/concept/{country}/inForce"
        elements.empty("TLCConcept", eId="inForce", href=href, showAs="in force")


def _write(elements: Elements, one: Modification, eid: str, found: Modifications) -> None:
    of_text = ("forceMod" if one.type in FORCE else "textualMod", one.type)
    element = of_text if one.type else ("meaningMod", "variation")
    to = one.destinations or (f"#act_{found.named.index(one.act) + 1}",)
    with elements.element(element[0], {"eId": eid, "type": element[1]}):
        elements.empty("source", href=one.source or "#kb")
        for href in to:
            elements.empty("destination", href=href)
        if one.begins:
            elements.empty("force", period=f"#tmpg_{found.periods.index((one.begins, one.ends)) + 1}")
        if one.is_conditional:
            elements.empty("condition")
