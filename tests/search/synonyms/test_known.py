"""Searches by words that mean others."""

import pytest
from django.db import connection
from django.test import Client

from answers.models import AnswerTrace
from search.models import Synonym
from search.retrieval import Retrieval, Scope, retrieve
from search.retrieval.listing import Group, Listing
from search.synonyms import editing
from tests.factories import first_topic, make_topic
from tests.search.citing import law
from tests.search.corpus import add_source
from topics.models import Topic

pytestmark = pytest.mark.django_db


@pytest.fixture
def wharf() -> None:
    """Documents about one thing in other words."""
    add_source("A quay is closed by order.", "The river is deep.", "Fish are counted.")


def add(words: str, means: str, *, topic: Topic | None = None, weight: float = 0.6) -> Synonym:
    return editing.create(topic=topic, words=[words], means=[means], weight=weight, by="test")


def search(query: str, **options: object) -> Retrieval:
    return retrieve(query, scope=Scope(topic_id=1), mode="lexical", **options)  # type: ignore[arg-type]


def texts(query: str, **options: object) -> list[str]:
    return [hit.text for hit in search(query, **options).hits]


def test_a_search_finds_what_its_words_mean_and_says_so(wharf: None) -> None:
    assert texts("wharfs") == []
    add("wharf", "closed quay")
    found = search("wharfs")
    [hit] = found.hits
    assert found.expanded == ("closed quay",)
    assert [hit.text[start:end] for start, end in hit.highlights] == ["quay", "closed"]
    assert hit.coverage == 0
    assert texts("wharfs", synonyms=False) == []


def test_one_word_of_a_meaning_is_not_shown_as_a_match(wharf: None) -> None:
    add("wharf", "closed quay")
    add_source("The wharf is closed on Sundays.")
    assert [[hit.text[start:end] for start, end in hit.highlights] for hit in search("wharf").hits] == [
        ["wharf"],
        ["quay", "closed"],
    ]


def test_a_list_of_all_that_matches_holds_what_a_meaning_finds(wharf: None) -> None:
    add_source("The wharf.")
    add("wharf", "closed quay")
    found = search("wharf", listing=Listing(group=Group.DOCUMENT))
    assert (found.documents, [hit.text for hit in found.hits]) == (2, ["The wharf.", "A quay is closed by order."])


def test_a_meaning_without_its_words_in_the_topic_is_not_told(wharf: None) -> None:
    add("wharf", "harbour")
    assert search("wharf").expanded == ()


def test_what_means_the_same_comes_after_the_word_itself() -> None:
    add_source("a jetty here", "a quay here", "nothing at all")
    add("jetty", "quay")
    assert texts("jetty") == ["a jetty here", "a quay here"]


def test_the_base_is_used_until_it_is_switched_off(settings: object) -> None:
    add_source("הודעה לשוכר תימסר בכתב", "שר האוצר ממונה על הביצוע")
    assert texts("דיירים") == ["הודעה לשוכר תימסר בכתב"]
    add("דייר", "שוכר", weight=0.0)
    assert texts("דיירים") == []


@pytest.mark.parametrize("text", ["הורה של קטין רשאי לחתום", "ההורים רשאים לחתום"])
def test_the_base_has_one_parent_and_two(text: str) -> None:
    add_source(text, "שר האוצר ממונה על הביצוע")
    assert texts("אמא") == [text]


@pytest.mark.parametrize("query", ['the "wharf"', "section 7 of the wharf act", "wharf, section 7"])
def test_quotations_and_citations_mean_themselves(wharf: None, query: str) -> None:
    add("wharf", "quay")
    assert search(query).expanded == ()


def test_the_words_of_a_title_mean_themselves() -> None:
    law("חוק הדייר המוגן")
    add_source("שוכר ומשכיר")
    assert search("חוק הדייר המוגן").expanded == ()
    assert "שוכר" in search("מי הוא דייר").expanded


def test_a_topic_has_its_own_and_those_of_all_topics(wharf: None) -> None:
    other = make_topic(slug="other")
    add_source("A pier is long.", topic=other)
    add("wharf", "quay", topic=first_topic())
    add("mooring", "pier")
    assert [retrieve("wharf", scope=Scope(topic_id=id)).expanded for id in (1, other.pk, None)] == [("quay",), (), ()]
    assert [retrieve("mooring", scope=Scope(topic_id=id)).expanded for id in (1, other.pk, None)] == [
        (),
        ("pier",),
        ("pier",),
    ]


def test_what_another_process_changed_holds_at_once(wharf: None) -> None:
    assert search("wharf").expanded == ()
    with connection.cursor() as cursor:
        cursor.execute("INSERT INTO kb_synonym (words, means) VALUES ('{wharf}', '{quay}')")
        assert search("wharf").expanded == ("quay",)
        cursor.execute("DELETE FROM kb_synonym")
    assert search("wharf").expanded == ()


@pytest.mark.parametrize(("weight", "status"), [(0.9, "answered"), (0.2, "insufficient_evidence")])
def test_a_meaning_is_evidence_by_its_weight_and_the_trace_tells_it(client: Client, weight: float, status: str) -> None:
    add_source("1. The master of a ship pays dues for the quay.", "2. Fish are counted once a year.")
    add("wharf", "quay", weight=weight)
    for question, expected in (("pays a ship dues for a wharf", "answered"), ("a wharf?", status)):
        answer = client.post("/kb/ask", {"question": question}, content_type="application/json").json()
        assert answer["status"] == expected
        assert AnswerTrace.objects.latest("pk").expanded == ["quay"]
