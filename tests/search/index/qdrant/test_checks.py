"""What is checked of the points and of the server."""

import pytest
from qdrant_client import models

from kb_project.operations import readiness
from search.index import engine
from search.index.qdrant import checks as qdrant_health
from search.index.qdrant import collections
from search.index.qdrant.checks import CHECKS
from search.index.qdrant.client import client
from tests.qdrant_server import QdrantServer
from tests.search.corpus import add_source
from tests.search.index.qdrant.looking import chunk_ids, findings, points

pytestmark = pytest.mark.django_db


def test_a_point_that_is_missing_wrong_or_too_many_is_found_and_mended(server: QdrantServer) -> None:
    first, second = add_source("water of the river"), add_source("tax on land")
    assert findings() == []
    name = collections.in_use([]).name
    mine, other = first.chunks.get(), second.chunks.get()
    client().delete(name, [mine.pk])
    wrong = {**points()[other.pk], "kind": "tool"}
    client().upsert(name, [_point(other.pk, wrong), _point(10**9, {**wrong, "source": 10**6})])
    assert sorted(findings()) == sorted([f"source {pk}" for pk in (first.pk, second.pk, 10**6)])
    for check in CHECKS:
        for finding in check.findings():
            assert check.repair
            check.repair(finding)
    assert findings() == [], "they are noted"
    engine().maintain()
    assert set(points()) == chunk_ids()
    assert findings() == []


def _point(pk: int, payload: dict[str, object]) -> models.PointStruct:
    return models.PointStruct(id=pk, payload=payload, vector={"words": models.SparseVector(indices=[1], values=[1.0])})


def test_readiness_says_whether_qdrant_answers_and_how_much_waits(server: QdrantServer) -> None:
    before, told = readiness.checks(), dict(readiness.DETAILS)
    try:
        qdrant_health.register()
        [check] = [one for one in readiness.checks() if one.name == "index"]
        check.look()
        add_source("water of the river")
        assert readiness.DETAILS["index"]() == {"waiting": 0}
        with server.failing(), pytest.raises(readiness.NotReady):
            check.look()
        client().delete_collection(collections.in_use([]).name)
        with pytest.raises(readiness.NotReady, match="lost"):
            check.look()
    finally:
        readiness._checks[:] = before
        readiness.DETAILS.clear()
        readiness.DETAILS.update(told)
