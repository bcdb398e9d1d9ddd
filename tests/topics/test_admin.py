"""The members of all topics in Django's admin: found, filtered, changed and written down."""

from typing import Any

import pytest
from django.contrib.auth.models import Group, User
from django.test import Client
from django.urls import reverse

from kb_project.models import AuditEntry
from tests.factories import make_topic
from topics.members import members_of
from topics.models import OpenTo, Topic, TopicMember, TopicRole

pytestmark = pytest.mark.django_db
LIST = "/admin/topics/topicmember/"


@pytest.fixture
def tax() -> Topic:
    topic = make_topic(slug="tax", name="Tax")
    TopicMember.objects.create(topic=topic, person=User.objects.create_user("ruth"), role=TopicRole.MANAGER)
    return topic


@pytest.fixture
def hidden() -> Topic:
    topic = Topic.objects.create(slug="hidden", name="Hidden", open_to=OpenTo.MEMBERS)
    TopicMember.objects.create(topic=topic, group=Group.objects.create(name="Auditors"), role=TopicRole.READER)
    return topic


def entries() -> list[Any]:
    rows = AuditEntry.objects.filter(action="topic.members").order_by("id")
    return [(row.by, row.topic_id, row.before["members"], row.after["members"]) for row in rows]


def test_members_of_all_topics_are_found_and_filtered(staff_client: Client, tax: Topic, hidden: Topic) -> None:
    def found(**query: Any) -> list[str]:
        return [str(row) for row in staff_client.get(LIST, query).context["cl"].queryset]

    assert found() == ["ruth", "Auditors"]
    assert found(role__exact="manager") == ["ruth"]
    assert found(topic__id__exact=hidden.pk) == ["Auditors"]
    assert found(topic__open_to__exact="members") == ["Auditors"]
    assert found(q="auditors") == found(q="hidden") == ["Auditors"]


def test_each_change_is_in_the_audit_as_elsewhere(staff_client: Client, tax: Topic, hidden: Topic) -> None:
    ruth = TopicMember.objects.get(topic=tax)
    page = reverse("admin:topics_topicmember_change", args=[ruth.pk])
    other = TopicMember.objects.get(topic=hidden)
    assert staff_client.post(page, {"role": "reader", "topic": hidden.pk}).status_code == 302
    group = Group.objects.get(name="Auditors")
    added = {"topic": tax.pk, "group": group.pk, "person": "", "role": "reviewer"}
    assert staff_client.post(f"{LIST}add/", added).status_code == 302
    chosen = {"action": "delete_selected", "_selected_action": [ruth.pk, other.pk], "post": "yes"}
    assert staff_client.post(LIST, chosen).status_code == 302
    assert [str(one) for one in members_of(tax.pk)] == ["Auditors (reviewer)"]
    assert members_of(hidden.pk) == []
    assert staff_client.post(
        reverse("admin:topics_topicmember_delete", args=[TopicMember.objects.get().pk]), {"post": "yes"}
    )
    assert entries() == [
        ("dana", tax.pk, ["ruth (manager)"], ["ruth (reader)"]),
        ("dana", tax.pk, ["ruth (reader)"], ["ruth (reader)", "Auditors (reviewer)"]),
        ("dana", tax.pk, ["ruth (reader)", "Auditors (reviewer)"], ["Auditors (reviewer)"]),
        ("dana", hidden.pk, ["Auditors (reader)"], []),
        ("dana", tax.pk, ["Auditors (reviewer)"], []),
    ]


@pytest.mark.parametrize("wrong", [{}, {"person": "ruth", "group": True}, {"group": True, "twice": True}])
def test_what_no_member_can_be_is_refused_in_the_form(staff_client: Client, tax: Topic, wrong: dict[str, Any]) -> None:
    group = Group.objects.create(name="Auditors")
    ruth = User.objects.get(username="ruth")
    if wrong.get("twice"):
        TopicMember.objects.create(topic=tax, group=group, role=TopicRole.READER)
    before = members_of(tax.pk)
    given = {"topic": tax.pk, "role": "reader", "person": ruth.pk if "person" in wrong else ""}
    answer = staff_client.post(f"{LIST}add/", {**given, "group": group.pk if "group" in wrong else ""})
    assert (answer.status_code, bool(answer.context["errors"])) == (200, True)
    assert members_of(tax.pk) == before
    assert entries() == []


def test_who_edits_no_topics_everywhere_does_not_come_in(reviewer_client: Client, client: Client, tax: Topic) -> None:
    assert reviewer_client.get(LIST).status_code == 403
    ruth = Client()
    ruth.force_login(User.objects.get(username="ruth"))
    assert ruth.get(LIST).status_code == 302  # a manager of one topic has the screen of that topic
