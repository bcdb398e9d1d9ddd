"""From the models of `qdrant_client` to the objects of `qdrant_edge`, and back."""

import functools
from typing import Any

from qdrant_client.http import models

HNSW = {"m": 16, "ef_construct": 100, "full_scan_threshold": 10_000}  # Qdrant's own


@functools.cache
def edge() -> Any:
    """The module, which is no requirement of the service."""
    try:
        import qdrant_edge
    except ImportError as error:
        raise RuntimeError("qdrant_edge is not installed: pip install -r requirements-bench.txt") from error
    return qdrant_edge


def given(params: Any, left_out: set[str]) -> dict[str, Any]:
    """The members that are set, with the engine's enum members."""
    values = {key: value for key, value in params if value is not None and key not in left_out}
    if "memory" in values:
        values["memory"] = getattr(edge().Memory, values["memory"].value.title())
    if "datatype" in values:
        values["datatype"] = getattr(edge().VectorStorageDatatype, values["datatype"].value.title())
    return values


def dense_params(params: models.VectorParams) -> Any:
    if params.multivector_config:
        raise ValueError("several vectors under one name are not covered here")
    others = given(params, {"size", "distance", "hnsw_config"})
    distance = getattr(edge().Distance, params.distance.value)
    return edge().EdgeVectorParams(params.size, distance, hnsw_config=hnsw_config(params.hnsw_config), **others)


def sparse_params(params: models.SparseVectorParams) -> Any:
    modifier = getattr(edge().Modifier, params.modifier.value.title()) if params.modifier else None
    return edge().EdgeSparseVectorParams(modifier=modifier, **given(params.index or {}, set()))


def hnsw_config(params: models.HnswConfigDiff | None) -> Any:
    return edge().HnswIndexConfig(**{**HNSW, **given(params, set())}) if params else None


def edge_vector(vector: Any) -> Any:
    """A point's vectors; some names may be missing."""
    if isinstance(vector, dict):
        return {name: edge_vector(one) for name, one in vector.items()}
    return edge().SparseVector(vector.indices, vector.values) if isinstance(vector, models.SparseVector) else vector


def client_vector(vector: Any) -> Any:
    if isinstance(vector, dict):
        return {name: client_vector(one) for name, one in vector.items()}
    is_sparse = hasattr(vector, "indices")
    return models.SparseVector(indices=vector.indices, values=vector.values) if is_sparse else vector


def client_row(row: Any) -> dict[str, Any]:
    return {"id": client_id(row.id), "payload": row.payload, "vector": client_vector(row.vector)}


def client_id(point_id: Any) -> Any:
    return point_id if point_id is None or isinstance(point_id, int) else str(point_id)


def payload_selector(wanted: Any) -> Any:
    if isinstance(wanted, models.PayloadSelectorInclude):
        return wanted.include
    if isinstance(wanted, models.PayloadSelectorExclude):
        return edge().PayloadSelector.Exclude(wanted.exclude)
    return wanted


def query_stage(request: models.QueryRequest | models.Prefetch) -> dict[str, Any]:
    """What a query and the queries it begins with have in common."""
    before = request.prefetch if isinstance(request.prefetch, list) else [request.prefetch] if request.prefetch else []
    params = edge().SearchParams(**given(request.params, set())) if request.params else None
    return {
        "limit": 10 if request.limit is None else request.limit,
        "query": _query(request.query, request.using),
        "prefetches": [edge().Prefetch(**query_stage(one)) for one in before],
        "filter": edge_filter(request.filter),
        "score_threshold": request.score_threshold,
        "params": params,
    }


def _query(query: Any, using: str | None) -> Any:
    if query is None:
        return None
    if isinstance(query, models.FormulaQuery):
        return edge().Formula(_expression(query.formula), query.defaults or {})
    if isinstance(query, models.FusionQuery) and query.fusion is models.Fusion.RRF:
        return edge().Fusion.Rrf(2)
    vector = query.nearest if isinstance(query, models.NearestQuery) else query
    if not isinstance(vector, list | models.SparseVector):
        raise ValueError(f"a query of this kind is not covered here: {type(vector).__name__}")
    return edge().Query.Nearest(edge_vector(vector), using=using)


def _expression(expression: Any) -> Any:
    kinds = edge().Expression
    if isinstance(expression, int | float):
        return kinds.Constant(float(expression))
    if isinstance(expression, str):
        return kinds.Variable(expression)
    if isinstance(expression, models.SumExpression):
        return kinds.Sum([_expression(one) for one in expression.sum])
    if isinstance(expression, models.MultExpression):
        return kinds.Mult([_expression(one) for one in expression.mult])
    return kinds.Condition(_condition(expression))


def edge_filter(chosen: models.Filter | None) -> Any:
    if chosen is None:
        return None
    if chosen.min_should:
        raise ValueError("min_should is not covered here")
    names = ("must", "should", "must_not")
    groups = {name: getattr(chosen, name) for name in names if getattr(chosen, name) is not None}
    return edge().Filter(
        **{
            name: [_condition(one) for one in (group if isinstance(group, list) else [group])]
            for name, group in groups.items()
        }
    )


def _condition(condition: Any) -> Any:
    if isinstance(condition, models.Filter):
        return edge_filter(condition)
    if isinstance(condition, models.HasIdCondition):
        return edge().HasIdCondition(set(condition.has_id))
    if isinstance(condition, models.HasVectorCondition):
        return edge().HasVectorCondition(condition.has_vector)
    if isinstance(condition, models.IsEmptyCondition):
        return edge().IsEmptyCondition(condition.is_empty.key)
    match, span = getattr(condition, "match", None), getattr(condition, "range", None)
    if isinstance(match, models.MatchValue):
        return edge().FieldCondition(condition.key, match=edge().MatchValue(match.value))
    if isinstance(match, models.MatchAny):
        return edge().FieldCondition(condition.key, match=edge().MatchAny(list(match.any)))
    if isinstance(span, models.Range):
        return edge().FieldCondition(condition.key, range=edge().RangeFloat(**dict(span)))
    raise ValueError(f"a condition of this kind is not covered here: {condition!r}")
