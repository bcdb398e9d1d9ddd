"""In Django's admin a key is shown once, when it is made, and can then only be revoked."""

from __future__ import annotations

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from topics.keys import find_usable_key, issue_key
from topics.models import ApiKey, Topic

pytestmark = pytest.mark.django_db
CHANGELIST = "admin:topics_apikey_changelist"


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
    key, _plaintext = issue_key(name="partner")
    url = reverse("admin:topics_apikey_change", args=[key.pk])
    response = staff.get(url)
    assert response.status_code == 200
    assert key.prefix in response.content.decode()
    assert key.secret_hash not in response.content.decode()
    assert staff.post(url, {"name": "mine now", "admin": "on"}).status_code == 403
    assert not ApiKey.objects.get().admin


def test_selected_keys_are_revoked(staff: Client) -> None:
    (first, first_text), (_second, second_text) = issue_key(name="one"), issue_key(name="two")
    staff.post(reverse(CHANGELIST), {"action": "revoke", "_selected_action": [first.pk]})
    assert find_usable_key(first_text) is None
    assert find_usable_key(second_text)


def test_the_bootstrap_name_is_refused(staff: Client) -> None:
    staff.post(reverse("admin:topics_apikey_add"), {"name": "bootstrap", "admin": "on"})
    assert ApiKey.objects.count() == 0


def test_a_topic_s_slug_is_chosen_once(staff: Client) -> None:
    staff.post(reverse("admin:topics_topic_add"), {"name": "Tax", "slug": "tax", "system_prompt_addendum": ""})
    topic = Topic.objects.get(slug="tax")
    url = reverse("admin:topics_topic_change", args=[topic.pk])
    staff.post(url, {"name": "Taxes", "slug": "moved", "system_prompt_addendum": "Be brief."})
    topic.refresh_from_db()
    assert (topic.name, topic.slug, topic.system_prompt_addendum) == ("Taxes", "tax", "Be brief.")


@pytest.mark.parametrize("slug", ["../x", "a/b", "a b", "מס", ".", ""])
def test_a_slug_that_means_something_in_a_path_is_refused(staff: Client, slug: str) -> None:
    staff.post(reverse("admin:topics_topic_add"), {"name": "Bad", "slug": slug})
    assert not Topic.objects.filter(name="Bad").exists()
