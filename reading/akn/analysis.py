"""What changes a document makes or was made by, and when: `lifecycle`, `analysis` and `temporalData`."""

from reading.akn.elements import Elements
from reading.akn.modifications import FORCE, Modification, Modifications

AMENDING = "amending"


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
