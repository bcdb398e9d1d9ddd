"""The search box in the head of the screens."""

import pytest
from django.test import Client

from tests.search.corpus import add_source

pytestmark = pytest.mark.django_db
FORM = '<form class="site-search"'


def test_who_is_signed_in_can_search_from_every_screen_in_its_topic(staff_client: Client) -> None:
    source = add_source("The tenant pays the rent on the first day.", title="Lease Act")
    for path in ("/documents/", "/review/", "/review/upload/", "/library/", "/labels/", "/synonyms/", "/status/"):
        assert FORM in staff_client.get(path).content.decode(), path
    head, _, _ = staff_client.get(f"/documents/{source.pk}/").content.decode().partition("<main")
    assert f'<input type="hidden" name="topic" value="{source.topic_id}">' in head
    assert "Lease Act" in staff_client.get(f"/?topic={source.topic_id}&q=rent").content.decode()


def test_search_page_has_its_own_box_and_strangers_begin_there(staff_client: Client) -> None:
    for answer in (staff_client.get("/"), staff_client.get("/?q=rent"), Client().get("/documents/")):
        assert answer.status_code == 200
        assert FORM not in answer.content.decode()
