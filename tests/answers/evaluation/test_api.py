"""`/admin/kb/evaluation`: listing, making, changing and deleting, within what the caller may see."""

from typing import Any

import pytest
from rest_framework.test import APIClient

from answers.evaluation import questions
from answers.models import EvaluationQuestion
from kb_project.models import AuditEntry
from sources.models import Source
from tests.factories import LAW, make_topic
from tests.search.corpus import add_document
from tests.topics.keys import client_with_key
from topics.models import Topic

pytestmark = pytest.mark.django_db
PATH = "/admin/kb/evaluation"


@pytest.fixture
def key() -> APIClient:
    return client_with_key(admin=True)


@pytest.fixture
def law() -> Source:
    return add_document(LAW, title="Libraries")


def made(question: str, topic: Topic) -> EvaluationQuestion:
    return questions.create(topic=topic, values={"question": question, "words": "x"}, by="test")


def listed(answer: Any) -> list[str]:
    assert answer.status_code == 200
    return [row["question"] for row in answer.json()["results"]]


def test_a_question_is_made_changed_and_deleted_and_the_audit_tells_it(key: APIClient, law: Source) -> None:
    sent = {"question": " מי  ישלם? ", "provisions": [{"source_id": law.pk, "eid": "sec_3"}, {"source_id": law.pk}]}
    answer = key.post(PATH, sent, format="json")
    assert answer.status_code == 201
    one = answer.json()
    cited = [{"source_id": law.pk, "eid": "sec_3"}, {"source_id": law.pk, "eid": ""}]
    expected = {"question": "מי ישלם?", "provisions": cited, "words": "", "nothing_answers": False}
    assert one == {"id": one["id"], "topic_id": 1, **expected}
    changed = key.patch(f"{PATH}/{one['id']}", {"question": "מי משלם?"}, format="json")
    assert changed.json() == {**one, "question": "מי משלם?"}
    assert key.patch(f"{PATH}/{one['id']}", {"provisions": [{"eid": "sec_3"}]}, format="json").status_code == 400
    silent = key.patch(f"{PATH}/{one['id']}", {"nothing_answers": True}, format="json").json()
    assert (silent["provisions"], silent["nothing_answers"]) == ([], True)
    assert key.delete(f"{PATH}/{one['id']}").status_code == 204
    assert key.delete(f"{PATH}/{one['id']}").status_code == 404
    actions = (
        AuditEntry.objects.filter(object_type="evaluationquestion").order_by("pk").values_list("action", flat=True)
    )
    assert [action.partition(".")[2] for action in actions] == ["create", "edit", "edit", "delete"]


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"question": "?!"}, "invalid"),
        ({"question": "x" * 2001}, "invalid"),
        ({"question": "taken"}, "invalid"),
        ({"words": ""}, "invalid"),
        ({"words": "x" * 501}, "invalid"),
        ({"words": "nul\0"}, "invalid"),
        ({"nothing_answers": True}, "invalid"),
        ({"provisions": [{"source_id": 999_999}]}, "invalid"),
        ({"provisions": [{"source_id": 2**63}]}, "invalid"),
        ({"provisions": [{"source_id": "1"}]}, "invalid"),
        ({"provisions": [{"eid": "sec_1"}]}, "invalid"),
        ({"provisions": [{"source_id": 1, "more": 1}]}, "unknown_parameter"),
        ({"provisions": {"source_id": 1}}, "invalid"),
        ({"provisions": [{"source_id": 1}] * 21}, "invalid"),
        ({"topic_id": 999_999}, "unknown_topic"),
        ({"more": 1}, "unknown_parameter"),
    ],
)
def test_what_cannot_be_is_refused(key: APIClient, law: Source, change: dict[str, Any], code: str) -> None:
    made("taken", law.topic)
    answer = key.post(PATH, {"question": "who pays", "words": "fine", **change}, format="json")
    assert (answer.status_code, answer.json()["code"]) == (400, code)
    assert EvaluationQuestion.objects.count() == 1


def test_a_provision_that_a_document_has_not_is_refused(key: APIClient, law: Source) -> None:
    elsewhere = add_document(LAW, topic=make_topic())
    for source, eid in ((law, "sec_99"), (law, "x" * 501), (elsewhere, "sec_1")):
        sent = {"question": "who pays", "provisions": [{"source_id": source.pk, "eid": eid}]}
        assert key.post(PATH, sent, format="json").status_code == 400


def test_a_pinned_key_sees_its_topic_alone(key: APIClient, law: Source) -> None:
    mine = make_topic(slug="mine")
    hidden, own = made("elsewhere", law.topic), made("own 100%", mine)
    pinned = client_with_key(admin=True, topic=mine)
    assert listed(key.get(PATH)) == ["elsewhere", "own 100%"]
    assert listed(key.get(PATH, {"topic_id": mine.pk})) == listed(key.get(PATH, {"q": "%"})) == ["own 100%"]
    assert listed(pinned.get(PATH)) == ["own 100%"]
    assert pinned.post(PATH, {"question": "new", "words": "x"}, format="json").json()["topic_id"] == mine.pk
    for entry, status in ((hidden.pk, 404), (own.pk, 200)):
        assert pinned.patch(f"{PATH}/{entry}", {"words": "y"}, format="json").status_code == status
    for entry, status in ((hidden.pk, 404), (own.pk, 204)):
        assert pinned.delete(f"{PATH}/{entry}").status_code == status


def test_a_topic_has_so_many_and_no_more(key: APIClient, law: Source, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(questions, "MAX_QUESTIONS", 1)
    made("first", law.topic)
    assert key.post(PATH, {"question": "second", "words": "x"}, format="json").status_code == 400
