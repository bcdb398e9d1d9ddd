"""Storing and reading provisions: by address, in order, round a number that is not there, and what they say."""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from typing import NamedTuple
from urllib.parse import unquote, urlencode

from django.db import connection
from django.db.models import QuerySet
from django.urls import reverse

from kb_project.database.rows import fetch, storable
from law.structure.lines.number_keys import Key, lettered_key
from law.structure.provisions import ParsedProvision, ProvisionKind
from sources.models import Chunk, Provision
from sources.provisions.clauses import MAX_TEXT_LENGTH, clauses_of, has_clauses
from sources.validity import in_force_sql

_COPY = """
COPY kb_provision (source_id, eid, kind, number, heading, parent, position, depth, page, span_start, span_end,
    valid_from, valid_to) FROM STDIN
"""
_WITH_NUMBERS = """
SELECT source_id, eid, kind, number, position FROM kb_provision
WHERE source_id = %s::bigint AND kind = ANY(%s::text[]) AND number <> '' ORDER BY position
"""
MAX_NEAREST = 4
# The first of these that a document has bear its own numbers.
_NUMBERED = (ProvisionKind.SECTION, ProvisionKind.PARAGRAPH, ProvisionKind.ITEM)
MAX_EID_LENGTH = 500
# `12#sec_7`, or the path of its page.
_ADDRESS = re.compile(r"(?:\S*/documents/)?(?P<source>[0-9]{1,18})/?(?:\?[^#\s]*)?(?:#(?P<eid>\S+))?")


class NumberedProvision(NamedTuple):
    """A provision that bears one of its document's own numbers."""

    source_id: int
    eid: str
    kind: str
    number: str
    position: int


def numbered(source_id: int) -> list[NumberedProvision]:
    """The provisions that bear a document's own numbers, each number once, in its order."""
    rows = fetch(_WITH_NUMBERS, [source_id, [kind.value for kind in _NUMBERED]])
    found = [NumberedProvision(*row) for row in rows]
    kind = next((kind for kind in _NUMBERED if any(one.kind == kind for one in found)), None)
    by_number: dict[str, NumberedProvision] = {}
    for one in found:
        if one.kind == kind:
            by_number.setdefault(one.number, one)
    return list(by_number.values())


def knn(numbered: Sequence[NumberedProvision], number: str) -> list[Provision]:
    """Up to four of the provisions with the next lower and the next higher numbers, in the order of the document.

    With their source. One that was replaced meanwhile is left out.
    """
    found = sorted(numbered, key=_key_of)
    lower = bisect_left(found, lettered_key(number.upper()), key=_key_of)
    start = max(min(lower - MAX_NEAREST // 2, len(found) - MAX_NEAREST), 0)
    near = [(one.source_id, one.eid) for one in found[start : start + MAX_NEAREST]]
    return list(Provision.objects.filter(pk__in=near).select_related("source").order_by("position"))


def _key_of(provision: NumberedProvision) -> tuple[str, Key]:
    return lettered_key(provision.number.upper())


@dataclass(frozen=True, kw_only=True)
class Passage:
    """A provision with what it says and what is around it.

    `text` is cut at `MAX_TEXT_LENGTH` characters, which `truncated` says. `ancestors` are outermost first. `previous`
    and `next` are the neighbours of the same kind in the order of the document.
    """

    provision: Provision
    text: str
    truncated: bool
    ancestors: Sequence[Provision]
    children: Sequence[Provision]
    previous: str | None
    next: str | None


def address(source_id: int, eid: str = "", *, chunk_id: int = 0, query: str = "", quote: str = "") -> str:
    """The path of a document's page at a provision. At a passage where that is of none, until it is indexed again.

    The words of a query, or a quote, are marked there.
    """
    page = _page().replace("/0/", f"/{source_id}/")
    passage = str(chunk_id) if chunk_id and not eid else ""
    if not (passage or query or quote):
        return f"{page}#{eid}" if eid else page
    asked = urlencode({name: text for name, text in (("chunk", passage), ("q", query), ("quote", quote)) if text})
    return page + (f"?{asked}" if asked else "") + (f"#{eid}" if eid else "")


def parse_address(text: str) -> tuple[int, str] | None:
    """The source and the eid, empty for the whole document, that an address names, or None for what is none."""
    found = _ADDRESS.fullmatch(text.strip())
    return (int(found["source"]), unquote(found["eid"] or "")) if found else None


@cache
def _page() -> str:
    """The path of document 0: a search makes many addresses, and `reverse` costs more than all else of one."""
    return reverse("document", args=[0])


def in_order(source_id: int) -> QuerySet[Provision]:
    """The stored provisions of a source, which are all but clauses."""
    return Provision.objects.filter(source_id=source_id).order_by("position")


def stored(places: Iterable[tuple[int, str]]) -> dict[tuple[int, str], Provision]:
    """The stored provisions at places, which are ids of sources with addresses in them."""
    wanted = set(places)
    return {(one.source_id, one.eid): one for one in Provision.objects.filter(pk__in=list(wanted))} if wanted else {}


def upwards(eid: str) -> Iterator[str]:
    """The address and those of what it would stand in, innermost first."""
    names = eid.split("__")
    return ("__".join(names[:length]) for length in range(len(names), 0, -1))


def holders(places: Iterable[tuple[int, str]]) -> dict[tuple[int, str], Provision]:
    """What is stored at each place, or else the innermost of what is stored around it. Of a place without, nothing."""
    wanted = set(places)
    there = stored((source_id, above) for source_id, eid in wanted for above in upwards(eid))
    found = (((source_id, eid), (there.get((source_id, above)) for above in upwards(eid))) for source_id, eid in wanted)
    return {place: held for place, around in found if (held := next(filter(None, around), None))}


def find(source_id: int, eid: str) -> Provision | None:
    """The provision with that address. A clause is worked out from the text of the one it stands in."""
    return _find(source_id, eid)[0]


def read(source_id: int, eid: str, *, day: date | None = None) -> Passage | None:
    """What the provision with that address says, and its neighbours.

    Of a provision that is in force on the `day`, what is not in force by days of its own is left out of the text.
    """
    provision, clauses = _find(source_id, eid)
    if provision is None:
        return None
    stored = in_order(source_id)
    if clauses:
        beside = [one.eid for one in clauses]
        place = beside.index(eid)
        previous, following = beside[:place][-1:], beside[place + 1 :][:1]
    else:
        clauses = clauses_in(provision)
        alike = stored.filter(kind=provision.kind).values_list("eid", flat=True)
        previous = list(alike.filter(position__lt=provision.position).order_by("-position")[:1])
        following = list(alike.filter(position__gt=provision.position)[:1])
    inside = [one for one in clauses if one.parent == eid]
    return Passage(
        provision=provision,
        text=texts_of([provision], day=day if day and provision.days.hold(day) else None)[0],
        truncated=provision.span_end - provision.span_start > MAX_TEXT_LENGTH,
        ancestors=_ancestors(provision, clauses),
        children=[*stored.filter(parent=eid)] or inside,
        previous=next(iter(previous), None),
        next=next(iter(following), None),
    )


def texts_of(some: Sequence[Provision], *, day: date | None = None) -> list[str]:
    """What each of these provisions says, in one query. At most `MAX_TEXT_LENGTH` characters of each.

    With a `day` only what reads so on it.
    """
    statement = f"""
        SELECT wanted.place, c.text, c.gap, c.span_start
        FROM unnest(%s::bigint[], %s::integer[], %s::integer[]) WITH ORDINALITY AS wanted(source_id, first, last, place)
        JOIN kb_chunk c ON c.source_id = wanted.source_id AND c.span_end > wanted.first AND c.span_start < wanted.last
        WHERE {in_force_sql("c", "%s::date") if day else "TRUE"}
        ORDER BY wanted.place, c.seq
    """
    spans = [(one.span_start, min(one.span_end, one.span_start + MAX_TEXT_LENGTH)) for one in some]
    columns = [[one.source_id for one in some], [start for start, _ in spans], [end for _, end in spans]]
    parts: list[list[str]] = [[] for _ in some]
    for place, text, gap, at in fetch(statement, [*columns, *([day, day] if day else ())]) if some else ():
        start, end = spans[place - 1]
        piece = text[max(start - at, 0) : end - at]
        parts[place - 1] += [gap, piece] if parts[place - 1] else [piece]
    return ["".join(one) for one in parts]


def whole_text(source_id: int) -> str:
    """The document's text, in which its characters are where spans say: what no passage holds is white space."""
    parts: list[str] = []
    for text, gap, at in (
        Chunk.objects.filter(source_id=source_id).order_by("seq").values_list("text", "gap", "span_start")
    ):
        parts += [gap if parts else " " * at, text]
    return "".join(parts)


def _find(source_id: int, eid: str) -> tuple[Provision | None, list[Provision]]:
    """The provision with that address. Of a clause also all clauses beside it, itself among them."""
    if not eid or len(eid) > MAX_EID_LENGTH or "\0" in eid:
        return None, []
    holder = _nearest_stored(source_id, eid)
    if holder is None or holder.eid == eid:
        return holder, []
    clauses = clauses_in(holder)
    clause = next((one for one in clauses if one.eid == eid), None)
    return clause, clauses if clause else []


def _nearest_stored(source_id: int, eid: str) -> Provision | None:
    """The provision with that address, or else the innermost stored one whose address begins it."""
    above = in_order(source_id).filter(eid__in=list(upwards(eid)))
    return max(above, key=lambda one: len(one.eid), default=None)


def _ancestors(provision: Provision, clauses: Sequence[Provision]) -> list[Provision]:
    """Those it stands in, outermost first."""
    by_eid = {one.eid: one for one in clauses}
    above: list[Provision] = []
    parent = provision.parent
    while parent and len(above) < provision.depth:
        found = by_eid.get(parent) or in_order(provision.source_id).filter(eid=parent).first()
        if found is None:
            break
        above.insert(0, found)
        parent = found.parent
    return above


def clauses_in(provision: Provision) -> list[Provision]:
    """The clauses of a section, an item or a paragraph."""
    if not has_clauses(provision):
        return []
    return list(clauses_of(provision, texts_of([provision])[0]))


def store(source_id: int, provisions: Sequence[ParsedProvision]) -> None:
    """Replace a source's provisions. The database deletes them with the source."""
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM kb_provision WHERE source_id = %s", [source_id])
        if not provisions:
            return
        with cursor.copy(_COPY) as copy:
            for position, one in enumerate(provisions):
                copy.write_row(
                    (
                        source_id,
                        one.eid,
                        one.kind.value,
                        storable(one.number),
                        storable(one.heading),
                        one.parent.eid if one.parent else "",
                        position,
                        one.depth,
                        one.page,
                        one.start,
                        one.end,
                        one.days.begin,
                        one.days.end,
                    )
                )
