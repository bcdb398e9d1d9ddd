"""A source as a file of Akoma Ntoso: what it is, its provisions, and its text."""

import json
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
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
from sources.comparison import compare_sources
from sources.kinds import SourceKind
from sources.models import Chunk, Provision, Reference, Source
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
        first_eids=_first_eids(source),
    )


def _first_eids(source: Source) -> dict[str, str]:
    """What was the address, in the first version of its work, of each provision that has another number since."""
    first = next(iter(Source.objects.versions_of(source.work_id)[:1]), source)
    if first.pk == source.pk:
        return {}
    try:
        changes = compare_sources(first.pk, source.pk)
    except TooLarge:
        return {}
    pairs = [(one.after.eid, one.before.eid) for one in changes if one.before and one.after]
    return {eid: was for eid, was in pairs if eid and was and eid != was}


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
    first_eids: Mapping[str, str] | None = None,
) -> None:
    """As `write`, from a text whose characters the spans of provisions and links count."""
    kind, name = TYPES[SourceKind(source.kind)]
    with etree.xmlfile(file, encoding="utf-8") as xml:
        xml.write_declaration()
        elements = Elements(xml)
        with elements.root(), elements.element(kind, {"name": name}):
            found = modifications or Modifications()
            write_meta(elements, source, language_of(first_letter(f"{source.title} {text}")), labels, found)
            writer = TextWriter(elements, text, links, found.changes)
            _write_text(elements, writer, kind, tree(provisions, first_eids), len(text))


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
