"""Clauses that references name and that are not there: such a reference leads to what they would stand in."""

from collections.abc import Sequence
from dataclasses import replace

from law.references.mentions import Mention
from sources import provisions
from sources.references.targets import Target

Place = tuple[int, str]


def to_existing(mentions: Sequence[Mention], targets: Sequence[Target]) -> list[Target]:
    """The targets without the clauses that their sections do not have, in two queries."""
    named = {
        (target.source_id, target.eid)
        for mention, target in zip(mentions, targets, strict=True)
        if mention.clauses and target.source_id is not None and target.eid
    }
    there = _there(named)
    return [replace(one, eid=there.get((one.source_id or 0, one.eid), one.eid)) for one in targets]


def _there(named: set[Place]) -> dict[Place, str]:
    """What is there of each place: itself, or the innermost provision around it."""
    stored = provisions.stored((source_id, above) for source_id, eid in named for above in provisions.upwards(eid))
    holders = {}
    for source_id, eid in named:
        found = (stored.get((source_id, above)) for above in provisions.upwards(eid))
        if holder := next((one for one in found if one), None):
            holders[source_id, eid] = holder
    sections = list({(one.source_id, one.eid): one for one in holders.values()}.values())
    clauses = {
        (section.source_id, section.eid): {clause.eid for clause in provisions.clauses_of(section, text)}
        for section, text in zip(sections, provisions.texts_of(sections), strict=True)
    }
    return {
        (source_id, eid): next(above for above in provisions.upwards(eid) if above in inside or above == holder.eid)
        for (source_id, eid), holder in holders.items()
        for inside in [clauses[holder.source_id, holder.eid]]
    }
