"""A scope as a filter of Qdrant."""

from qdrant_client import models as q

from search.index.qdrant.points import NEVER
from sources.scope import Scope


def filter_of(scope: Scope, *also: q.Condition) -> q.Filter:
    """What passages of the scope have, and more. Postgres has the last word on each that is found."""
    conditions: list[q.Condition] = [*also]
    if scope.topic_id is not None:
        conditions.append(q.FieldCondition(key="topic", match=q.MatchValue(value=str(scope.topic_id))))
    if scope.kinds:
        conditions.append(q.FieldCondition(key="kind", match=q.MatchAny(any=list(scope.kinds))))
    if scope.label_ids:
        conditions.append(q.FieldCondition(key="labels", match=q.MatchAny(any=list(scope.label_ids))))
    if scope.source_ids:
        conditions.append(q.FieldCondition(key="source", match=q.MatchAny(any=list(scope.source_ids))))
    if scope.published_from or scope.published_to:
        first = scope.published_from.toordinal() if scope.published_from else None
        last = scope.published_to.toordinal() if scope.published_to else NEVER
        conditions.append(q.FieldCondition(key="published", range=q.Range(gte=first, lte=last)))
    if scope.day:
        day = scope.day.toordinal()
        conditions.append(q.FieldCondition(key="begins", range=q.Range(lte=day)))
        conditions.append(q.FieldCondition(key="ends", range=q.Range(gt=day)))
    return q.Filter(must=conditions)


def of_sources(source_ids: list[int], *, but: list[int]) -> q.Filter:
    """The points of sources, but for some chunks."""
    wanted: list[q.Condition] = [q.FieldCondition(key="source", match=q.MatchAny(any=source_ids))]
    gone: list[q.Condition] = [q.HasIdCondition(has_id=list(but))] if but else []
    return q.Filter(must=wanted, must_not=gone)
