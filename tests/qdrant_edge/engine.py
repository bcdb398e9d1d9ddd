"""Collections in a folder, each a shard of Qdrant's engine."""

import shutil
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Self
from urllib.parse import quote, unquote

from pydantic import BaseModel
from qdrant_client.http import models

from tests.qdrant_edge.conversion import (
    HNSW,
    client_id,
    client_row,
    dense_params,
    edge,
    edge_filter,
    edge_vector,
    given,
    payload_selector,
    query_stage,
    sparse_params,
)
from tests.qdrant_edge.conversion import hnsw_config as hnsw

LOOK_EVERY_S = 0.5
AT_MOST_S = 60.0  # writes that do not end are optimised so often
DONE = models.UpdateResult(operation_id=0, status=models.UpdateStatus.COMPLETED)
KEPT = "collection.json"


class _Schema(BaseModel):
    """What is kept of a collection beside its shard."""

    vectors: dict[str, models.VectorParams]
    sparse_vectors: dict[str, models.SparseVectorParams]
    indexes: dict[str, models.PayloadFieldSchema] = {}


class QdrantEdge:
    """Collections in a folder, which are there again after a restart. Threads may share it."""

    def __init__(self, directory: Path, *, settle_s: float = 5.0) -> None:
        """`settle_s` after the last write a shard is optimised; 0 leaves that to `optimize`."""
        self._directory, self._settle_s = directory, settle_s
        self._shards: dict[str, Any] = {}
        self._schemas: dict[str, _Schema] = {}
        self._written: dict[str, tuple[float, float]] = {}  # the first and the last write that is not optimised
        self._lock = threading.Lock()  # of _written
        self._optimizing = threading.Lock()
        self._ending = threading.Event()
        for kept in directory.glob(f"*/{KEPT}"):
            name = unquote(kept.parent.name)
            self._shards[name] = edge().EdgeShard.load(str(kept.parent / "shard"))
            self._schemas[name] = _Schema.model_validate_json(kept.read_bytes())
        if settle_s:
            threading.Thread(target=self._optimize_when_settled, daemon=True).start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._ending.set()
        with self._optimizing:
            for shard in self._shards.values():
                shard.flush()
                shard.close()
            self._shards.clear()

    def optimize(self, collection_name: str) -> None:
        """Have indexes built and segments merged, and wait for it."""
        with self._optimizing:
            with self._lock:
                self._written.pop(collection_name, None)
            if collection_name in self._shards:
                self._shards[collection_name].optimize()

    def _optimize_when_settled(self) -> None:
        while not self._ending.wait(LOOK_EVERY_S):
            now = time.monotonic()
            with self._lock:
                written = list(self._written.items())
            for name, (first, last) in written:
                if now - last > self._settle_s or now - first > AT_MOST_S:
                    self.optimize(name)

    def _do(self, name: str, verb: str, asked: Any) -> Any:
        if name not in self._shards:
            raise ValueError(f"Collection {name} not found")
        try:
            return getattr(self._shards[name], verb)(asked)
        except Exception as error:  # the engine has no other
            raise ValueError(str(error)) from error

    def _update(self, name: str, operation: Any) -> models.UpdateResult:
        self._do(name, "update", operation)
        now = time.monotonic()
        with self._lock:
            self._written[name] = (self._written.get(name, (now, now))[0], now)
        return DONE

    def _keep(self, name: str) -> None:
        (self._folder(name) / KEPT).write_text(self._schemas[name].model_dump_json(exclude_none=True))

    def _folder(self, name: str) -> Path:
        return self._directory / quote(name, safe="")

    def get_collections(self) -> models.CollectionsResponse:
        return models.CollectionsResponse(
            collections=[models.CollectionDescription(name=name) for name in sorted(self._shards)]
        )

    def collection_exists(self, collection_name: str) -> bool:
        return collection_name in self._shards

    def create_collection(
        self,
        collection_name: str,
        vectors_config: models.VectorParams | Mapping[str, models.VectorParams] | None = None,
        sparse_vectors_config: Mapping[str, models.SparseVectorParams] | None = None,
        on_disk_payload: bool | None = None,
        hnsw_config: models.HnswConfigDiff | None = None,
        quantization_config: Any = None,
        optimizers_config: models.OptimizersConfigDiff | None = None,
        **_: Any,
    ) -> bool:
        dense = {"": vectors_config} if isinstance(vectors_config, models.VectorParams) else dict(vectors_config or {})
        schema = _Schema(vectors=dense, sparse_vectors=dict(sparse_vectors_config or {}))
        if quantization_config or any(params.quantization_config for params in dense.values()):
            raise ValueError("quantization is not covered here")
        left_out = {"memmap_threshold", "flush_interval_sec", "max_optimization_threads"}
        optimizers = edge().EdgeOptimizersConfig(**given(optimizers_config, left_out)) if optimizers_config else None
        config = edge().EdgeConfig(
            vectors={name: dense_params(params) for name, params in dense.items()},
            sparse_vectors={name: sparse_params(params) for name, params in schema.sparse_vectors.items()},
            on_disk_payload=on_disk_payload,
            hnsw_config=hnsw(hnsw_config),
            optimizers=optimizers,
        )
        folder = self._folder(collection_name)
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        shard = edge().EdgeShard.create(str(folder / "shard"), config)
        self._schemas[collection_name] = schema
        self._keep(collection_name)
        self._shards[collection_name] = shard
        return True

    def delete_collection(self, collection_name: str) -> bool:
        with self._optimizing:
            shard = self._shards.pop(collection_name, None)
            if shard is not None:
                shard.close()
                shutil.rmtree(self._folder(collection_name))
        return shard is not None

    def get_collection(self, collection_name: str) -> models.CollectionInfo:
        shard, schema = self._shards[collection_name], self._schemas[collection_name]
        info = shard.info()
        indexes = {
            name: models.PayloadIndexInfo(
                data_type=models.PayloadSchemaType(getattr(index, "type", index)),
                params=None if isinstance(index, models.PayloadSchemaType) else index,
                points=info.payload_schema[name].points,
            )
            for name, index in schema.indexes.items()
        }
        is_waiting = collection_name in self._written
        return models.CollectionInfo(
            status=models.CollectionStatus.YELLOW if is_waiting else models.CollectionStatus.GREEN,
            optimizer_status=models.OptimizersStatusOneOf.OK,
            indexed_vectors_count=info.indexed_vectors_count,
            points_count=info.points_count,
            segments_count=info.segments_count,
            config=models.CollectionConfig(
                params=models.CollectionParams(vectors=schema.vectors, sparse_vectors=schema.sparse_vectors),
                hnsw_config=models.HnswConfig.model_validate(HNSW),
                optimizer_config=models.OptimizersConfig(default_segment_number=0, flush_interval_sec=5),
            ),
            payload_schema=indexes,
        )

    def create_payload_index(
        self, collection_name: str, field_name: str, field_schema: models.PayloadFieldSchema
    ) -> models.UpdateResult:
        if isinstance(field_schema, models.PayloadSchemaType | str):
            schema = getattr(edge().PayloadSchemaType, models.PayloadSchemaType(field_schema).value.title())
        else:
            schema = getattr(edge(), type(field_schema).__name__)(**given(field_schema, {"type"}))
        done = self._update(collection_name, edge().UpdateOperation.create_field_index(field_name, schema))
        self._schemas[collection_name].indexes[field_name] = field_schema
        self._keep(collection_name)
        return done

    def upsert(
        self,
        collection_name: str,
        points: Sequence[models.PointStruct],
        update_filter: models.Filter | None = None,
        update_mode: models.UpdateMode | None = None,
    ) -> models.UpdateResult:
        if isinstance(points, models.Batch):
            raise ValueError("a batch is not covered here: send a list of points")
        mode = getattr(edge().UpdateMode, update_mode.value.title().replace("_", "")) if update_mode else None
        rows = [edge().Point(point.id, edge_vector(point.vector), point.payload) for point in points]
        operation = edge().UpdateOperation.upsert_points(rows, edge_filter(update_filter), mode)
        return self._update(collection_name, operation)

    def delete(self, collection_name: str, points_selector: Any) -> models.UpdateResult:
        if isinstance(points_selector, models.FilterSelector | models.Filter):
            chosen: Any = getattr(points_selector, "filter", points_selector)
            return self._update(collection_name, edge().UpdateOperation.delete_points_by_filter(edge_filter(chosen)))
        ids = list(getattr(points_selector, "points", points_selector))
        return self._update(collection_name, edge().UpdateOperation.delete_points(ids))

    def query_points(self, collection_name: str, query: Any = None, **asked: Any) -> models.QueryResponse:
        names = {"query_filter": "filter", "search_params": "params", "with_vectors": "with_vector"}
        members = {"with_payload": True, **{names.get(key, key): value for key, value in asked.items()}}
        return self.query_batch_points(collection_name, [models.QueryRequest(query=query, **members)])[0]

    def query_batch_points(
        self, collection_name: str, requests: Sequence[models.QueryRequest]
    ) -> list[models.QueryResponse]:
        return [self._query(collection_name, request) for request in requests]

    def _query(self, name: str, request: models.QueryRequest) -> models.QueryResponse:
        asked = edge().QueryRequest(
            offset=request.offset,
            with_vector=request.with_vector or False,
            with_payload=payload_selector(request.with_payload or False),
            **query_stage(request),
        )
        hits = [
            models.ScoredPoint.model_construct(**client_row(hit), version=hit.version, score=hit.score)
            for hit in self._do(name, "query", asked)
        ]
        return models.QueryResponse.model_construct(points=hits)

    def scroll(
        self,
        collection_name: str,
        scroll_filter: models.Filter | None = None,
        limit: int = 10,
        order_by: Any = None,
        offset: Any = None,
        with_payload: Any = True,
        with_vectors: Any = False,
    ) -> tuple[list[models.Record], Any]:
        if order_by is not None:
            raise ValueError("order_by is not covered here")
        asked = edge().ScrollRequest(
            offset=offset,
            limit=limit,
            filter=edge_filter(scroll_filter),
            with_payload=payload_selector(with_payload),
            with_vector=with_vectors or False,
        )
        rows, next_offset = self._do(collection_name, "scroll", asked)
        records = [models.Record.model_construct(**client_row(row)) for row in rows]
        return records, client_id(next_offset)
