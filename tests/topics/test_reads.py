"""`KB_AUDIT_READS`: who read what of topics that only members see, without their words."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from kb_project.models import AuditEntry
from tests.factories import make_source, make_topic
from tests.search.corpus import add_source
from topics.models import OpenTo, Topic, TopicMember, TopicRole

pytestmark = pytest.mark.django_db


@pytest.fixture
def reader(client: Client, settings: Any) -> Client:
    settings.KB_AUDIT_READS = True
    settings.MIDDLEWARE = [*settings.MIDDLEWARE, "topics.reads.ReadLog"]
    user = User.objects.create_user("reader", password="x")
    topic = make_topic(slug="hidden")
    Topic.objects.filter(pk=topic.pk).update(open_to=OpenTo.MEMBERS)
    TopicMember.objects.create(topic=topic, person=user, role=TopicRole.READER)
    client.force_login(user)
    return client


def noted() -> list[tuple[str, str, str]]:
    entries = AuditEntry.objects.filter(action__in=("source.read", "topic.search")).order_by("id")
    return [(entry.by, entry.action, entry.object_id) for entry in entries]


def test_reads_of_what_only_members_see_are_written_down(reader: Client) -> None:
    hidden = Topic.objects.get(slug="hidden")
    source, public = add_source("The keeper pays.", topic=hidden, title="Keepers"), make_source()
    for path in (f"/documents/{source.pk}/", f"/kb/sources/{source.pk}", f"/documents/{public.pk}/"):
        assert reader.get(path).status_code == 200
    reader.post("/kb/search", {"query": "zebra crossing"}, content_type="application/json")
    by = ("reader", "source.read", str(source.pk))
    assert noted() == [by, by, ("reader", "topic.search", str(hidden.pk))]
    assert not AuditEntry.objects.filter(after__icontains="zebra").exists()


def test_nothing_is_written_down_unless_it_is_asked_for(reader: Client, settings: Any) -> None:
    settings.KB_AUDIT_READS = False
    source = make_source(topic=Topic.objects.get(slug="hidden"))
    assert reader.get(f"/documents/{source.pk}/").status_code == 200
    assert noted() == []
