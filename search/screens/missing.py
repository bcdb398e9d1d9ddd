"""What a query cites that is not there, as the page says it."""

from collections.abc import Sequence
from dataclasses import dataclass

from search.results import Match, Retrieval
from sources.provisions import address


@dataclass(frozen=True, slots=True)
class Missing:
    """A sentence, and the nearest provisions with their addresses; `alone` when nothing else that is cited is there."""

    sentence: str
    nearest: Sequence[tuple[str, str]]
    alone: bool


def missing(found: Retrieval) -> Missing | None:
    """What is not there of what the query cites."""
    if (one := found.not_found) is None:
        return None
    nearest = [(near.number, address(one.source_id or 0, near.eid)) for near in one.nearest]
    return Missing(one.sentence, nearest, alone=all(hit.match is not Match.CITATION for hit in found.hits))
