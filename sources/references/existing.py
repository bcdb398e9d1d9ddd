"""What is there of what references point to: their clauses, and what their ranges hold."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import date

from law.references.mentions import Citation
from sources import provisions
from sources.models import Provision
from sources.provisions.clauses import find_clause
from sources.references.ranges import MAX_BETWEEN, Range, between
from sources.references.targets import ReferenceTarget, candidates_of

Place = tuple[int, str]
Inside = tuple[Provision, Sequence[Provision]]  # a provision that is stored, and its clauses


def to_existing(
    mentions: Sequence[Citation], targets: Sequence[ReferenceTarget], *, days: Sequence[date | None] = ()
) -> list[ReferenceTarget]:
    """The targets without the clauses that their sections do not have, and with what their ranges hold.

    In two queries, and one for each hundred acts of which ranges are cited.
    """
    inside = _inside(
        (target.source_id, target.eid)
        for mention, target in zip(mentions, targets, strict=True)
        if mention.clauses and target.source_id is not None and target.eid
    )
    cited = [
        _range(mention, target, day)
        for mention, target, day in zip(mentions, targets, days or [None] * len(mentions), strict=True)
    ]
    held = between([one for one in cited if one])
    return [
        replace(
            target,
            eid=_there(target.eid, *known) if known else target.eid,
            between=held.get(one, ()) if one else _between_clauses(mention, *known) if known else (),
        )
        for mention, target, one in zip(mentions, targets, cited, strict=True)
        for known in [inside.get((target.source_id or 0, target.eid))]
    ]


def _range(mention: Citation, target: ReferenceTarget, day: date | None) -> Range | None:
    """The range of sections that a mention begins. None where it is of a part that the act does not have."""
    is_one = mention.last in ("", mention.number)
    if is_one or target.source_id is None or (mention.divisions and not target.eid):
        return None
    other = replace(mention, number=mention.last, first=mention.number, last="")
    return Range(target.source_id, tuple(candidates_of(mention)), tuple(candidates_of(other)), day)


def _inside(named: Iterable[Place]) -> dict[Place, Inside]:
    """What is stored at each place or around it, with its clauses."""
    holders = provisions.holders(named)
    sections = list({(one.source_id, one.eid): one for one in holders.values()}.values())
    clauses = {
        (section.source_id, section.eid): list(provisions.clauses_of(section, text))
        for section, text in zip(sections, provisions.texts_of(sections), strict=True)
    }
    return {place: (holder, clauses[holder.source_id, holder.eid]) for place, holder in holders.items()}


def _there(eid: str, holder: Provision, clauses: Sequence[Provision]) -> str:
    """The address if there is such a clause, or else that of the innermost provision around it."""
    known = {holder.eid, *(one.eid for one in clauses)}
    return next(above for above in provisions.upwards(eid) if above in known)


def _between_clauses(mention: Citation, holder: Provision, clauses: Sequence[Provision]) -> tuple[str, ...]:
    """The addresses between the ends of a range of clauses that stand beside each other in one section."""
    if not mention.last_clauses:
        return ()
    first = find_clause(clauses, mention.clauses, within=holder.eid)
    last = find_clause(clauses, mention.last_clauses, within=holder.eid)
    if first is None or last is None or first.parent != last.parent:
        return ()
    beside = [one.eid for one in clauses if one.parent == first.parent]
    return tuple(beside[beside.index(first.eid) + 1 : beside.index(last.eid)][:MAX_BETWEEN])
