"""`QdrantClient` gets from the local servers what its own local mode gives."""

import importlib.util
import time
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest
from qdrant_client import QdrantClient
from qdrant_client.http.exceptions import ResponseHandlingException, UnexpectedResponse
from qdrant_client.http.models import (
    Distance,
    FieldCondition,
    Filter,
    FilterSelector,
    FormulaQuery,
    HasIdCondition,
    IntegerIndexParams,
    IntegerIndexType,
    KeywordIndexParams,
    KeywordIndexType,
    MatchAny,
    MatchValue,
    MultExpression,
    PayloadSchemaType,
    PayloadSelectorExclude,
    PointIdsList,
    PointStruct,
    Prefetch,
    QueryRequest,
    Range,
    SparseVector,
    SparseVectorParams,
    SumExpression,
    VectorParams,
)

from tests.local_server import server_process
from tests.qdrant_edge import QdrantEdge
from tests.qdrant_server import QdrantServer

NAME = "passages"
UUID = "5b6e4d0c-11f1-4a68-9f55-0123456789ab"
# Scores of no two points are the same, in any query below: engines may order ties as they like.
POINTS = [
    PointStruct(
        id=1,
        vector={"dense": [1.0, 0.0, 0.0], "words": SparseVector(indices=[5, 2**30], values=[1.0, 2.5])},
        payload={"topic": "tax", "published": 2001, "stems": [1, 2], "note": None},
    ),
    PointStruct(
        id=2,
        vector={"dense": [0.6, 0.8, 0.0], "words": SparseVector(indices=[5, 9], values=[3.0, 0.5])},
        payload={"topic": "tax", "published": 2011, "stems": [2, 3], "source": "חוק"},
    ),
    PointStruct(
        id=UUID,
        vector={"words": SparseVector(indices=[9], values=[4.0])},
        payload={"topic": "tax", "published": 2021, "stems": [2**30]},
    ),
    PointStruct(
        id=4,
        vector={"dense": [0.0, 0.6, 0.8], "words": SparseVector(indices=[5], values=[0.25])},
        payload={"topic": "labour", "published": 2031, "stems": []},
    ),
]
TAX = FieldCondition(key="topic", match=MatchValue(value="tax"))
NEW = FieldCondition(key="published", range=Range(gte=2011, lt=2031))
WORDS = SparseVector(indices=[5, 9], values=[1.0, 2.0])
FORMULA = FormulaQuery(
    formula=SumExpression(
        sum=["$score", MultExpression(mult=[10.0, FieldCondition(key="stems", match=MatchAny(any=[3]))])]
    )
)
FILTERS = {
    "none": None,
    "value": Filter(must=[TAX]),
    "any": Filter(must=FieldCondition(key="stems", match=MatchAny(any=[1, 2**30]))),
    "range": Filter(must=[NEW]),
    "ids": Filter(must=[HasIdCondition(has_id=[1, UUID])]),
    "should": Filter(should=[HasIdCondition(has_id=[4]), FieldCondition(key="stems", match=MatchValue(value=3))]),
    "must_not": Filter(must_not=[NEW]),
    "nested": Filter(
        must=[TAX, Filter(should=[NEW, HasIdCondition(has_id=[4])], must_not=[HasIdCondition(has_id=[2])])]
    ),
}
QUERIES: dict[str, QueryRequest] = {
    "sparse": QueryRequest(query=WORDS, using="words", with_payload=True),
    "filtered": QueryRequest(query=WORDS, using="words", filter=Filter(must=[NEW]), with_payload=["topic", "stems"]),
    "dense": QueryRequest(query=[0.5, 0.5, 0.1], using="dense", limit=2, with_vector=True),
    "offset": QueryRequest(query=WORDS, using="words", limit=1, offset=1),
    "threshold": QueryRequest(query=WORDS, using="words", score_threshold=3.5),
    "without": QueryRequest(query=WORDS, using="words", with_payload=PayloadSelectorExclude(exclude=["stems"])),
    "formula": QueryRequest(query=FORMULA, prefetch=Prefetch(query=WORDS, using="words", limit=10), with_payload=False),
    "chosen": QueryRequest(
        query=FORMULA, prefetch=[Prefetch(query=WORDS, using="words", filter=Filter(must=[TAX]), limit=2)], limit=5
    ),
}


def fill(client: QdrantClient) -> None:
    client.create_collection(
        NAME,
        vectors_config={"dense": VectorParams(size=3, distance=Distance.COSINE)},
        sparse_vectors_config={"words": SparseVectorParams()},
    )
    client.create_payload_index(NAME, "topic", KeywordIndexParams(type=KeywordIndexType.KEYWORD, is_tenant=True))
    lookup = IntegerIndexParams(type=IntegerIndexType.INTEGER, lookup=True, range=False)
    client.create_payload_index(NAME, "stems", lookup)
    client.create_payload_index(NAME, "published", PayloadSchemaType.INTEGER)
    client.upsert(NAME, POINTS)


@pytest.fixture
def local() -> QdrantClient:
    client = QdrantClient(":memory:")
    fill(client)
    return client


@pytest.fixture(params=["local mode", "edge"])
def server(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[QdrantServer]:
    if request.param == "edge" and not importlib.util.find_spec("qdrant_edge"):
        pytest.skip("qdrant_edge is not installed: pip install -r requirements-bench.txt")
    engine = QdrantEdge(tmp_path, settle_s=0) if request.param == "edge" else None
    with QdrantServer(engine, lock=nullcontext() if engine else None) as server:
        yield server
    if engine:
        engine.close()


@pytest.fixture
def client(server: QdrantServer) -> QdrantClient:
    client = QdrantClient(url=server.url, timeout=5, check_compatibility=False)
    fill(client)
    return client


def same(told: Any, expected: Any) -> None:
    """They are equal but for the rounding of numbers, and for versions, which the local mode does not count."""
    if isinstance(expected, float):
        assert told == pytest.approx(expected, abs=1e-5)
    elif isinstance(expected, list | tuple):
        assert len(told) == len(expected), told
        for one, other in zip(told, expected, strict=True):
            same(one, other)
    elif isinstance(expected, dict):
        assert told.keys() == expected.keys()
        for key in expected.keys() - {"version"}:
            same(told[key], expected[key])
    elif hasattr(expected, "model_dump"):
        assert type(told) is type(expected)
        same(told.model_dump(), expected.model_dump())
    else:
        assert told == expected


def status_of(call: Callable[[], Any]) -> int | None:
    with pytest.raises(UnexpectedResponse) as refused:
        call()
    assert b'"error"' in refused.value.content
    return refused.value.status_code


@pytest.mark.parametrize("query", QUERIES)
def test_query_gives_the_same_points(client: QdrantClient, local: QdrantClient, query: str) -> None:
    request = QUERIES[query]
    expected = local.query_batch_points(NAME, [request])[0]
    assert expected.points
    same(client.query_batch_points(NAME, [request, request]), [expected, expected])
    asked = {name: getattr(request, name) for name in request.model_fields_set - {"filter", "with_vector"}}
    asked |= {"query_filter": request.filter, "with_vectors": request.with_vector}
    same(client.query_points(NAME, **asked), local.query_points(NAME, **asked))


@pytest.mark.parametrize("name", FILTERS)
def test_filter_chooses_the_same_points(client: QdrantClient, local: QdrantClient, name: str) -> None:
    chosen = FILTERS[name]
    assert 0 < local.count(NAME, chosen).count < len(POINTS) or chosen is None
    same(client.count(NAME, chosen), local.count(NAME, chosen))
    assert client.count(NAME, chosen, exact=False).count <= len(POINTS)
    assert {row.id for row in client.scroll(NAME, chosen)[0]} == {row.id for row in local.scroll(NAME, chosen)[0]}
    facets = [{hit.value: hit.count for hit in one.facet(NAME, "topic", chosen).hits} for one in (client, local)]
    assert facets[0] == facets[1]
    for one in (client, local):
        if chosen:
            one.delete(NAME, FilterSelector(filter=chosen))
    assert {row.id for row in client.scroll(NAME)[0]} == {row.id for row in local.scroll(NAME)[0]}


def test_scroll_goes_through_all_points(client: QdrantClient, local: QdrantClient) -> None:
    expected = {row.id: row for row in local.scroll(NAME, with_vectors=True)[0]}
    offset, seen = None, []
    while True:
        rows, offset = client.scroll(NAME, limit=3, offset=offset, with_vectors=True)
        seen += rows
        if offset is None:
            break
    assert len(seen) == len(POINTS)
    same({row.id: row for row in seen}, expected)
    assert client.scroll(NAME, with_payload=["topic"])[0][0].payload == {"topic": "tax"}


def test_points_are_deleted_and_replaced(client: QdrantClient, local: QdrantClient) -> None:
    replaced = PointStruct(id=1, vector={"dense": [0.0, 0.0, 1.0]}, payload={"topic": "new"})
    for one in (client, local):
        one.delete(NAME, PointIdsList(points=[2, UUID]))
        one.upsert(NAME, [replaced])
    same(client.scroll(NAME, with_vectors=True), local.scroll(NAME, with_vectors=True))
    assert client.count(NAME).count == 2


def test_upsert_of_several_megabytes_is_taken(client: QdrantClient) -> None:
    text = "א" * 10_000
    client.upsert(NAME, [PointStruct(id=100 + number, vector={}, payload={"text": text}) for number in range(300)])
    assert client.count(NAME).count == len(POINTS) + 300
    assert client.scroll(NAME, Filter(must=[HasIdCondition(has_id=[399])]))[0][0].payload == {"text": text}


def test_collections_are_listed_made_and_dropped(client: QdrantClient) -> None:
    assert [one.name for one in client.get_collections().collections] == [NAME]
    assert client.collection_exists(NAME)
    told = client.get_collection(NAME)
    assert told.points_count == len(POINTS)
    assert told.config.params.vectors == {"dense": VectorParams(size=3, distance=Distance.COSINE)}
    assert client.delete_collection(NAME)
    assert not client.delete_collection(NAME)
    assert not client.collection_exists(NAME)
    fill(client)
    assert client.count(NAME).count == len(POINTS)


def test_what_is_wrong_is_refused_as_qdrant_does(client: QdrantClient) -> None:
    assert status_of(lambda: client.count("unknown")) == 404
    assert status_of(lambda: client.get_collection("unknown")) == 404
    assert status_of(lambda: client.upsert("unknown", POINTS)) == 404
    assert status_of(lambda: fill(client)) == 409
    assert status_of(lambda: client.query_points(NAME, [1.0], using="dense")) == 400
    assert status_of(lambda: client.query_points(NAME, [1.0, 0.0, 0.0], using="unknown")) == 400


def test_key_is_asked_for() -> None:
    with QdrantServer(api_key="secret") as server:
        client = QdrantClient(url=server.url, headers={"api-key": "secret"})
        assert client.get_collections().collections == []
        for headers in ({}, {"api-key": "other"}):
            stranger = QdrantClient(url=server.url, headers=headers, check_compatibility=False)
            assert status_of(stranger.get_collections) == 401


def test_server_fails_hangs_and_closes_when_told(client: QdrantClient, server: QdrantServer) -> None:
    with server.failing():
        assert status_of(lambda: client.count(NAME)) == 503
    impatient = QdrantClient(url=server.url, timeout=1, check_compatibility=False)
    with server.hanging():
        begun = time.monotonic()
        with pytest.raises(ResponseHandlingException):
            impatient.count(NAME)
        assert time.monotonic() - begun >= 1
    assert client.count(NAME).count == len(POINTS)
    assert server.calls[-1] == f"POST /collections/{NAME}/points/count"
    server.close()
    with pytest.raises(ResponseHandlingException):
        client.count(NAME)
    with QdrantServer(server.engine) as again:
        assert QdrantClient(url=again.url).count(NAME).count == len(POINTS)


def test_server_in_a_process_of_its_own_serves() -> None:
    with server_process("tests.qdrant_server") as process:
        client = QdrantClient(url=process.url)
        fill(client)
        assert client.count(NAME).count == len(POINTS)


def test_edge_keeps_collections_and_optimises_them(tmp_path: Path) -> None:
    pytest.importorskip("qdrant_edge", reason="qdrant_edge is not installed: pip install -r requirements-bench.txt")
    with QdrantEdge(tmp_path, settle_s=0.1) as engine, QdrantServer(engine) as server:
        client = QdrantClient(url=server.url)
        fill(client)
        assert client.get_collection(NAME).status == "yellow"
        deadline = time.monotonic() + 10
        while client.get_collection(NAME).status != "green":
            assert time.monotonic() < deadline
            time.sleep(0.05)
        before = client.scroll(NAME, with_vectors=True)
    with QdrantEdge(tmp_path) as engine, QdrantServer(engine) as server:
        client = QdrantClient(url=server.url)
        same(client.scroll(NAME, with_vectors=True), before)
        told = client.get_collection(NAME)
        assert told.payload_schema["topic"].params == KeywordIndexParams(type=KeywordIndexType.KEYWORD, is_tenant=True)
        assert [hit.count for hit in client.facet(NAME, "topic").hits] == [3, 1]
