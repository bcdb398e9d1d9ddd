"""Re-ranking over HTTP, in both forms."""

import pytest

from kb_project.errors import ProviderError
from search.rerankers.http import MAX_REPLY_BYTES, HttpReranker
from tests.rerank_server import JINA, TEI, VLLM, Form, RerankServer

TEXTS = ["a bridge", "the bank repays deposits", "a bank"]
QUERY = "bank deposits"


@pytest.mark.parametrize("form", [TEI, JINA, VLLM])
@pytest.mark.parametrize("model", ["", "a-model"])
def test_each_form_is_spoken_and_learned_once(form: Form, model: str) -> None:
    if form is JINA and not model:
        pytest.skip("it cannot do without a model")
    with RerankServer(form) as server:
        reranker = HttpReranker(url=server.url, model=model, api_key="secret")
        assert reranker.scores(QUERY, TEXTS, timeout_s=5) == [0, 2, 1]
        assert reranker.scores(QUERY, TEXTS[::-1], timeout_s=5) == [1, 2, 0]
        asked_twice = (form is TEI) == bool(model)
        assert len(server.requests) == (3 if asked_twice else 2)
        assert server.requests[-1].headers["authorization"] == "Bearer secret"
        assert server.requests[-1].body.get("truncate", form is not TEI)


def test_the_address_may_end_before_the_path() -> None:
    with RerankServer(TEI) as server:
        reranker = HttpReranker(url=server.url.removesuffix("/rerank") + "/")
        assert reranker.scores(QUERY, TEXTS, timeout_s=5) == [0, 2, 1]


def test_a_server_that_is_away_may_be_tried_again() -> None:
    with pytest.raises(ProviderError) as error:
        HttpReranker(url="http://127.0.0.1:9").scores(QUERY, TEXTS, timeout_s=5)
    assert error.value.retryable


@pytest.mark.parametrize(("status", "retryable"), [(401, False), (404, False), (429, True), (503, True)])
def test_a_failure_says_whether_to_try_again(status: int, retryable: bool) -> None:
    with RerankServer(TEI) as server:
        server.will_fail(status=status)
        with pytest.raises(ProviderError, match=str(status)) as error:
            HttpReranker(url=server.url).scores(QUERY, TEXTS, timeout_s=5)
    assert error.value.retryable is retryable


@pytest.mark.parametrize(
    "raw",
    [
        b"not json",
        b"",
        b"5",
        b"null",
        b'{"results": null}',
        b'{"results": [1, 2, 3]}',
        b'[{"index": 0, "score": 1}, {"index": 1, "score": 2}]',
        b'[{"index": 0, "score": 1}, {"index": 1, "score": 2}, {"index": 1, "score": 3}]',
        b'[{"index": 0, "score": 1}, {"index": 1, "score": 2}, {"index": 3, "score": 3}]',
        b'[{"index": 0, "score": 1}, {"index": 1, "score": 2}, {"index": -1, "score": 3}]',
        b'[{"index": 0, "score": 1}, {"index": 1, "score": 2}, {"index": [2], "score": 3}]',
        b'[{"index": 0, "score": 1}, {"index": 1, "score": 2}, {"index": 2, "score": NaN}]',
        b'[{"index": 0, "score": 1}, {"index": 1, "score": 2}, {"index": 2, "score": 1' + b"0" * 400 + b"}]",
        b'[{"index": 0, "score": 1}, {"index": 1, "score": 2}, {"index": 2, "relevance_score": 3}]',
        b"[" * 100_000,
    ],
)
def test_what_is_no_score_of_each_text_is_an_error(raw: bytes) -> None:
    with RerankServer(TEI) as server:
        server.will_fail(raw=raw)
        with pytest.raises(ProviderError) as error:
            HttpReranker(url=server.url).scores(QUERY, TEXTS, timeout_s=5)
    assert not error.value.retryable


@pytest.mark.timeout(60)
@pytest.mark.parametrize("how", ["delay_s", "drip_s"])
def test_neither_silence_nor_a_drip_is_waited_for_longer_than_that(how: str) -> None:
    with RerankServer(TEI) as server:
        server.will_fail(**{how: 600.0})
        with pytest.raises(ProviderError):
            HttpReranker(url=server.url).scores(QUERY, TEXTS, timeout_s=0.3)


def test_an_answer_without_end_is_not_read() -> None:
    with RerankServer(TEI) as server:
        server.will_fail(raw=b" " * (MAX_REPLY_BYTES + 1))
        with pytest.raises(ProviderError, match="does not end"):
            HttpReranker(url=server.url).scores(QUERY, TEXTS, timeout_s=5)
