"""Searches whose first passages a reranker orders, or fails to."""

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connections

from answers.asking.ask import AT_ONCE
from answers.models import AnswerTrace
from kb_project.clients.redis_client import shared_memory
from kb_project.llm import quick
from kb_project.observability.metrics import RERANKINGS
from search.results import Match, Reranking, Retrieval
from search.retrieval import retrieve
from search.retrieval.listing import Group, Listing, Sort
from sources.scope import Scope
from tests.answers.asking.asking import ask
from tests.rerank_server import TEI, RerankServer
from tests.search.corpus import add_source, section

TOPIC = Scope(topic_id=1)
BEST = "a deposit is money at a bank in the end"


@pytest.fixture
def server(settings: Any) -> Iterator[RerankServer]:
    """It holds the passage best that a search by words puts last."""
    with RerankServer(TEI, score=lambda query, text: float(BEST in text)) as server:
        settings.KB_RERANKER, settings.KB_RERANKER_URL, settings.KB_RERANKER_TIMEOUT_S = "http", server.url, 60.0
        yield server
    shared_memory().flushdb()  # nobody is left alone


@pytest.fixture
def deposits(db: None) -> None:
    add_source("bank deposits, bank deposits", "bank deposits and a levy", f"{'levy ' * 30}{BEST}", title="Levies")


def texts(found: Retrieval) -> list[str]:
    return [hit.text[-len(BEST) :] for hit in found.hits]


def counted(outcome: Reranking) -> float:
    return RERANKINGS.labels(outcome=outcome.value)._value.get()


@pytest.mark.usefixtures("deposits")
def test_first_passages_are_put_in_the_order_of_the_reranker(server: RerankServer, settings: Any) -> None:
    before = counted(Reranking.MADE)
    as_found = retrieve("bank deposits", scope=TOPIC, mode="lexical")
    assert as_found.reranking is Reranking.OFF
    assert texts(as_found)[-1] == BEST
    found = retrieve("bank deposits", scope=TOPIC)
    assert texts(found) == [BEST, *texts(as_found)[:-1]]
    assert [hit.score for hit in found.hits] == [hit.score for hit in as_found.hits]
    assert [hit.rank for hit in found.hits] == [1, 2, 3]
    assert texts(retrieve("bank deposits", scope=TOPIC, limit=1)) == [BEST], "more are read than are asked for"
    assert [request.body["query"] for request in server.requests] == ["bank deposits"] * 2
    assert server.requests[0].body["texts"][0].startswith("Levies\nbank deposits")
    assert (found.reranking, counted(Reranking.MADE)) == (Reranking.MADE, before + 2)
    settings.KB_RERANKER_PASSAGES = 2
    assert texts(retrieve("bank deposits", scope=TOPIC)) == texts(as_found), "no others are moved"
    settings.KB_RERANKER = "none"
    assert retrieve("bank deposits", scope=TOPIC).reranking is Reranking.OFF
    assert len(server.requests) == 3


@pytest.mark.usefixtures("deposits")
def test_a_list_is_re_ranked_unless_it_is_by_date(server: RerankServer) -> None:
    found = retrieve("bank deposits", scope=TOPIC, listing=Listing(facets=True))
    assert (texts(found)[0], found.reranking) == (BEST, Reranking.MADE)
    assert retrieve("bank deposits", scope=TOPIC, listing=Listing(group=Group.DOCUMENT)).hits[0].more is not None
    by_date = retrieve("bank deposits", scope=TOPIC, listing=Listing(sort=Sort.NEWEST))
    assert (texts(by_date)[-1], by_date.reranking) == (BEST, Reranking.OFF)
    assert retrieve("zebra", scope=TOPIC).reranking is Reranking.NEEDLESS


@pytest.mark.django_db
def test_what_the_query_cites_stays_first(server: RerankServer) -> None:
    add_source(
        section("1", "Levy", "The levy is due."),
        section("2", "Bank", "A bank pays interest."),
        section("3", "Interest", f"Interest of a bank: {BEST}."),
        title="Bank Deposits Act",
        kind="law",
    )
    found = retrieve("section 1 of the Bank Deposits Act, interest of a bank", scope=TOPIC)
    assert [hit.section for hit in found.hits] == ["1", "3", "2"]
    assert found.hits[0].match is Match.CITATION
    assert not any("The levy is due" in text for text in server.requests[0].body["texts"])


@pytest.mark.timeout(60)
@pytest.mark.usefixtures("deposits")
@pytest.mark.parametrize(
    ("how", "outcome"),
    [
        ({"delay_s": 600.0}, Reranking.LATE),
        ({"drip_s": 600.0}, Reranking.LATE),
        ({"status": 429}, Reranking.FAILED),
        ({"raw": b"[]"}, Reranking.FAILED),
    ],
)
def test_without_an_answer_in_time_the_order_stands(
    server: RerankServer,
    settings: Any,
    monkeypatch: pytest.MonkeyPatch,
    how: dict[str, Any],
    outcome: Reranking,
) -> None:
    monkeypatch.setattr(quick, "PAUSE_S", 600.0)
    if outcome is Reranking.LATE:
        settings.KB_RERANKER_TIMEOUT_S = 0.5
    as_found, before = texts(retrieve("bank deposits", scope=TOPIC, mode="lexical")), counted(outcome)
    server.will_fail(**how)
    found = retrieve("bank deposits", scope=TOPIC)
    assert (texts(found), found.reranking, counted(outcome)) == (as_found, outcome, before + 1)
    # It is left alone for a while, and its failure told in the trace.
    ask("What is said of bank deposits?")
    assert {passage["reranking"] for passage in AnswerTrace.objects.latest("id").passages} == {"left_alone"}
    assert len(server.requests) == 1


@pytest.mark.django_db(transaction=True)
def test_it_is_waited_for_without_a_connection_and_out_of_turn(server: RerankServer) -> None:
    add_source("Bank deposits are held by a bank.", "A levy is taken of all bank deposits.")
    here, held = connections["default"], list[bool]()
    together = threading.Barrier(AT_ONCE + 1, timeout=60)

    def look(query: str, text: str) -> float:
        held.append(here.connection is not None)
        return 0.0

    def meet(query: str, text: str) -> float:
        together.wait()
        return 0.0

    server.score = look
    assert retrieve("bank deposits", scope=TOPIC).reranking is Reranking.MADE
    assert held == [False, False]
    server.score = meet
    with ThreadPoolExecutor(AT_ONCE + 1) as pool:  # more questions than use the database at once
        answers = pool.map(ask, ["What is said of bank deposits?"] * (AT_ONCE + 1))
        assert {answer["status"] for answer in answers} == {"answered"}
    assert not together.broken
    assert {trace.passages[0]["reranking"] for trace in AnswerTrace.objects.all()} == {"made"}
