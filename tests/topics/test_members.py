"""The members of a topic: set as a whole, by a manager of it, and written down."""

from typing import Any

import pytest
from django.contrib.auth.models import Group, User
from django.test import Client

from kb_project.models import AuditEntry
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
