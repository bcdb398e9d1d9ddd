"""Sources in the admin: to look at, with the way to where they are edited."""

import pytest
from django.test import Client
from django.urls import reverse

from tests.factories import make_source, make_staff

pytestmark = pytest.mark.django_db


def test_source_is_shown_with_way_to_the_library_and_not_edited(staff_client: Client) -> None:
    source = make_source(title='חוק "הספריות" <i>')
    url = reverse("admin:sources_source_change", args=[source.pk])
    page = staff_client.get(url).content.decode()
    assert f'href="/library/{source.pk}/"' in page
    assert "<i>" not in page
    assert staff_client.post(url, {"title": "x"}).status_code == 403
    assert staff_client.post(reverse("admin:sources_source_delete", args=[source.pk])).status_code == 403


def test_files_still_to_be_deleted_are_shown_to_superusers_alone(client: Client) -> None:
    url = reverse("admin:sources_filedeletion_changelist")
    client.force_login(make_staff("miri"))
    assert client.get(url).status_code == 403
    client.force_login(make_staff("root", is_superuser=True))
    assert client.get(url).status_code == 200
