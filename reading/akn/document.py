"""A source as a file of Akoma Ntoso: what it is, its provisions, and its text."""

import json
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from types import MappingProxyType
from typing import IO

from lxml import etree

from kb_project.database.rows import fetch
from kb_project.errors import TooLarge
from labels.models import Label
from law.languages.scripts import first_letter, language_of
from reading.akn.elements import Elements
from reading.akn.identification import TYPES, work_uri, write_meta
from reading.akn.modifications import Modifications, made_by, made_here
from reading.akn.text import ReferenceLink, TextWriter
from reading.akn.tree import Node, tree
from sources.kinds import SourceKind
from sources.models import Change, ChangeWork, Chunk, Provision, Reference, Source
from sources.references.listing import is_found, references_of, with_status
from sources.references.status import ResolutionStatus


def links_of(source: Source, text: str) -> list[ReferenceLink]:
    """In order, without what was read in a text that has been replaced since, and provisions that are not found."""
    found = with_status(references_of(source), ResolutionStatus.RESOLVED)
    return [
        ReferenceLink(one.span_start, one.span_end, _href(one))
        for one in found
        if is_found(one) and text.startswith(one.text, one.span_start)
    ]


def _href(reference: Reference) -> str:
    """The address of a provision of this document, or of another work."""
    to = f"#{reference.target_eid}" if reference.target_eid else ""
    target = reference.target
    if target is None or (reference.internal and to):
        return to
    return work_uri(target, language_of(first_letter(target.title))) + to


MAX_DOCUMENT_LENGTH = 30_000_000  # characters: twice what 5,000 full pages have
MAX_STEPS = 50  # versions of a work between its first one and another
NO_WORK_IDS = " No wId is given: how provisions were numbered in earlier versions of this work is not known here. "
_BODIES = {"act": ["body"], "doc": ["mainBody"], "judgment": ["judgmentBody", "motivation"]}
# One statement, so that text and provisions are of one time. Where the white space between two passages is not known,
# as they were indexed before it was kept, lines are put there: characters are counted as the passages count them.
_DOCUMENT = """
SELECT COALESCE(string_agg(piece, '' ORDER BY seq), ''), (
    SELECT COALESCE(json_agg(p ORDER BY p.position), '[]')::text FROM (
        SELECT source_id, eid, kind, number, heading, parent, position, depth, page, span_start, span_end
        FROM kb_provision WHERE source_id = %(source)s::bigint
    ) AS p
)
FROM (
    SELECT seq, concat(
        gap, repeat(E'\\n', span_start - length(gap) - lag(span_end, 1, 0) OVER (ORDER BY seq)), text
    ) AS piece
    FROM kb_chunk WHERE source_id = %(source)s::bigint
) AS chunk
"""


def write(source: Source, file: IO[bytes]) -> None:
    """Write the source in UTF-8. Raises `TooLarge`."""
    if Chunk.objects.filter(source=source, span_end__gt=MAX_DOCUMENT_LENGTH).exists():
        raise TooLarge(f"A document of more than {MAX_DOCUMENT_LENGTH:,} characters is not given as Akoma Ntoso.")
    [(text, rows)] = fetch(_DOCUMENT, {"source": source.pk})
    provisions = [Provision(**row) for row in json.loads(rows)]
    labels = list(source.labels.order_by("slug"))
    links = links_of(source, text)
    found = made_here(source, provisions, _amending(source))
    if TYPES[SourceKind(source.kind)][0] == "act" and not found.passive:
        found = made_by(text, provisions, links)
    compose(
        source,
        file,
        text=text,
        provisions=provisions,
        labels=labels,
        links=links,
        modifications=found,
        work_ids=_work_ids(source, provisions),
    )


def _work_ids(source: Source, provisions: Sequence[Provision]) -> dict[str, str] | None:
    """By address, what a provision is known by in all versions of its work, where that is not this address.

    That is its address in the version in which it first stands, with the number of this version behind it where another
    provision had that address before. None where the stored changes of the versions do not tell it.
    """
    first = next(iter(Source.objects.versions_of(source.work_id)[:1]), source)
    steps = _steps(source, first)
    if steps is None:
        return None
    versions = [first.pk, *(one.source_id for one in steps)]
    known = Provision.objects.filter(source_id__in=versions).values("source_id").distinct().count()
    if steps and known < len(versions):  # what has no provisions is compared by paragraphs
        return None
    ids = {eid: eid for eid in Provision.objects.filter(source=first).values_list("eid", flat=True)} if steps else {}
    used = set(ids)
    for step in steps:
        ids = _after(step, ids, used)
    told = [ids.get(one.eid, one.eid) for one in provisions]
    return {eid: one for eid, one in ids.items() if eid != one} if len(set(told)) == len(told) else None


def _steps(source: Source, first: Source) -> list[Change] | None:
    """The changes that lead from the first version of its work to a source. None where not all of them are stored."""
    begun = Change.objects.filter(source__work_id=source.work_id, ends=False)
    before = dict(begun.values_list("source_id", "before_id"))
    path: list[int] = []
    at: int | None = source.pk
    while at != first.pk:
        if at is None or at not in before or len(path) >= MAX_STEPS:
            return None
        path.insert(0, at)
        at = before[at]
    steps = sorted(begun.filter(source_id__in=path), key=lambda one: path.index(one.source_id))
    is_waiting = bool(steps) and ChangeWork.objects.filter(work_id=source.work_id).exists()
    is_whole = all(one.provisions is not None and len(one.provisions) == sum(one.counts.values()) for one in steps)
    return steps if is_whole and not is_waiting else None


def _after(step: Change, ids: dict[str, str], used: set[str]) -> dict[str, str]:
    """What provisions are known by in the next version. What is new to the work gets an id that is not in `used`."""
    rows = step.provisions or ()
    left = {one["before"] for one in rows}
    after = {eid: one for eid, one in ids.items() if eid not in left}
    after |= {one["since"]: ids[one["before"]] for one in rows if one["since"] and one["before"] in ids}
    # At the number of one that moved there may be a line that says so, which is no change of its own.
    for eid in [*(one["since"] for one in rows), *(one["before"] for one in rows if one["since"])]:
        if eid and eid not in after:
            after[eid] = f"{eid}@source-{step.source_id}" if eid in used else eid
            used.add(after[eid])
    return after


def _amending(source: Source) -> str:
    """The address of the act by which a version was made here, '' where it is not in the topic."""
    said = source.consolidation
    found = Source.objects.filter(pk=said["amending"]["source_id"], topic_id=source.topic_id).first() if said else None
    return work_uri(found, language_of(first_letter(found.title))) if found else ""


def compose(
    source: Source,
    file: IO[bytes],
    *,
    text: str,
    provisions: Iterable[Provision],
    labels: Sequence[Label] = (),
    links: Sequence[ReferenceLink] = (),
    modifications: Modifications | None = None,
    work_ids: Mapping[str, str] | None = MappingProxyType({}),
) -> None:
    """As `write`, from a text whose characters the spans of provisions and links count.

    `work_ids` are None where it is not known what provisions are known by in other versions. Then the file says so.
    """
    kind, name = TYPES[SourceKind(source.kind)]
    with etree.xmlfile(file, encoding="utf-8") as xml:
        xml.write_declaration()
        elements = Elements(xml)
        with elements.root(), elements.element(kind, {"name": name}):
            found = modifications or Modifications()
            if work_ids is None:
                elements.comment(NO_WORK_IDS)
            write_meta(elements, source, language_of(first_letter(f"{source.title} {text}")), labels, found)
            writer = TextWriter(elements, text, links, found.changes)
            _write_text(elements, writer, kind, tree(provisions, work_ids), len(text))


def _write_text(elements: Elements, writer: TextWriter, kind: str, outermost: Sequence[Node], end: int) -> None:
    """What stands before the first provision is the front. Without provisions all is in the body."""
    first = outermost[0].provision.span_start if outermost else 0
    if kind == "judgment":  # it must have a header
        with elements.element("header"):
            writer.lines(first, eid="header")
    else:
        writer.container("preface", first, eid="preface")
    with ExitStack() as body:
        for name in _BODIES[kind]:
            body.enter_context(elements.element(name))
        for node in outermost:
            writer.provision(node)
        if kind != "act" and writer.has_text(end):
            writer.lines(end, eid="text")
        elif writer.has_text(end) or not outermost:  # a body must have something, and that of an act only divisions
            with elements.element("hcontainer", {"eId": "text", "name": "text"}):
                writer.container("content", end, eid="text")
