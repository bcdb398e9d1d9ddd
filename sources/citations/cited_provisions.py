"""The provisions that a citation may mean, with their addresses."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from law.citations.cited_items import CitedDivision
from law.citations.parsing import CitationReference, ParsedQuery
from law.structure.provisions import ProvisionKind
from law.words.analysis import terms
from sources import provisions
from sources.citations.missing import UnresolvedCitation
from sources.citations.resolving import resolve
from sources.citations.source_keys import section_key
from sources.citations.title_matching import best_matches, named_anywhere, named_at_start
from sources.models import Chunk, Provision
from sources.scope import Scope

_DIVISIONS = (ProvisionKind.PART, ProvisionKind.CHAPTER, ProvisionKind.SCHEDULE)


@dataclass(frozen=True, kw_only=True)
class CitedProvisions:
    """What a text cites, the likeliest first.

    `found` are the provisions that it may mean. `missing_clause` is a clause that none of them has: then they are what
    it would stand in. Where nothing is found, `source_ids` are the sources that the text names. `number` is what was
    looked for, '' for a part or schedule, and None where the text cites no provision. `printed` is the number as the
    first of them, or the section that it is in, has it. `not_found` is what is not there, or not certain, `unread`
    words for an act that were not understood.
    """

    found: Sequence[Provision] = ()
    missing_clause: str = ""
    source_ids: Sequence[int] = ()
    number: str | None = None
    printed: str = ""
    not_found: UnresolvedCitation | None = None
    unread: str = ""


def find_provisions(text: str, *, scope: Scope) -> CitedProvisions:
    """The provisions of a scope that the citation in a text may mean."""
    query = ParsedQuery(text)
    reference = next(iter(query.references), query.number_at_end)
    if reference is None:
        return CitedProvisions()
    number = reference.items[0].number if reference.items else ""
    targets = resolve(query, scope=scope)
    if found := _provisions(targets.first, reference):
        return replace(_in_clause(found, reference, number=number), printed=found[0].number)
    if not_found := targets.not_found:
        named = [not_found.source_id] if not_found.source_id else []
        unread = not_found.title if not_found.uncertain else ""
        return CitedProvisions(source_ids=named, number=number, not_found=not_found, unread=unread)
    if targets.unread:
        return CitedProvisions(number=number, unread=targets.unread[0])
    return CitedProvisions(source_ids=_sources_named(reference, scope=scope), number=number)


def _provisions(chunk_ids: Sequence[int], reference: CitationReference) -> list[Provision]:
    """The provisions that begin with the passages, or the one above them if it is that which was cited."""
    chunks = Chunk.objects.only("source_id", "eid").in_bulk(chunk_ids)
    places = list(dict.fromkeys((chunks[one].source_id, chunks[one].eid) for one in chunk_ids if one in chunks))
    sources = list(dict.fromkeys(source_id for source_id, _ in places))
    if not reference.items:
        return [one for source_id in sources if (one := _division(source_id, reference.divisions))]
    numbers = {section_key(item.number) for item in reference.items}
    found = [one for source_id, eid in places if eid and (one := provisions.find(source_id, eid))]
    if not any(section_key(one.number) in numbers for one in found):  # 3.4, which has a heading only, above 3.4.1
        above = Provision.objects.filter(source_id__in=sources, number__in=[item.number for item in reference.items])
        return list(above) or found
    return found


def _division(source_id: int, divisions: Sequence[CitedDivision]) -> Provision | None:
    """The innermost of the parts, chapters and schedules that are named together."""
    wanted = {division.address for division in divisions}
    stored = provisions.in_order(source_id).filter(kind__in=_DIVISIONS)
    return next((one for one in stored if wanted <= set(one.eid.split("__"))), None)


def _in_clause(found: Sequence[Provision], reference: CitationReference, *, number: str) -> CitedProvisions:
    """The clause of each, where the text cites a single one."""
    paths = [path for item in reference.items for path in item.clauses]
    if len(paths) != 1 or len(reference.items) != 1:
        return CitedProvisions(found=found, number=number)
    [path] = paths
    nearest = [provisions.find_clause(provisions.clauses_in(one), path, within=one.eid) or one for one in found]
    there = [one for one, whole in zip(nearest, found, strict=True) if one.depth == whole.depth + len(path)]
    missing = "" if there else "".join(f"({clause})" for clause in path)
    return CitedProvisions(found=there or nearest, missing_clause=missing, number=number)


def _sources_named(reference: CitationReference, *, scope: Scope) -> list[int]:
    named = named_at_start(terms(reference.after), scope=scope) or named_anywhere(terms(reference.before), scope=scope)
    return [naming.source_id for naming in best_matches(named)] if named else []
