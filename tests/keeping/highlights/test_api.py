"""GET, POST /kb/highlights and PATCH, DELETE /kb/highlights/{id}."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.utils import timezone
from rest_framework.test import APIClient

from keeping.highlights import editing
from keeping.models import Highlight
from sources.models import Source
from tests.factories import make_staff, make_topic
from tests.sources.test_standing import FIRST, gardens
from tests.topics.keys import client_with_key
from topics.keys import make_personal_key
from topics.models import OpenTo, Topic
from topics.oauth import connections
from topics.oauth.models import AgentClient

pytestmark = pytest.mark.django_db
WORDS = "Three hives may be kept"


def of(person: User) -> APIClient:
    client = APIClient()
    client.force_login(person)
    return client


@pytest.fixture
def rina(db: None) -> User:
    return User.objects.create_user("rina", password="x")


@pytest.fixture
def law(db: None) -> Source:
    return gardens()[0]


def mark(client: APIClient, source: Source, exact: str = WORDS, **more: Any) -> Any:
    return client.post("/kb/highlights", {"source_id": source.pk, "exact": exact, **more}, format="json")


def marked(client: APIClient, source: Source) -> Any:
    return client.get("/kb/highlights", {"source_id": source.pk}).json()["results"]


def test_words_are_marked_changed_and_taken_away(rina: User, law: Source) -> None:
    client = of(rina)
    made = mark(client, law, colour="blue", note="Ask the beekeeper.")
    assert made.status_code == 201
    one = made.json()
    assert (one["exact"], one["eid"], one["cited"]) == (WORDS, "sec_5", "section 5, Allotment Gardens Act")
    assert (one["colour"], one["note"], one["status"]) == ("blue", "Ask the beekeeper.", "stands")
    assert one["suffix"].startswith(" behind a hedge")
    start = FIRST.index(WORDS)
    assert one["place"] == {"start": start, "end": start + len(WORDS)}
    assert marked(client, law) == [one]
    path = f"/kb/highlights/{one['id']}"
    assert client.patch(path, {"note": ""}, format="json").json()["note"] == ""
    assert marked(client, law)[0]["colour"] == "blue"
    assert client.delete(path).status_code == 204
    assert marked(client, law) == []


def test_they_come_along_to_another_version(rina: User, law: Source) -> None:
    client = of(rina)
    for words in (WORDS, "between six and nine"):
        assert mark(client, law, words).status_code == 201
    new = Source.objects.get(work_id=law.work_id, valid_to=None)
    bees, water = marked(client, new)
    assert (bees["status"], bees["eid"], bees["source_id"]) == ("renumbered", "sec_6", law.pk)
    assert (water["status"], water["place"], water["reason"]) == ("gone", None, "Its words are gone.")
    assert water["exact"] == "between six and nine"


def test_nobody_else_sees_them(rina: User, law: Source) -> None:
    one = mark(of(rina), law).json()
    head = make_staff("head", is_superuser=True)
    for client in (of(head), of(User.objects.create_user("other", password="x"))):
        assert marked(client, law) == []
        assert client.patch(f"/kb/highlights/{one['id']}", {"note": "x"}, format="json").status_code == 404
        assert client.delete(f"/kb/highlights/{one['id']}").status_code == 404
    assert client_with_key(admin=True).get("/kb/highlights", {"source_id": law.pk}).status_code == 403
    assert APIClient().get("/kb/highlights", {"source_id": law.pk}).status_code == 401
    assert mark(APIClient(), law).json()["code"] == "not_authenticated"
    assert Highlight.objects.count() == 1


def test_a_hidden_topic_takes_them_out_of_sight(rina: User, law: Source) -> None:
    client = of(rina)
    one = mark(client, law).json()
    Topic.objects.update(open_to=OpenTo.MEMBERS)
    assert client.get("/kb/highlights", {"source_id": law.pk}).status_code == 400
    assert mark(client, law).json()["errors"] == {"source_id": ["There is no such document."]}
    assert client.patch(f"/kb/highlights/{one['id']}", {"note": "x"}, format="json").status_code == 404
    Topic.objects.update(open_to=OpenTo.SIGNED_IN)
    assert len(marked(client, law)) == 1


def test_keys_and_agents_act_for_their_person(rina: User, law: Source, settings: Any) -> None:
    settings.KB_OAUTH = True
    mark(of(rina), law)
    clients = {}
    for with_rights in (True, False):
        text = make_personal_key(rina, f"key {with_rights}", with_rights=with_rights, last_day=None)[1]
        clients[with_rights] = APIClient(headers={"authorization": f"Api-Key {text}"})
        assert len(marked(clients[with_rights], law)) == 1
    assert mark(clients[True], law, "between six and nine").status_code == 201
    assert mark(clients[False], law, "no chimney").status_code == 403
    agent = agent_of(rina, law.topic)
    assert len(marked(agent, law)) == 2
    assert mark(agent, law, "no chimney").status_code == 403
    elsewhere = agent_of(rina, make_topic(slug="elsewhere"))
    assert elsewhere.get("/kb/highlights", {"source_id": law.pk}).status_code == 400
    settings.KB_OAUTH = False
    assert agent.get("/kb/highlights", {"source_id": law.pk}).status_code == 401


def agent_of(person: User, topic: Topic) -> APIClient:
    client, _made = AgentClient.objects.get_or_create(client_id="agent", defaults={"redirect_uris": []})
    code = connections.allow(
        user=person, client=client, topic=topic, redirect_uri="http://localhost/", code_challenge="x"
    )
    connection = connections.of_code(code, client)
    assert connection
    tokens = connections.issue(connection, instead_of={})
    assert tokens
    return APIClient(headers={"authorization": f"Bearer {tokens['access_token']}"})


@pytest.mark.parametrize(
    ("sent", "field", "sentence"),
    [
        ({"exact": "Four hives"}, "exact", "These words are not in the document."),
        ({"exact": "\u2067 …"}, "exact", "These words are not in the document."),
        ({"exact": "land"}, "exact", "These words stand at several places. Say what is before or behind them."),
        ({"exact": WORDS, "eid": "sec_4"}, "exact", "These words are not in the document."),
        ({"exact": WORDS, "eid": "sec_40"}, "eid", "There is no such provision."),
        ({"exact": WORDS, "colour": "red"}, "colour", "“red” is not a valid choice."),
        ({"exact": "x" * 2_001}, "exact", "Ensure this field has no more than 2000 characters."),
        ({"exact": WORDS, "note": "x" * 4_001}, "note", "Ensure this field has no more than 4000 characters."),
    ],
)
def test_what_cannot_be_marked_is_refused(
    rina: User, law: Source, sent: dict[str, str], field: str, sentence: str
) -> None:
    answer = mark(of(rina), law, **sent)
    assert answer.status_code == 400
    assert answer.json()["errors"][field][0].replace('"', "”", 2).replace("”red”", "“red”") == sentence


def test_repeated_words_are_told_apart_by_place(rina: User, law: Source) -> None:
    client = of(rina)
    [first, second] = [at for at in range(len(FIRST)) if FIRST.startswith("land", at)][:2]
    assert mark(client, law, "land", start=second + 3).json()["place"]["start"] == second
    assert mark(client, law, "land", prefix="a piece of ").json()["place"]["start"] == first
    assert mark(client, law, "land", eid="sec_4").json()["eid"] == "sec_4"


def test_there_are_so_many_and_no_more(rina: User, law: Source, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(editing, "MAX_OF_A_WORK", 1)
    assert mark(of(rina), law).status_code == 201
    assert mark(of(rina), law, "no chimney").status_code == 409
    monkeypatch.setattr(editing, "MAX_OF_A_WORK", 9)
    monkeypatch.setattr(editing, "MAX_OF_A_PERSON", 1)
    assert mark(of(rina), law, "no chimney").json()["code"] == "invalid" or Highlight.objects.count() == 1


def test_the_day_is_one_of_the_version(rina: User, law: Source) -> None:
    client = of(rina)
    assert mark(client, law).json()["day"] == "2022-12-31"
    new = Source.objects.get(work_id=law.work_id, valid_to=None)
    assert mark(client, new).json()["day"] == timezone.localdate().isoformat()
