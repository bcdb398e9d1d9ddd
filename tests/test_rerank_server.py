"""The rerank server refuses what the forms do not have, so that tests find what a client should not send."""

from typing import Any

import httpx2
import pytest

from tests.rerank_server import JINA, TEI, VLLM, Form, RerankServer

TEI_BODY = {"query": "q", "texts": ["q r", "q"]}
JINA_BODY = {"model": "m", "query": "q", "documents": ["q r", "q"]}


@pytest.mark.parametrize(
    ("form", "body", "status"),
    [
        (TEI, TEI_BODY, 200),
        (TEI, TEI_BODY | {"truncate": True}, 200),
        (TEI, TEI_BODY | {"model": "m"}, 422),
        (TEI, TEI_BODY | {"truncate": "yes"}, 422),
        (TEI, TEI_BODY | {"texts": ["q"] * 33}, 422),
        (TEI, TEI_BODY | {"texts": [1]}, 422),
        (TEI, JINA_BODY, 422),
        (JINA, JINA_BODY, 200),
        (JINA, JINA_BODY | {"top_n": 1}, 200),
        (JINA, JINA_BODY | {"truncate": True}, 422),
        (JINA, {"query": "q", "documents": ["q"]}, 422),
        (JINA, TEI_BODY, 422),
        (VLLM, {"query": "q", "documents": ["q"]}, 200),
    ],
)
def test_only_what_a_form_has_is_taken(form: Form, body: dict[str, Any], status: int) -> None:
    with RerankServer(form) as server:
        answer = httpx2.post(server.url, json=body, headers={"authorization": "Bearer k"})
        assert answer.status_code == status, answer.text
        assert httpx2.post(server.url, json=body).status_code == (401 if form.needs_key else status)


def test_the_best_come_first_and_no_more_than_are_asked_for() -> None:
    with RerankServer(VLLM) as server:
        body = {"query": "q r", "documents": ["s", "q", "q r"], "top_n": 2}
        rows = httpx2.post(server.url, json=body).json()["results"]
    assert rows == [{"index": 2, "relevance_score": 2.0}, {"index": 1, "relevance_score": 1.0}]
