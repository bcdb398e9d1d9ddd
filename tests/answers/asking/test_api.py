"""POST /kb/ask and /kb/ask/stream with the offline answerer: forms, refusals, scope, and that both agree."""

import json
from typing import Any

import pytest
from rest_framework.test import APIClient

from answers.models import AnswerTrace
from sources.models import Chunk, Source
from tests.answers.asking.asking import ask, ask_both, stream
from tests.factories import make_staff, make_topic
from tests.search.corpus import add_document, add_source
from tests.topics.keys import client_with_key

pytestmark = pytest.mark.django_db


@pytest.mark.usefixtures("law")
def test_an_answer_quotes_what_stands_in_the_chunk() -> None:
    answer = ask("כמה ספרים זכאי תושב לשאול?", topic_id=1)
    assert answer["status"] == "answered"
    assert answer["provider"] == "extractive"
    assert "חמישה ספרים" in answer["answer"]
    first = answer["citations"][0]
    assert first["quote"] in Chunk.objects.get(pk=first["chunk_id"]).text
    assert {name: first[name] for name in ("n", "title", "identifier", "kind", "page", "section", "place")} == {
        "n": 1,
        "title": "חוק הספריות הציבוריות לדוגמה",
        "identifier": "ח-7",
        "kind": "law",
        "page": 1,
        "section": "2",
        "place": "סעיף 2",
    }
    assert "[1]" in answer["answer"]


@pytest.mark.usefixtures("law")
@pytest.mark.parametrize("question", ["כמה ספרים זכאי תושב לשאול?", "What is the orbit of Jupiter?"])
def test_the_stream_ends_with_what_ask_gives(question: str) -> None:
    events = stream(question)
    assert events[0][0] == "sources"
    assert events[-1][0] == "done"
    whole = events[-1][1]
    asked = ask(question)
    assert {**whole, "took_ms": 0, "id": ""} == {**asked, "took_ms": 0, "id": ""}
    if whole["status"] == "answered":
        assert "".join(data["text"] for name, data in events if name == "delta").rstrip() == whole["answer"]
        assert [data for name, data in events if name == "citation"] == whole["citations"]


def test_what_was_taken_for_something_else_is_told_as_a_search_tells_it() -> None:
    add_source("The tenant pays each month.")
    answer, events = ask_both("Who pays? tenent NOT owner", topic_id=1)
    for said in (answer, events[0][1]):
        assert said["corrected"] == [{"word": "tenent", "to": "tenant"}]
        assert said["operators"] == ["NOT"]
    assert not {"corrected", "operators"} & ask("What does the tenant pay?").keys()


@pytest.mark.usefixtures("law")
def test_silence_is_better_than_invention() -> None:
    answer = ask("What is the orbit of Jupiter?")
    assert answer["status"] == "insufficient_evidence"
    assert answer["citations"] == []
    said = "Nothing in these documents comes near the words of the question. Their meaning was not compared."
    assert (answer["answer"], answer["reason"], answer["passages"]) == (said, "nothing_near", [])


def test_a_missing_provision_is_never_answered_from_another_act() -> None:
    text = "1. שם\nזה החוק.\n6. ספרייה\nבכל יישוב ספרייה.\n7. השאלה\nכל תושב זכאי לשאול ספר."
    add_document(text, kind="law", title="חוק הספריות")
    for question, said in (
        ("מה קובע סעיף 7 לחוק העונשין?", "אין כאן חיקוק בשם חוק העונשין."),
        ("מה קובע סעיף 9 לחוק הספריות?", "אין סעיף 9 בחוק הספריות. הקרובים אליו: 1, 6, 7."),
        (
            "מה קובע סעיף 4 לחוק הספריות?",
            "מספר 4 לא זוהה בחוק הספריות, שבו חסרים גם מספרים סמוכים. הקרובים אליו: 1, 6, 7.",
        ),
        ("What does section 7 of the Penal Act say of ספר?", "The act Penal Act is not here."),
    ):
        answer, events = ask_both(question)
        assert (answer["status"], answer["answer"], answer["citations"]) == ("insufficient_evidence", said, [])
        assert "not_found" in events[0][1]
    both = ask("מה קובע סעיף 7 לחוק הספריות וסעיף 7 לחוק העונשין?")
    assert [citation["title"] for citation in both["citations"]] == ["חוק הספריות"]


def test_an_act_of_which_it_is_not_certain_is_never_answered_from_another() -> None:
    code = add_document(
        "1.1 Carts\nA cart is lent for a day.", kind="law", title="Oxbow Municipal Code Title 1 - Carts"
    )
    answer, events = ask_both("What does section 3 of the Oxbow Code say of a cart?")
    said = f"It is not certain which document is meant by “Oxbow Code”. The nearest are {code.title}."
    assert (answer["status"], answer["answer"], answer["citations"]) == ("insufficient_evidence", said, [])
    assert events[0][1]["not_found"]["uncertain"] == [{"title": code.title, "source_id": code.pk}]


@pytest.mark.usefixtures("law")
def test_an_answer_stays_in_its_topic() -> None:
    other = make_topic(slug="other", name="אחר")
    more = ["החניה אסורה.", "כמה תושבים באו?", "הוועדה תדון בבקשה."]
    add_source("כל תושב זכאי לשאול עד תשעה ספרים.", *more, topic=other, title="חוק אחר")
    answer = ask("כמה ספרים זכאי תושב לשאול?", topic_id=1)
    assert "תשעה" not in json.dumps(answer, ensure_ascii=False)
    assert "תשעה" in ask("כמה ספרים זכאי תושב לשאול?", topic_id=other.pk)["answer"]


@pytest.mark.parametrize("path", ["/kb/ask", "/kb/ask/stream"])
@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"question": "a", "topic_id": 999}, "unknown_topic"),
        ({"question": "a", "topic": 1}, "unknown_parameter"),
        ({"question": "  "}, "invalid"),
        ({"question": "a" * 2001}, "invalid"),
        ({"question": "a", "label_id": 999}, "invalid"),
        ({"question": "a", "limit": 21}, "invalid"),
    ],
)
def test_a_wrong_request_is_refused_before_anything_is_done(path: str, body: Any, code: str) -> None:
    response = APIClient().post(path, body, format="json")
    assert (response.status_code, response.json()["code"]) == (400, code)
    assert not AnswerTrace.objects.exists()


@pytest.mark.usefixtures("law")
def test_every_answer_leaves_a_trace() -> None:
    ask("כמה ספרים זכאי תושב לשאול?", topic_id=1)
    stream("What is the orbit of Jupiter?")
    nothing, found = AnswerTrace.objects.all()
    assert (found.status, found.topic_id, found.by, found.provider) == ("answered", 1, "anonymous", "extractive")
    assert found.passages[0]["chunk_id"] == found.citations[0]["chunk_id"]
    assert (nothing.status, nothing.topic_id, nothing.citations) == ("insufficient_evidence", None, [])


PATHS = pytest.mark.parametrize("path", ["/kb/ask", "/kb/ask/stream"])
BODY = {"question": "כמה ספרים זכאי תושב לשאול?"}


@PATHS
def test_a_session_needs_the_csrf_token(path: str, law: Source) -> None:
    client = APIClient(enforce_csrf_checks=True)
    client.force_login(make_staff())
    refused = client.post(path, BODY, format="json")
    assert (refused.status_code, refused.json()["code"]) == (403, "permission_denied")
    token = "a" * 32
    client.cookies["csrftoken"] = token
    assert client.post(path, BODY, format="json", headers={"x-csrftoken": token}).status_code == 200


@PATHS
def test_a_key_is_asked_for_where_the_installation_wants_one(path: str, law: Source, settings: Any) -> None:
    settings.KB_PUBLIC_REQUIRES_KEY = True
    assert APIClient().post(path, BODY, format="json").json()["code"] == "not_authenticated"
    assert client_with_key().post(path, BODY, format="json").status_code == 200


@PATHS
def test_a_key_pinned_to_a_topic_asks_only_there(path: str, law: Source) -> None:
    client = client_with_key(topic=make_topic(slug="pinned"))
    assert client.post(path, {**BODY, "topic_id": 1}, format="json").json()["code"] == "permission_denied"
    mine = b"".join(client.post(path, BODY, format="json"))
    assert b"insufficient_evidence" in mine


def test_asking_and_streaming_count_together(law: Source, settings: Any) -> None:
    rates = {**settings.REST_FRAMEWORK["DEFAULT_THROTTLE_RATES"], "ask": "2/h"}
    settings.REST_FRAMEWORK = {**settings.REST_FRAMEWORK, "DEFAULT_THROTTLE_RATES": rates}
    client = client_with_key()  # a client of its own, so nobody else's requests count
    statuses = [client.post(path, BODY, format="json").status_code for path in ("/kb/ask", "/kb/ask/stream", "/kb/ask")]
    assert statuses == [200, 200, 429]
    refused = client.post("/kb/ask/stream", BODY, format="json")
    assert (refused.json()["code"], refused.has_header("Retry-After")) == ("throttled", True)
