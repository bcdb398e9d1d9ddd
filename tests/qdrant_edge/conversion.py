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
    others = given(params, {"size", "distance", "hnsw_config"})
    distance = getattr(edge().Distance, params.distance.value)
    return edge().EdgeVectorParams(params.size, distance, hnsw_config=hnsw_params(params.hnsw_config), **others)


def sparse_params(params: models.SparseVectorParams) -> Any:
    modifier = getattr(edge().Modifier, params.modifier.value.title()) if params.modifier else None
    return edge().EdgeSparseVectorParams(modifier=modifier, **given(params.index or {}, set()))


def hnsw_params(params: models.HnswConfigDiff | None) -> Any:
    return edge().HnswIndexConfig(**{**HNSW, **given(params, set())}) if params else None


def edge_vector(vector: Any) -> Any:
    """A point's vectors; some names may be missing."""
    if isinstance(vector, dict):
        return {name: edge_vector(one) for name, one in vector.items()}
    return edge().SparseVector(vector.indices, vector.values) if isinstance(vector, models.SparseVector) else vector


def client_row(row: Any) -> dict[str, Any]:
    return {"id": row.id, "payload": row.payload}


def edge_query(request: models.QueryRequest) -> Any:
    vector = request.query.nearest if isinstance(request.query, models.NearestQuery) else request.query
    if not isinstance(vector, list | models.SparseVector):
        raise ValueError(f"a query of this kind is not covered here: {type(vector).__name__}")
    return edge().QueryRequest(
        limit=10 if request.limit is None else request.limit,
        query=edge().Query.Nearest(edge_vector(vector), using=request.using),
        filter=edge_filter(request.filter),
        params=edge().SearchParams(**given(request.params, set())) if request.params else None,
        with_vector=False,
        with_payload=False,
    )


def edge_filter(chosen: models.Filter | None) -> Any:
    if chosen is None:
        return None
    names = ("must", "must_not")
    groups = {name: getattr(chosen, name) for name in names if getattr(chosen, name) is not None}
    return edge().Filter(
        **{
            name: [_condition(one) for one in (group if isinstance(group, list) else [group])]
            for name, group in groups.items()
        }
    )


def _condition(condition: Any) -> Any:
    if isinstance(condition, models.HasIdCondition):
        return edge().HasIdCondition(set(condition.has_id))
    match, span = getattr(condition, "match", None), getattr(condition, "range", None)
    if isinstance(match, models.MatchValue):
        return edge().FieldCondition(condition.key, match=edge().MatchValue(match.value))
    if isinstance(match, models.MatchAny):
        return edge().FieldCondition(condition.key, match=edge().MatchAny(list(match.any)))
    if isinstance(span, models.Range):
        return edge().FieldCondition(condition.key, range=edge().RangeFloat(**dict(span)))
    raise ValueError(f"a condition of this kind is not covered here: {condition!r}")
