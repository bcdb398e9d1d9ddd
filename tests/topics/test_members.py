"""The members of a topic: set as a whole, by a manager of it, and written down."""

from typing import Any

import pytest
from django.contrib.auth.models import Group, User
from django.test import Client

from kb_project.models import AuditEntry
from tests import redis_keys
from tests.factories import make_topic
from topics.members import members_of
from topics.models import Topic, TopicMember, TopicRole

pytestmark = pytest.mark.django_db


@pytest.fixture
def topic() -> Topic:
    return make_topic(slug="tax", name="Tax")


@pytest.fixture
def dana_and_group() -> tuple[User, Group]:
    return User.objects.create_user("reader", password="x"), Group.objects.create(name="Tax people")


def put(client: Client, topic: Topic, members: Any) -> Any:
    return client.put(f"/admin/kb/topics/{topic.pk}/members", members, content_type="application/json")


def test_members_are_set_as_a_whole_and_written_down(staff_client: Client, topic: Topic, dana_and_group: Any) -> None:
    wanted = [{"person": "reader", "role": "reviewer"}, {"group": "Tax people", "role": "reader"}]
    answer = put(staff_client, topic, wanted)
    assert answer.status_code == 200
    expected = [
        {"role": "reviewer", "person": "reader", "group": None},
        {"role": "reader", "person": None, "group": "Tax people"},
    ]
    assert answer.json() == expected
    assert staff_client.get(f"/admin/kb/topics/{topic.pk}/members").json() == expected
    put(staff_client, topic, wanted[:1])
    assert [str(one) for one in members_of(topic.pk)] == ["reader (reviewer)"]
    entry = AuditEntry.objects.filter(action="topic.members").order_by("-id").first()
    assert entry is not None
    assert (entry.by, entry.topic_id) == ("dana", topic.pk)
    assert entry.before == {"members": ["reader (reviewer)", "Tax people (reader)"]}


@pytest.mark.parametrize(
    "members",
    [
        [{"person": "nobody", "role": "reader"}],
        [{"role": "reader"}],
        [{"person": "reader", "group": "Tax people", "role": "reader"}],
        [{"person": "reader", "role": "reader"}, {"person": "reader", "role": "manager"}],
        [{"person": "reader", "role": "owner"}],
        [{"person": "reader", "role": "reader", "since": 1}],
        {"person": "reader"},
    ],
)
def test_what_is_refused_changes_nothing(staff_client: Client, topic: Topic, dana_and_group: Any, members: Any) -> None:
    TopicMember.objects.create(topic=topic, person=dana_and_group[0], role=TopicRole.READER)
    assert put(staff_client, topic, members).status_code == 400
    assert [str(one) for one in members_of(topic.pk)] == ["reader (reader)"]


def test_a_manager_of_the_topic_sets_them_and_of_no_other(client: Client, topic: Topic, dana_and_group: Any) -> None:
    user, _group = dana_and_group
    TopicMember.objects.create(topic=topic, person=user, role=TopicRole.MANAGER)
    client.force_login(user)
    members = [{"person": "reader", "role": "manager"}, {"group": "Tax people", "role": "reader"}]
    assert put(client, topic, members).status_code == 200
    assert put(client, make_topic(slug="other"), members).status_code == 404


def test_the_screen_takes_in_and_out(staff_client: Client, topic: Topic, dana_and_group: Any) -> None:
    path = f"/topics/{topic.pk}/members/"
    lines = {"kind": ["person", "group"], "name": ["reader", "Tax people"], "role": ["manager", "reader"]}
    page = staff_client.post(path, lines, follow=True).content.decode()
    assert "were saved" in page
    assert [str(one) for one in members_of(topic.pk)] == ["reader (manager)", "Tax people (reader)"]
    lines = {"kind": ["person", "group"], "name": ["reader", "Tax people"], "role": ["", "reader"]}
    staff_client.post(path, lines)
    assert [str(one) for one in members_of(topic.pk)] == ["Tax people (reader)"]
    refused = staff_client.post(path, {"kind": ["person"], "name": ["nobody"], "role": ["reader"]})
    assert (refused.status_code, "nobody" in refused.content.decode()) == (400, True)


def test_a_manager_of_one_topic_sees_no_lists_of_people(client: Client, staff_client: Client, topic: Topic) -> None:
    User.objects.create_user("somebody")
    Group.objects.create(name="Tax people")
    path = f"/topics/{topic.pk}/members/"
    page = staff_client.get(path).content.decode()
    assert "somebody" in page
    assert "Tax people" in page
    gil = User.objects.create_user("gil")
    TopicMember.objects.create(topic=topic, person=gil, role=TopicRole.MANAGER)
    client.force_login(gil)
    page = client.get(path).content.decode()
    assert "somebody" not in page
    assert "Tax people" not in page
    lines = {"kind": ["person", "group"], "name": ["gil", "Tax people"], "role": ["manager", "reader"]}
    assert client.post(path, lines).status_code == 302  # one that they know
    assert len(members_of(topic.pk)) == 2


def test_a_manager_of_one_topic_guesses_few_names(client: Client, topic: Topic, settings: Any) -> None:
    redis_keys.forget("kb:login:*")
    settings.KB_LOGIN_FAILURES = {**settings.KB_LOGIN_FAILURES, "account_and_address": "3/h"}
    gil = User.objects.create_user("gil")
    TopicMember.objects.create(topic=topic, person=gil, role=TopicRole.MANAGER)
    client.force_login(gil)
    known = [{"person": "gil", "role": "manager"}]
    answers = [
        put(client, topic, [*known, *([{"person": f"guess{n}", "role": "reader"}] if n % 2 else [])]).status_code
        for n in range(8)
    ]
    assert answers == [200, 400, 200, 400, 200, 400, 429, 429]
    assert (
        client.post(f"/topics/{topic.pk}/members/", {"kind": "person", "name": "x", "role": "reader"}).status_code
        == 429
    )
