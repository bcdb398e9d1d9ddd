"""The audit in the admin: who sees it, how an entry reads, and what finds it."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from kb_project import audit
from kb_project.configuration.roles import REVIEWER
from kb_project.models import AuditEntry
from tests.factories import first_topic, make_staff

pytestmark = pytest.mark.django_db
LIST = "admin:kb_project_auditentry_changelist"
NASTY = '<script>"א&ב"</script>'


def note(by: str = "dana", action: str = "topic.edit", **changes: Any) -> AuditEntry:
    given: dict[str, Any] = {
        "before": {"name": NASTY, "aliases": []},
        "after": {"name": "\u200fב", "aliases": ["a", "b"]},
        **changes,
    }
    entry = audit.record(by=by, action=action, thing=first_topic(), **given)
    assert entry is not None
    return entry


def test_an_entry_reads_as_pairs_and_nothing_in_it_is_markup(staff_client: Client) -> None:
    entry = note(
        before={"name": NASTY, "admin": True}, after={"name": "\u200fב", "aliases": ["a", "b"], "n": {"x": "ג"}}
    )
    page = staff_client.get(reverse("admin:kb_project_auditentry_change", args=[entry.pk])).content.decode()
    assert '<td dir="auto">&lt;script&gt;&quot;א&amp;ב&quot;&lt;/script&gt;</td><td dir="auto">\u200fב</td>' in page
    assert '<th scope="row">aliases</th><td dir="auto">–</td><td dir="auto">a, b</td>' in page
    assert '<td dir="auto">yes</td><td dir="auto">–</td>' in page
    assert "{&quot;x&quot;: &quot;ג&quot;}" in page
    assert NASTY not in page


def test_entries_are_found_by_who_and_by_what(staff_client: Client) -> None:
    note(by="dana")
    note(by="Api-Key nightly", action="topic.create", before=None)

    def found(**query: str) -> int:
        return int(staff_client.get(reverse(LIST), query).context["cl"].result_count)

    assert found() == 2
    assert found(q="nightly") == 1
    assert found(q=first_topic().name) == 2
    assert found(q="nobody") == 0
    assert found(action="topic.create") == 1
    assert found(object_type="label") == 0
    assert found(at__gte="2999-01-01") == 0


def test_nobody_changes_an_entry_there(client: Client) -> None:
    entry = note()
    client.force_login(make_staff("root", is_superuser=True))
    url = reverse("admin:kb_project_auditentry_change", args=[entry.pk])
    assert client.post(url, {"by": "me"}).status_code == 403
    assert client.post(reverse("admin:kb_project_auditentry_delete", args=[entry.pk])).status_code == 403
    assert client.get(reverse("admin:kb_project_auditentry_add")).status_code == 403


def test_a_reviewer_does_not_see_the_audit(client: Client) -> None:
    client.force_login(make_staff(role=REVIEWER))
    assert client.get(reverse(LIST)).status_code == 403
