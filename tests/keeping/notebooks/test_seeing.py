"""Who sees which notebooks over the API: their owners, those they are shared with, keys and agents."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from rest_framework.test import APIClient

from sources.models import Source, Work
from tests.factories import make_staff, make_topic
from tests.keeping.notebooks.notes import gardens_act, look, person
from tests.keeping.notebooks.requests import keep, made, quote_of, signed_in
from tests.search.corpus import add_document
from tests.topics.keys import client_with_key
from topics.keys import make_personal_key
from topics.models import OpenTo, Topic
from topics.oauth import connections
from topics.oauth.models import AgentConnection

pytestmark = pytest.mark.django_db


def agent_of(user: User, topic: Topic) -> APIClient:
    client = connections.register(name="agent", redirect_uris=["http://localhost/"])
    connections.allow(user=user, client=client, topic=topic, redirect_uri="", code_challenge="")
    tokens = connections.issue(AgentConnection.objects.get(client=client), instead_of={})
    assert tokens is not None
    agent = APIClient()
    agent.credentials(HTTP_AUTHORIZATION=f"Bearer {tokens['access_token']}")
    return agent


def test_a_private_notebook_is_private_to_managers_too() -> None:
    client, head = signed_in(), signed_in(make_staff("head", is_superuser=True))
    book = made(client, "Secret")
    note = keep(client, book, kind="search", query="bees").json()["id"]
    paths = [f"/kb/notebooks/{book}", f"/kb/notebooks/{book}/notes/{note}"]
    assert head.get("/kb/notebooks").json()["count"] == 0
    assert head.get(paths[0]).status_code == 404
    assert [head.patch(path, {}, format="json").status_code for path in paths] == [404, 404]
    assert [head.delete(path).status_code for path in paths] == [404, 404]
    assert client.get(paths[0]).status_code == 200


def test_those_it_is_shared_with_read_it_and_change_nothing() -> None:
    client, reader = signed_in(), signed_in(person("noa"))
    book = made(client, shared_with=["noa"])
    note = keep(client, book, kind="search", query="bees").json()["id"]
    [seen] = reader.get("/kb/notebooks").json()["results"]
    assert (seen["id"], seen["is_own"], seen["owner"], seen["shared_with"]) == (book, False, "ruth", [])
    assert reader.get(f"/kb/notebooks/{book}").json()["notes"][0]["title"] == "bees"
    assert reader.patch(f"/kb/notebooks/{book}/notes/{note}", {"remark": "x"}, format="json").status_code == 404
    assert keep(reader, book, kind="search", query="x").status_code == 404
    nobody = client.patch(f"/kb/notebooks/{book}", {"shared_with": ["nobody"]}, format="json")
    assert (nobody.status_code, list(nobody.json()["errors"])) == (400, ["shared_with"])
    assert client.patch(f"/kb/notebooks/{book}", {"shared_with": []}, format="json").json()["shared_with"] == []
    assert reader.get(f"/kb/notebooks/{book}").status_code == 404


def test_a_topic_shares_it_with_whoever_sees_the_topic() -> None:
    client, reader = signed_in(), signed_in(person("noa"))
    topic = make_topic(slug="tax")
    book = made(client, topic_id=topic.pk)
    assert reader.get(f"/kb/notebooks/{book}").status_code == 200
    Topic.objects.filter(pk=topic.pk).update(open_to=OpenTo.MEMBERS)
    assert reader.get(f"/kb/notebooks/{book}").status_code == 404
    assert client.get(f"/kb/notebooks/{book}").status_code == 200
    assert client.patch(f"/kb/notebooks/{book}", {"topic_id": None}, format="json").json()["topic_id"] is None
    assert client.patch(f"/kb/notebooks/{book}", {"topic_id": topic.pk}, format="json").status_code == 400


def test_who_does_not_see_the_topic_any_more_sees_no_law() -> None:
    topic, client = make_topic(slug="tax"), signed_in()
    act = add_document("1. Bees\nThree hives may be kept.", title="Hives Act", kind="law", topic=topic)
    book = made(client)
    keep(client, book, kind="provision", citations=[{"source_id": act.pk, "eid": "sec_1"}], remark="Mine.")
    keep(client, book, kind="search", query="hives", topic_id=topic.pk)
    Topic.objects.filter(pk=topic.pk).update(open_to=OpenTo.MEMBERS)
    said = client.get(f"/kb/notebooks/{book}")
    assert "ives" not in said.content.decode()
    first, second = said.json()["notes"]
    assert (first["hidden"], first["remark"], first["citations"]) == (True, "Mine.", [])
    assert (second["hidden"], second["topic_id"]) == (True, None)
    assert client.get(f"/kb/notebooks/{book}", {"q": "hives"}).json()["found"] == 0
    assert client.get("/kb/notebooks", {"q": "hives"}).json()["count"] == 0
    assert client.get(f"/kb/notebooks/{book}", {"q": "Mine"}).json()["found"] == 1
    act.delete()
    assert client.get(f"/kb/notebooks/{book}").json()["notes"][0]["hidden"]


def test_law_that_moves_to_a_topic_one_does_not_see_is_hidden() -> None:
    act, client = gardens_act(), signed_in()
    book, closed = made(client), make_topic(slug="closed")
    keep(client, book, **quote_of(act))
    Topic.objects.filter(pk=closed.pk).update(open_to=OpenTo.MEMBERS)
    Source.objects.filter(pk=act.pk).update(topic=closed)
    Work.objects.filter(pk=act.work_id).update(topic=closed)
    assert client.get(f"/kb/notebooks/{book}").json()["notes"][0]["hidden"]
    look()
    act.delete()
    look()
    assert client.get(f"/kb/notebooks/{book}").json()["notes"][0]["hidden"]


def test_people_and_their_keys_come_in_and_programs_do_not() -> None:
    assert APIClient().get("/kb/notebooks").json()["code"] == "not_authenticated"
    assert client_with_key(admin=True).get("/kb/notebooks").json()["code"] == "permission_denied"
    programs = {}
    for with_rights in (True, False):
        text = make_personal_key(person(), f"mine {with_rights}", with_rights=with_rights, last_day=None)[1]
        programs[with_rights] = APIClient(headers={"authorization": f"Api-Key {text}"})
    made(programs[True], "By a program")
    assert programs[False].get("/kb/notebooks").json()["results"][0]["name"] == "By a program"
    assert programs[False].post("/kb/notebooks", {"name": "x"}, format="json").status_code == 403


def test_an_agent_reads_what_is_kept_of_its_topic_alone(settings: Any) -> None:
    settings.KB_OAUTH = True
    topic, client = make_topic(slug="tax"), signed_in()
    act = add_document("1. Bees\nThree hives may be kept.", title="Hives Act", kind="law", topic=topic)
    book, other = made(client, "Tax"), made(client, "Other")
    keep(client, book, kind="provision", citations=[{"source_id": act.pk, "eid": "sec_1"}])
    keep(client, book, kind="search", query="everywhere")
    keep(client, other, kind="search", query="elsewhere", topic_id=1)
    agent = agent_of(person(), topic)
    assert [one["name"] for one in agent.get("/kb/notebooks").json()["results"]] == ["Tax"]
    assert [one["kind"] for one in agent.get(f"/kb/notebooks/{book}").json()["notes"]] == ["provision"]
    assert agent.get(f"/kb/notebooks/{other}").status_code == 404
    refused = agent.post("/kb/notebooks", {"name": "x"}, format="json")
    assert (refused.status_code, refused.json()["code"]) == (403, "permission_denied")
