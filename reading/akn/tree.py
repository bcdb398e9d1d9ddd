"""Provisions as a tree, and which element of Akoma Ntoso each of them is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from sources.models import Provision
from sources.provisions import clauses_of, has_clauses

# By the unit that begins the last name of an address, as the naming convention has it. Other units have no element of
# their own: schedules and their like, items of these, and headings of prose are `hcontainer`.
_ELEMENTS = {
    "book": "book",
    "title": "title",
    "part": "part",
    "subpart": "subpart",
    "chp": "chapter",
    "subchp": "subchapter",
    "dvs": "division",
    "sec": "section",
    "subsec": "subsection",
    "para": "paragraph",
    "subpara": "subparagraph",
    "point": "point",
    "indent": "indent",
}
_NAMES = {"sched": "schedule", "app": "appendix", "hcontainer": "heading"}


@dataclass(frozen=True, slots=True)
class Node:
    """A provision, and those that stand in it in order. `work_id` is what all versions know it by, "" for its `eid`."""

    provision: Provision
    work_id: str = ""
    children: list[Node] = field(default_factory=list)

    def clauses(self, text: str) -> list[Node]:
        """The clauses of a provision that contains no others, from the text of the document."""
        own = self.provision
        if self.children or not has_clauses(own):
            return []
        clauses = list(clauses_of(own, text[own.span_start : own.span_end]))
        within = self.work_id
        return tree(clauses, {one.eid: one.eid.replace(own.eid, within, 1) for one in clauses} if within else None)

    @property
    def element(self) -> tuple[str, dict[str, str]]:
        """The name of the element, and its attributes."""
        unit = self.provision.eid.rpartition("__")[2].partition("_")[0]
        attributes = {"eId": self.provision.eid, **({"wId": self.work_id} if self.work_id else {})}
        if element := _ELEMENTS.get(unit):
            return element, attributes
        return "hcontainer", {**attributes, "name": _NAMES.get(unit, unit)}


def tree(provisions: Iterable[Provision], work_ids: Mapping[str, str] | None = None) -> list[Node]:
    """The outermost of the provisions, which come in order. `work_ids` are by address, where they are others."""
    outermost: list[Node] = []
    by_eid: dict[str, Node] = {}
    for one in provisions:
        node = by_eid[one.eid] = Node(one, (work_ids or {}).get(one.eid, ""))
        above = by_eid.get(one.parent)
        (above.children if above else outermost).append(node)
    return outermost
