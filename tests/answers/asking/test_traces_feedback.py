"""Feedback on answers: who may give it, that the last counts, and for how long."""

from typing import Any
from uuid import uuid4

import pytest
from django.core.cache import cache
from django.test import Client
from rest_framework.test import APIClient

from answers.models import AnswerFeedback, AnswerTrace
from sources.models import Source
from tests.answers.asking.asking import ask, stream
from tests.factories import make_topic
from tests.topics.keys import client_with_key

pytestmark = pytest.mark.django_db
QUESTION = "כמה ספרים זכאי תושב לשאול?"


def give(answer_id: object, client: APIClient | None = None, **said: Any) -> Any:
    path = f"/kb/answers/{answer_id}/feedback"
    return (client or APIClient()).post(path, {"helpful": True, **said}, format="json")


def test_the_last_feedback_on_an_answer_is_kept_with_its_trace(law: Source) -> None:
    first, second = ask(QUESTION)["id"], stream(QUESTION)[-1][1]["id"]
    assert give(first, note=" טוב ").status_code == 204
    assert give(second).status_code == 204
    assert give(first, client_with_key(name="robot"), helpful=False).status_code == 204
    said = AnswerFeedback.objects.get(trace__answer_id=first)
    assert (said.helpful, said.note, said.by) == (False, "", "Api-Key robot")
    AnswerTrace.objects.all().delete()
    assert not AnswerFeedback.objects.exists()
    forgotten = give(first)
    assert (forgotten.status_code, forgotten.json()["code"]) == (404, "not_found")


@pytest.mark.parametrize(
    "said", [{"helpful": "yes"}, {"helpful": None}, {"note": "x" * 2001}, {"note": 1}, {"more": 1}]
)
def test_feedback_of_another_form_is_refused(law: Source, said: dict[str, Any]) -> None:
    assert give(ask(QUESTION)["id"], **said).status_code == 400


def test_what_a_key_may_not_see_it_cannot_judge(law: Source, settings: Any) -> None:
    own, elsewhere = client_with_key(topic=law.topic), client_with_key(topic=make_topic())
    answer_id = ask(QUESTION, topic_id=law.topic_id)["id"]
    assert give(answer_id, elsewhere).status_code == 404
    assert give(ask(QUESTION)["id"], own).status_code == 404  # about all topics
    assert give(answer_id, own).status_code == 204
    assert give(uuid4()).status_code == give("1").status_code == 404
    settings.KB_PUBLIC_REQUIRES_KEY = True
    assert give(answer_id).status_code == 401


def test_form_below_an_answer_works_with_and_without_a_script(law: Source, client: Client, settings: Any) -> None:
    page = client.get("/ask/", {"q": QUESTION}).content.decode()
    answer_id = AnswerTrace.objects.get().answer_id
    assert f'name="answer" value="{answer_id}"' in page
    sent = {"answer": str(answer_id), "helpful": "false", "note": "קצר"}
    thanks = client.post("/answers/feedback/", sent).content.decode()
    assert "Your note was kept" in thanks
    assert "<html" in thanks
    assert (said := AnswerFeedback.objects.get()).note == "קצר"
    assert not said.helpful
    piece = client.post("/answers/feedback/", {**sent, "helpful": "true", "note": ""}, headers={"HX-Request": "true"})
    assert "<html" not in piece.content.decode()
    assert 'id="feedback-yes" aria-pressed="true"' in piece.content.decode()
    for wrong in ({"helpful": "x"}, {"answer": "x"}, {"answer": str(uuid4())}, {"note": "x" * 2001}):
        refused = client.post("/answers/feedback/", {**sent, **wrong})
        assert refused.status_code in (400, 404)
        assert 'role="alert"' in refused.content.decode()
    settings.REST_FRAMEWORK = {**settings.REST_FRAMEWORK, "DEFAULT_THROTTLE_RATES": {"anon": "1/h"}}
    cache.clear()
    assert [client.post("/answers/feedback/", sent).status_code for _ in range(2)] == [200, 429]
    settings.KB_PUBLIC_REQUIRES_KEY = True
    assert client.post("/answers/feedback/", sent).status_code == 302
