"""The processes of the service with the index in Qdrant: web, worker and a server that goes away."""

from collections.abc import Callable
from io import StringIO
from subprocess import Popen

import pytest
from django.core.management import call_command
from django.test import override_settings

from search.index import named
from search.index.qdrant.client import client as qdrant_client
from tests.factories import LAW
from tests.journeys.client import Client
from tests.journeys.test_web import running
from tests.qdrant_server import QdrantServer

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.deep]
QUESTION = "דמי האיחור"


def maintained() -> None:
    """What beat has the worker do."""
    named("qdrant").maintain()


def test_what_is_published_is_found_in_qdrant_after_an_outage(
    start_worker: Callable[..., Popen[bytes]],
) -> None:
    qdrant_client.cache_clear()
    with QdrantServer() as server, override_settings(KB_INDEX="qdrant", KB_QDRANT_URL=server.url):
        environment = {"KB_INDEX": "qdrant", "KB_QDRANT_URL": server.url}
        start_worker(**environment)
        with running(**environment) as web:
            client = Client(f"http://127.0.0.1:{web.port}")

            def search() -> tuple[int, int]:
                status, answer = client.post("/kb/search", {"query": QUESTION, "topic_id": 1})
                return status, len(answer.get("results", ()))

            assert search()[0] == 503, "no collection has been filled"
            call_command("reindex_all", "--index", "qdrant", stdout=StringIO(), stderr=StringIO())
            assert search() == (200, 0)
            _, first = client.upload("ספריות.txt", LAW.encode(), title="חוק הספריות")
            assert client.finished(first["job_id"])["status"] == "done"
            assert search()[0] == 200
            assert search()[1] > 0, "found at once"
            maintained()
            found = search()
            with server.failing():
                assert search()[0] == 503
                _, second = client.upload("עותק.txt", LAW.encode() + b"\n", title="חוק אחר")
                assert client.finished(second["job_id"])["status"] == "done"
                maintained()
            assert search()[1] > found[1], "what came in an outage is found as soon as it ends"
            maintained()
            assert client.get("/readyz")[1]["index"] == {"waiting": 0}
            source_id = client.get(f"/admin/kb/jobs/{first['job_id']}")[1]["source_id"]
            assert client.session.delete(f"{client.url}/admin/kb/sources/{source_id}").status_code == 204
            assert search()[1] < found[1] * 2, "gone before Qdrant knows"
            _, answer = client.post("/kb/search", {"query": QUESTION, "topic_id": 1})
            assert source_id not in {hit["source"]["id"] for hit in answer["results"]}
    qdrant_client.cache_clear()
