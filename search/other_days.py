"""Where nothing in force is found: what other days have."""

from dataclasses import replace

from search.results import Hit
from search.retrieval import retrieve
from search.retrieval.listing import Listing
from sources.scope import Scope
from sources.validity import IN_FORCE

LOOKED_AT = 10  # passages


def on_other_days(query: str, *, scope: Scope, listing: Listing | None = None) -> tuple[Hit, ...]:
    """The best passage of each document that is found and not in force on the day; none where all days are searched."""
    if scope.day is None:
        return ()
    found = retrieve(query, scope=replace(scope, all_versions=True), limit=LOOKED_AT, listing=listing)
    first: dict[int, Hit] = {}
    for hit in found.hits:
        if hit.source.status not in IN_FORCE:
            first.setdefault(hit.source.id, hit)
    return tuple(first.values())
