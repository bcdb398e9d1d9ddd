"""In Django's admin a key is shown once, when it is made, and can then only be revoked."""

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from kb_project.accounts.roles import REVIEWER
from kb_project.models import AuditEntry
from tests.factories import make_staff
from topics.edit import edit
from topics.keys import find_usable_key, issue_key
from topics.models import ApiKey, Topic

pytestmark = pytest.mark.django_db
CHANGELIST = "admin:topics_apikey_changelist"
NASTY = 'ביטוח \u200f<b>"A&B\'s"</b>'


@pytest.fixture
def staff(client: Client) -> Client:
    client.force_login(User.objects.create_superuser("boss"))
    return client


def test_a_new_key_is_shown_once_and_works(staff: Client) -> None:
    response = staff.post(reverse("admin:topics_apikey_add"), {"name": "partner", "admin": "on"}, follow=True)
    shown = re.findall(r"[A-Za-z0-9]{8}\.[A-Za-z0-9]{32}", response.content.decode())
    assert len(shown) == 1
    key = find_usable_key(shown[0])
    assert key is not None
    assert (key.name, key.admin) == ("partner", True)
    assert shown[0] not in staff.get(reverse(CHANGELIST)).content.decode()


def test_a_key_s_page_shows_no_hash_and_changes_nothing(staff: Client) -> None:
    key, _plaintext = issue_key(name="partner", by="tests")
    url = reverse("admin:topics_apikey_change", args=[key.pk])
    response = staff.get(url)
    assert response.status_code == 200
    assert key.prefix in response.content.decode()
    assert key.secret_hash not in response.content.decode()
    assert staff.post(url, {"name": "mine now", "admin": "on"}).status_code == 403
    assert not ApiKey.objects.get().admin


def test_selected_keys_are_revoked(staff: Client) -> None:
    (first, first_text), (_second, second_text) = issue_key(name="one", by="tests"), issue_key(name="two", by="tests")
    staff.post(reverse(CHANGELIST), {"action": "revoke", "_selected_action": [first.pk]})
    assert find_usable_key(first_text) is None
    assert find_usable_key(second_text)


def test_the_list_says_which_keys_ended_with_their_maker_s_account(staff: Client) -> None:
    dana = make_staff("dana")
    issue_key(name="script", by="dana")
    assert "ended with its maker" not in staff.get(reverse(CHANGELIST)).content.decode()
    User.objects.filter(pk=dana.pk).update(is_active=False)
    assert "ended with its maker" in staff.get(reverse(CHANGELIST)).content.decode()


def test_the_bootstrap_name_is_refused(staff: Client) -> None:
    staff.post(reverse("admin:topics_apikey_add"), {"name": "bootstrap", "admin": "on"})
    assert ApiKey.objects.count() == 0


def test_making_and_revoking_a_key_is_written_down_once(staff: Client) -> None:
    staff.post(reverse("admin:topics_apikey_add"), {"name": "partner", "topic": "1"})
    key = ApiKey.objects.get()
    for _again in range(2):
        staff.post(reverse(CHANGELIST), {"action": "revoke", "_selected_action": [key.pk]})
    made, revoked = AuditEntry.objects.order_by("id")
    assert (made.by, made.action, made.topic_id) == ("boss", "key.create", 1)
    assert made.after == {
        "name": "partner",
        "prefix": key.prefix,
        "admin": False,
        "topic": "general",
        "expires_at": None,
    }
    assert (revoked.by, revoked.action, revoked.object_id) == ("boss", "key.revoke", str(key.pk))


def test_a_new_key_that_has_expired_already_is_refused(staff: Client) -> None:
    fields = {"name": "late", "expires_at_0": "2020-01-01", "expires_at_1": "00:00:00"}
    response = staff.post(reverse("admin:topics_apikey_add"), fields)
    assert "cannot have expired" in response.content.decode()
    assert not ApiKey.objects.exists()


def test_nobody_deletes_a_key_or_a_topic(staff: Client) -> None:
    key, _plaintext = issue_key(name="partner", by="tests")
    for name, row_id in (("topics_apikey", key.pk), ("topics_topic", 1)):
        assert staff.post(reverse(f"admin:{name}_delete", args=[row_id]), {"post": "yes"}).status_code == 403
    assert (ApiKey.objects.count(), Topic.objects.count()) == (1, 1)


def test_a_reviewer_sees_topics_and_neither_edits_them_nor_sees_keys(client: Client) -> None:
    client.force_login(make_staff(role=REVIEWER))
    page = client.get(reverse("admin:topics_topic_change", args=[1]))
    assert page.status_code == 200
    assert 'name="slug"' not in page.content.decode()
    assert client.post(reverse("admin:topics_topic_change", args=[1]), {"name": "x", "slug": "x"}).status_code == 403
    assert client.get(reverse(CHANGELIST)).status_code == 403


def test_a_manager_makes_keys_and_topics(client: Client) -> None:
    client.force_login(make_staff())
    client.post(reverse("admin:topics_apikey_add"), {"name": "partner"})
    client.post(reverse("admin:topics_topic_add"), {"name": "Tax", "slug": "tax"})
    assert ApiKey.objects.get().name == "partner"
    assert Topic.objects.filter(slug="tax").exists()


def test_a_topic_is_made_and_edited_through_the_verbs(staff: Client) -> None:
    staff.post(reverse("admin:topics_topic_add"), {"name": "Tax", "slug": "tax", "system_prompt_addendum": ""})
    topic = Topic.objects.get(slug="tax")
    url = reverse("admin:topics_topic_change", args=[topic.pk])
    staff.post(url, {"name": NASTY, "slug": "moved", "system_prompt_addendum": "Be brief."})
    topic.refresh_from_db()
    assert (topic.name, topic.slug, topic.system_prompt_addendum) == (NASTY, "moved", "Be brief.")
    assert topic.slugs() == ["moved", "tax"]
    assert [entry.action for entry in AuditEntry.objects.order_by("id")] == ["topic.create", "topic.edit"]
    page = staff.get(url).content.decode()
    assert "tax" in page
    assert "<b>" not in page.replace("&lt;b&gt;", "")


def test_a_slug_that_another_topic_once_had_is_refused_in_the_form(staff: Client) -> None:
    edit(1, {"slug": "later"}, by="tests")
    response = staff.post(reverse("admin:topics_topic_add"), {"name": "Next", "slug": "general"})
    assert "once had this slug" in response.content.decode()
    assert not Topic.objects.filter(slug="general").exists()


@pytest.mark.parametrize("slug", ["../x", "a/b", "a b", "מס", ".", ""])
def test_a_slug_that_means_something_in_a_path_is_refused(staff: Client, slug: str) -> None:
    staff.post(reverse("admin:topics_topic_add"), {"name": "Bad", "slug": slug})
    assert not Topic.objects.filter(name="Bad").exists()
