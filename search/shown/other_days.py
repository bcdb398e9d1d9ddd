"""Where nothing in force is found: what other days have."""

from collections.abc import Iterable
from dataclasses import replace

from kb_project.database.rows import fetch
from law.citations.parsing import ParsedQuery
from search.results import SearchHit
from search.retrieval import retrieve
from search.retrieval.listing import Listing
from sources.scope import Scope
from sources.validity import IN_FORCE

LOOKED_AT = 10  # passages


def are_there(scope: Scope) -> bool:
    """Whether anything of the topic is not in force on the day, as a whole or by days of its own.

    Nothing is where the day does not count.
    """
    if len(scope.not_in_force()):
        return True
    statement, parameters = scope.passages_not_in_force()
    return bool(fetch(f"{statement} LIMIT 1", parameters))


def best_of_each(hits: Iterable[SearchHit]) -> list[SearchHit]:
    """Of hits the first of each document that is not in force on the day."""
    first: dict[int, SearchHit] = {}
    for hit in hits:
        if hit.source.status not in IN_FORCE:
            first.setdefault(hit.source.id, hit)
    return list(first.values())


def on_other_days(query: ParsedQuery, *, scope: Scope, listing: Listing | None = None) -> list[SearchHit]:
    """The best passage of each document that is found and not in force on the day, none where all days are searched."""
    if not are_there(scope):
        return []
    found = retrieve(query, scope=replace(scope, all_versions=True), limit=LOOKED_AT, listing=listing)
    return best_of_each(found.hits)
