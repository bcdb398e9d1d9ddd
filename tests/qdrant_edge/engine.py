"""Collections in a folder, each a shard of Qdrant's engine."""

import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

from qdrant_client.http import models

from tests.qdrant_edge.conversion import (
    client_row,
    dense_params,
    edge,
    edge_filter,
    edge_query,
    edge_vector,
    given,
    hnsw_params,
    sparse_params,
)

DONE = models.UpdateResult(operation_id=0, status=models.UpdateStatus.COMPLETED)


class QdrantEdge:
    """Collections in a folder, which are there again after a restart. Threads may share it."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._shards: dict[str, Any] = {
            unquote(folder.name): edge().EdgeShard.load(str(folder)) for folder in directory.iterdir()
        }

    def close(self) -> None:
        for shard in self._shards.values():
            shard.flush()
            shard.close()
        self._shards.clear()

    def optimize(self) -> None:
        """Have indexes built and segments merged, and wait for it."""
        for shard in self._shards.values():
            shard.optimize()

    def _do(self, name: str, verb: str, asked: Any) -> Any:
        if name not in self._shards:
            raise ValueError(f"Collection {name} not found")
        try:
            return getattr(self._shards[name], verb)(asked)
        except Exception as error:  # the engine has no other
            raise ValueError(str(error)) from error

    def _update(self, name: str, operation: Any) -> models.UpdateResult:
        self._do(name, "update", operation)
        return DONE

    def _folder(self, name: str) -> Path:
        return self._directory / quote(name, safe="")

    def collection_exists(self, collection_name: str) -> bool:
        return collection_name in self._shards

    def create_collection(
        self,
        collection_name: str,
        vectors_config: Mapping[str, models.VectorParams],
        sparse_vectors_config: Mapping[str, models.SparseVectorParams],
        on_disk_payload: bool | None = None,
        hnsw_config: models.HnswConfigDiff | None = None,
        **_: Any,
    ) -> bool:
        config = edge().EdgeConfig(
            vectors={name: dense_params(params) for name, params in vectors_config.items()},
            sparse_vectors={name: sparse_params(params) for name, params in sparse_vectors_config.items()},
            on_disk_payload=on_disk_payload,
            hnsw_config=hnsw_params(hnsw_config),
        )
        folder = self._folder(collection_name)
        folder.mkdir()
        self._shards[collection_name] = edge().EdgeShard.create(str(folder), config)
        return True

    def delete_collection(self, collection_name: str) -> bool:
        shard = self._shards.pop(collection_name, None)
        if shard is not None:
            shard.close()
            shutil.rmtree(self._folder(collection_name))
        return shard is not None

    def create_payload_index(
        self, collection_name: str, field_name: str, field_schema: models.PayloadFieldSchema
    ) -> models.UpdateResult:
        schema = getattr(edge(), type(field_schema).__name__)(**given(field_schema, {"type"}))
        return self._update(collection_name, edge().UpdateOperation.create_field_index(field_name, schema))

    def upsert(self, collection_name: str, points: Sequence[models.PointStruct]) -> models.UpdateResult:
        rows = [edge().Point(point.id, edge_vector(point.vector), point.payload) for point in points]
        return self._update(collection_name, edge().UpdateOperation.upsert_points(rows))

    def delete(self, collection_name: str, points_selector: models.FilterSelector) -> models.UpdateResult:
        chosen = edge_filter(points_selector.filter)
        return self._update(collection_name, edge().UpdateOperation.delete_points_by_filter(chosen))

    def query_batch_points(
        self, collection_name: str, requests: Sequence[models.QueryRequest]
    ) -> list[models.QueryResponse]:
        return [self._query(collection_name, request) for request in requests]

    def _query(self, name: str, request: models.QueryRequest) -> models.QueryResponse:
        hits = [
            models.ScoredPoint.model_construct(**client_row(hit), version=hit.version, score=hit.score)
            for hit in self._do(name, "query", edge_query(request))
        ]
        return models.QueryResponse.model_construct(points=hits)

    def scroll(
        self, collection_name: str, limit: int = 10, offset: Any = None, with_payload: Any = True
    ) -> tuple[list[models.Record], Any]:
        shown = with_payload.include if isinstance(with_payload, models.PayloadSelectorInclude) else with_payload
        asked = edge().ScrollRequest(offset=offset, limit=limit, with_payload=shown, with_vector=False)
        rows, next_offset = self._do(collection_name, "scroll", asked)
        return [models.Record.model_construct(**client_row(row)) for row in rows], next_offset
