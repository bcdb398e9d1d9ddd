"""Embedding over HTTP."""

import datetime as dt
import threading
from email.utils import format_datetime
from typing import Any

import numpy as np
import pytest

from kb_project.errors import ProviderError
from search.embedders.hashing import HashingEmbedder
from search.embedders.http import BATCH_TEXTS, OpenAIEmbedder, VoyageEmbedder
from tests.search.embedders.stub import Service


def openai(service: Service, *, dimension: int = 0, api_key: str = "") -> OpenAIEmbedder:
    return OpenAIEmbedder(model="a-model", base_url=service.url, api_key=api_key, dimension=dimension)


def test_vectors_come_back_in_the_order_of_the_texts_and_with_length_one(service: Service) -> None:
    texts = ["bank", "bridge", "deposit"]
    vectors = openai(service).embed(texts, "document")
    alone = np.concatenate([openai(service).embed([text], "document") for text in texts])
    assert np.allclose(vectors, alone)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1)


def test_many_texts_go_in_several_requests(service: Service) -> None:
    vectors = openai(service).embed([f"text {number}" for number in range(BATCH_TEXTS + 1)], "document")
    assert sorted(len(request["input"]) for request in service.requests) == [1, BATCH_TEXTS]
    assert len(vectors) == BATCH_TEXTS + 1


def test_the_dimension_is_found_out_when_it_is_not_configured(service: Service) -> None:
    service.dimension = 12
    assert openai(service).dimension == 12


def test_a_configured_dimension_is_asked_for(service: Service) -> None:
    assert openai(service, dimension=16).embed(["bank"], "query").shape == (1, 16)
    assert service.requests[0]["dimensions"] == 16


def test_the_key_is_sent_only_when_there_is_one(service: Service) -> None:
    openai(service, api_key="secret").embed(["bank"], "query")
    openai(service).embed(["bank"], "query")
    assert service.keys == ["Bearer secret", None]


def test_voyage_is_told_what_the_text_is_for(service: Service) -> None:
    embedder = VoyageEmbedder(model="voyage-law-2", base_url=service.url, api_key="k")
    embedder.embed(["bank"], "query")
    embedder.embed(["bank"], "document")
    assert [request["input_type"] for request in service.requests] == ["query", "document"]


def test_a_busy_service_is_asked_again_after_the_time_it_says(service: Service) -> None:
    service.failures = [(429, {"Retry-After": "0"}), (503, {"Retry-After": "0"})]
    assert len(openai(service).embed(["bank"], "document")) == 1
    assert len(service.requests) == 3


def test_a_query_does_not_wait_for_a_busy_service(service: Service) -> None:
    service.failures = [(429, {"Retry-After": "30"})]
    with pytest.raises(ProviderError) as error:
        openai(service).embed(["bank"], "query")
    assert error.value.retryable
    assert len(service.requests) == 1


def test_a_refusal_is_not_tried_again(service: Service) -> None:
    service.failures = [(401, {})]
    with pytest.raises(ProviderError) as error:
        openai(service).embed(["bank"], "document")
    assert not error.value.retryable


@pytest.mark.parametrize(
    "body",
    [
        b"not json",
        b"[]",
        b'{"data": []}',
        b'{"data": [{"index": 0}]}',
        b'{"data": [{"index": 0, "embedding": [1, NaN]}]}',
    ],
)
def test_an_unusable_answer_is_an_error(service: Service, body: bytes) -> None:
    service.body = body
    with pytest.raises(ProviderError):
        openai(service).embed(["bank"], "document")


def test_another_dimension_than_configured_is_an_error(service: Service) -> None:
    service.body = b'{"data": [{"index": 0, "embedding": [1, 2, 3]}]}'
    with pytest.raises(ProviderError, match="3 dimensions"):
        openai(service, dimension=4).embed(["bank"], "document")


def test_a_service_that_is_away_is_an_error() -> None:
    embedder = OpenAIEmbedder(model="m", base_url="http://127.0.0.1:9", api_key="")
    with pytest.raises(ProviderError):
        embedder.embed(["bank"], "query")


def test_empty_and_very_long_texts_are_made_acceptable(service: Service) -> None:
    openai(service).embed(["", "a" * 100_000], "document")
    sent = [text for request in service.requests for text in request["input"]]
    assert sent[0] == " "
    assert len(sent[1]) < 100_000


def test_requests_run_side_by_side_up_to_the_limit(service: Service) -> None:
    gate = threading.Barrier(2, timeout=60)  # opens when two requests are there at a time
    most, running, lock = 0, 0, threading.Lock()
    answer = service.answer

    def counted(request: dict[str, Any]) -> bytes:
        nonlocal most, running
        with lock:
            running += 1
            most = max(most, running)
        gate.wait()
        with lock:
            running -= 1
        return answer(request)

    service.answer = counted  # type: ignore[method-assign]
    embedder = OpenAIEmbedder(model="a-model", base_url=service.url, api_key="", dimension=8, concurrency=2)
    texts = [f"text {number}" for number in range(4 * BATCH_TEXTS)]
    vectors = embedder.embed(texts, "document")
    assert most == 2
    assert np.allclose(vectors[-1], HashingEmbedder(dimension=8).embed(texts[-1:], "document")[0])


def test_a_provider_that_names_a_time_is_asked_again_then(service: Service) -> None:
    answer, arrived = service.answer, list[dt.datetime]()

    def noted(request: dict[str, Any]) -> bytes:
        arrived.append(dt.datetime.now(dt.UTC))
        return answer(request)

    service.answer = noted  # type: ignore[method-assign]
    # Later than it would be asked without a word, in the whole seconds that a date has.
    named = dt.datetime.now(dt.UTC).replace(microsecond=0) + dt.timedelta(seconds=4)
    service.failures = [(429, {"Retry-After": format_datetime(named, usegmt=True)})]
    openai(service).embed(["bank"], "document")
    assert named <= arrived[0] < named + dt.timedelta(seconds=60)
