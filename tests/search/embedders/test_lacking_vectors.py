"""How many passages lack vectors: counted in the background, told by searches and answers."""

from typing import Any

import pytest
from django.test import Client
from django.utils import translation
from rest_framework.test import APIClient

from answers.agent.search_tool import SearchTool
from kb_project.clients.redis_client import shared_memory
from search.embedders import lacking_vectors, vector_notes
from search.embedders.lacking_vectors import LackingVectors
from search.models import ChunkEmbedding
from search.retrieval import Scope, retrieve
from search.retrieval.listing import Listing
from search.tasks import count_lacking_vectors
from tests.answers.asking.asking import ask, ask_both
from tests.factories import make_topic
from tests.search.corpus import add_source
from tests.search.index.filling import fill, forget_failures, openai, service
from topics.keys import issue_key

pytestmark = pytest.mark.django_db
__all__ = ["forget_failures", "openai", "service"]  # fixtures
TOPIC = Scope(topic_id=1)


@pytest.fixture(autouse=True)
def nothing_is_counted() -> None:
    shared_memory().delete(lacking_vectors.COUNTS_KEY, lacking_vectors.COUNTED_KEY)


def lacking(scope: Scope = TOPIC, **options: Any) -> LackingVectors | None:
    return retrieve("bank deposits", scope=scope, **options).lacking


def count_again() -> None:
    shared_memory().delete(lacking_vectors.COUNTED_KEY)
    lacking_vectors.count()


def test_a_search_tells_what_is_lacking_in_its_topics_by_the_last_count(openai: Any) -> None:
    openai()
    add_source("bank deposits", "bridges", "tunnels")
    fill()
    assert lacking() is None
    other = make_topic()
    add_source("deposits of sand", "rivers", topic=other)
    assert lacking() is None, "nothing of another topic is told"
    assert lacking(Scope(topic_id=other.pk)) == LackingVectors(), "not counted yet"
    count_lacking_vectors()
    assert lacking(Scope(topic_id=other.pk)) == LackingVectors(2, 0)
    assert lacking(Scope(topic_id=None)) == LackingVectors(5, 3)
    assert lacking(Scope(topic_id=None, within=(1,))) is None
    assert lacking(Scope(topic_id=other.pk), mode="lexical") is None
    add_source("boats")
    assert lacking() == LackingVectors(), "more than the last count knows"
    count_lacking_vectors()
    assert lacking() == LackingVectors(), "counted a moment ago"
    count_again()
    assert lacking() == LackingVectors(4, 3)
    fill()
    assert lacking(Scope(topic_id=None)) is None, "whatever was counted"


def test_half_of_a_document_is_counted(openai: Any) -> None:
    openai()
    add_source("bank deposits", "bridges", "tunnels")
    add_source("boats", topic=make_topic())
    fill()
    ChunkEmbedding.objects.exclude(chunk__text="bridges").delete()
    vector_notes.note_all()
    count_again()
    assert lacking() == LackingVectors(3, 1)


def test_without_redis_no_number_is_told(openai: Any, settings: Any) -> None:
    openai()
    add_source("bank deposits")
    count_again()
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    assert lacking() == LackingVectors()


def test_without_a_model_nothing_is_lacking(settings: Any, openai: Any) -> None:
    openai()
    add_source("bank deposits")
    settings.KB_EMBEDDER = "hashing"
    assert lacking() is None


def test_of_few_vectors_not_all_match_in_a_list(openai: Any) -> None:
    openai()
    add_source(*(f"a river runs past hill {number}" for number in range(40)), "bank deposits")
    add_source(*(f"a road runs past house {number}" for number in range(10)))
    fill()
    assert retrieve("bank deposits", scope=TOPIC, listing=Listing(facets=True)).passages == 51, "the hundred nearest"
    newest = ChunkEmbedding.objects.filter(chunk__text__contains="road").values_list("chunk_id", flat=True)
    ChunkEmbedding.objects.exclude(chunk_id__in=[*newest]).delete()
    vector_notes.note_all()
    count_again()
    assert lacking() == LackingVectors(51, 10)
    found = retrieve("bank deposits", scope=TOPIC, listing=Listing(facets=True))
    assert found.hits[0].text == "bank deposits"
    assert found.passages == 1 + 10, "the nearest twentieth of the vectors, of which there are fewer"


@pytest.fixture
def half(openai: Any) -> None:
    """Two passages of topic 1 have vectors, and one has none."""
    openai()
    add_source("A bank keeps deposits of money.", "Bridges are built of stone.")
    fill()
    add_source("Cats sleep by day.")
    count_again()


@pytest.mark.usefixtures("half")
def test_search_and_ask_tell_it() -> None:
    body = {"query": "bank deposits", "topic_id": 1}
    assert APIClient().post("/kb/search", body, format="json").json()["meaning"] == {"passages": 3, "vectors": 2}
    answer, events = ask_both("What does a bank keep?", topic_id=1)
    assert answer["status"] == "answered"
    assert answer["meaning"] == {"passages": 3, "vectors": 2}
    assert [data["meaning"] for name, data in events if name in ("sources", "done")] == [answer["meaning"]] * 2
    fill()
    assert APIClient().post("/kb/search", body, format="json").json()["meaning"] is None
    assert ask("What does a bank keep?", topic_id=1)["meaning"] is None


@pytest.mark.usefixtures("half")
def test_a_key_of_another_topic_is_told_nothing() -> None:
    _, key = issue_key(name="reader", topic=make_topic(), by="test")
    client = APIClient(headers={"Authorization": f"Api-Key {key}"})
    for path, body in (("/kb/search", {"query": "bank"}), ("/kb/ask", {"question": "bank?"})):
        assert client.post(path, body, format="json").json()["meaning"] is None


@pytest.mark.usefixtures("half")
def test_a_refusal_says_that_it_may_change() -> None:
    refused = ask("Who pays for the dragons of Wales?", topic_id=1)
    assert refused["status"] == "insufficient_evidence"
    assert refused["answer"].endswith("This may change, as some texts are found by their words only so far.")
    assert "ייתכן שהדבר ישתנה" in ask("מי משלם על הדרקונים בוויילס?", topic_id=1)["answer"]
    fill()
    assert "may change" not in ask("Who pays for the dragons of Wales?", topic_id=1)["answer"]


@pytest.mark.usefixtures("half")
def test_pages_say_it_in_both_languages(client: Client) -> None:
    for language, said in (
        ("en", "1 of 3 pieces of text is found by its words only so far."),
        ("he", "חלק אחד מתוך 3 חלקי הטקסט נמצא בינתיים לפי מילותיו בלבד."),
    ):
        client.cookies["django_language"] = language
        found, nothing, refused = (
            client.get(address).content.decode()
            for address in ("/?q=bank+deposits", "/?q=zebra&kind=caselaw", "/ask/?q=dragons+of+Wales")
        )
        assert said in found
        assert "may change" not in found
        assert said in refused
        assert "This may change, as" in refused, "in the language of the question"
        assert said in nothing
    fill()
    assert "נמצא בינתיים" not in client.get("/?q=bank+deposits").content.decode()


@pytest.mark.usefixtures("half")
def test_agents_are_told() -> None:
    with translation.override("he"):
        for query in ("bank deposits", "zebra"):
            assert "1 of 3 pieces of text is found by its words only so far." in _tool().run({"query": query})


def _tool() -> SearchTool:
    return SearchTool(topic_id=1, topic_name="Law")
