"""Who sees which topics, and may do what in them, from the next request on."""

from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser, Group, User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from kb_project.configuration.roles import REVIEWER, holds
from tests.factories import make_source, make_staff, make_topic
from tests.search.corpus import add_source
from tests.topics.keys import client_with_key
from topics.access import principal_of, visible_topics
from topics.models import OpenTo, Topic, TopicMember, TopicRole

pytestmark = pytest.mark.django_db


def topic_open_to(whom: str, **fields: Any) -> Topic:
    topic = make_topic(**fields)
    Topic.objects.filter(pk=topic.pk).update(open_to=whom)
    topic.refresh_from_db()
    return topic


@pytest.fixture
def topics() -> dict[str, Topic]:
    return {whom: topic_open_to(whom, slug=whom.replace("_", "-"), name=whom) for whom in OpenTo.values}


def person(name: str = "reader", **fields: Any) -> User:
    return User.objects.create_user(name, password="x", **fields)


def member(topic: Topic, role: str = TopicRole.READER, **who: Any) -> TopicMember:
    return TopicMember.objects.create(topic=topic, role=role, **who)


def seen(user: Any, right: str = "") -> set[str]:
    return set(visible_topics(principal_of(user, right=right)).exclude(pk=1).values_list("name", flat=True))


def test_everybody_sees_what_is_open_to_them(topics: dict[str, Topic]) -> None:
    assert seen(AnonymousUser()) == {"everybody"}
    assert seen(person()) == {"everybody", "signed_in"}
    assert seen(make_staff("none", role=None)) == {"everybody", "signed_in"}
    for user in (
        make_staff("rev", role=REVIEWER),
        make_staff("head"),
        make_staff("root", role=None, is_superuser=True),
    ):
        assert seen(user) == {"everybody", "signed_in", "members"}


def test_a_member_sees_the_topic_themselves_or_by_a_group(topics: dict[str, Topic]) -> None:
    alone, grouped, group = person("alone"), person("grouped"), Group.objects.create(name="Tax")
    grouped.groups.add(group)
    member(topics["members"], person=alone)
    member(topics["members"], group=group)
    for user in (alone, grouped):
        assert "members" in seen(user)
    grouped.groups.clear()
    assert "members" not in seen(grouped)


def test_a_right_is_held_in_the_topics_whose_role_gives_it(topics: dict[str, Topic]) -> None:
    user = person()
    member(topics["members"], TopicRole.REVIEWER, person=user)
    member(topics["everybody"], TopicRole.MANAGER, person=user)
    member(topics["signed_in"], TopicRole.READER, person=user)
    assert seen(user, "ingest.view_job") == {"members", "everybody"}
    assert seen(user, "sources.delete_source") == {"everybody"}
    assert holds(user, "sources.delete_source")
    for beyond in ("labels.delete_label", "topics.add_topic", "auth.view_user", "kb_project.view_auditentry"):
        assert not holds(user, beyond)
        assert seen(user, beyond) == set()


def test_what_groups_give_counts_for_staff_alone(topics: dict[str, Topic]) -> None:
    user = person()
    user.groups.add(Group.objects.get(name="manager"))
    assert not holds(user, "sources.view_source")
    assert seen(user) == {"everybody", "signed_in"}


def test_somebody_deactivated_sees_nothing_more(topics: dict[str, Topic]) -> None:
    user = person(is_active=False)
    member(topics["members"], person=user)
    assert seen(user) == {"everybody"}


def test_admin_is_for_rights_held_everywhere(client: Client, topics: dict[str, Topic]) -> None:
    user = make_staff("none", role=None)
    member(topics["members"], TopicRole.MANAGER, person=user)
    client.force_login(user)
    assert client.get("/admin/").status_code == 200
    assert client.get("/admin/sources/source/").status_code == 403
    assert client.get("/library/").status_code == 200


def test_a_topic_that_one_may_not_see_does_not_exist(client: Client) -> None:
    topic = topic_open_to(OpenTo.MEMBERS, slug="secret", name="Secret")
    source = make_source(topic=topic)
    answers = [client.get("/kb/sources", {"topic_id": topic_id}) for topic_id in (topic.pk, 999_999)]
    assert [answer.status_code for answer in answers] == [400, 400]
    assert answers[0].json()["code"] == "unknown_topic"
    assert answers[0].json()["errors"] == answers[1].json()["errors"]
    for path in (f"/documents/{source.pk}/", f"/kb/sources/{source.pk}", f"/works/{source.work_id}/"):
        assert client.get(path).status_code == 404
    pinned = client_with_key(topic=make_topic(slug="other"))
    assert pinned.get("/kb/sources", {"topic_id": topic.pk}).json()["code"] == "unknown_topic"
    assert client_with_key().get("/kb/sources", {"topic_id": topic.pk}).status_code == 200


def test_a_change_holds_from_the_next_request_on(client: Client) -> None:
    topic = topic_open_to(OpenTo.MEMBERS, slug="secret")
    source = add_source("The keeper pays a fee.", topic=topic, title="Keepers")
    user = person()
    client.force_login(user)
    found = []
    for change in (lambda: None, lambda: member(topic, person=user), lambda: TopicMember.objects.all().delete()):
        change()
        answer = client.post("/kb/search", {"query": "keeper"}, content_type="application/json").json()
        found.append([hit["source"]["id"] for hit in answer["results"]])
    assert found == [[], [source.pk], []]


def test_an_ordinary_search_asks_no_more_than_before() -> None:
    add_source("The keeper pays a fee.", title="Keepers")
    counts = []
    for client, body in (
        (client_with_key(), {"query": "keeper"}),  # who sees everything
        (APIClient(), {"query": "keeper"}),
        (APIClient(), {"query": "keeper", "topic_id": 1}),
    ):
        client.post("/kb/search", body, format="json")  # notes the key's use
        with CaptureQueriesContext(connection) as asked:
            client.post("/kb/search", body, format="json")
        counts.append(len(asked))
    with_key, anonymous, in_topic = counts
    assert anonymous == with_key - 1  # that of the key
    assert in_topic <= anonymous
