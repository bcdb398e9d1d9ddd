"""`/works/{id}/`: the version of a day, and what a version's page says of those before and after it."""

from datetime import date, timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from sources.models import Source
from tests.factories import make_staff
from tests.search.corpus import add_document

pytestmark = pytest.mark.django_db
TITLE = "Lending of Books Act 2015"


def act(number: str, **days: Any) -> Source:
    return add_document(f"1. Right to borrow\nA resident may borrow {number} books.", title=TITLE, kind="law", **days)


@pytest.fixture
def versions() -> list[Source]:
    """Two that follow each other, and a third after a pause, which ends."""
    first = act("five", valid_from=date(2015, 3, 1), valid_to=date(2018, 1, 1))
    second = act("six", work_id=first.work_id, valid_from=date(2018, 1, 1), valid_to=date(2019, 1, 1))
    third = act("nine", work_id=first.work_id, valid_from=date(2020, 1, 1))
    return [first, second, third]


def at(client: Client, work_id: int, **query: str) -> Any:
    return client.get(f"/works/{work_id}/", query)


def test_a_day_leads_to_its_version_and_no_day_to_that_of_today(client: Client, versions: list[Source]) -> None:
    first, second, third = versions
    for day, there in (
        ("2015-03-01", first),
        ("2017-12-31", first),
        ("2018-01-01", second),
        ("2020-01-01", third),
        ("", third),
    ):
        response = at(client, first.work_id, as_of=day)
        assert (response.status_code, response["Location"]) == (302, f"/documents/{there.pk}/")
    assert at(client, first.work_id)["Location"] == f"/documents/{third.pk}/"
    alone = act("ten")  # its days are not known
    assert at(client, alone.work_id, as_of="1900-01-01")["Location"] == f"/documents/{alone.pk}/"


def test_without_version_on_day_the_page_names_all_there_are(client: Client, versions: list[Source]) -> None:
    for day in ("2015-02-28", "2019-06-01"):
        response = at(client, versions[0].work_id, as_of=day)
        text = response.content.decode()
        assert response.status_code == 200
        assert "No version of it was in force on" in text
        assert all(f'href="/documents/{one.pk}/"' in text for one in versions)
        assert f'name="as_of" value="{day}"' in text
    wrong = at(client, versions[0].work_id, as_of="yesterday")
    assert wrong.status_code == 400
    assert "Enter a valid date." in wrong.content.decode()
    for missing in (0, 2**62):
        assert at(client, missing).status_code == 404


def test_who_may_read_documents_may_follow_their_works(client: Client, versions: list[Source], settings: Any) -> None:
    settings.KB_PUBLIC_REQUIRES_KEY = True
    refused = at(client, versions[0].work_id)
    assert refused.status_code == 302
    assert "/documents/" not in refused["Location"]
    client.force_login(make_staff(role=None))
    assert at(client, versions[0].work_id)["Location"] == f"/documents/{versions[2].pk}/"
    assert client.post(f"/works/{versions[0].work_id}/").status_code == 405


def read(client: Client, source: Source) -> str:
    return " ".join(client.get(f"/documents/{source.pk}/").content.decode().split())


def test_a_page_says_when_its_text_was_in_force_and_what_came_after(client: Client, versions: list[Source]) -> None:
    first, second, third = versions
    old = read(client, first)
    assert "As it was until" in old
    assert f'<a href="/documents/{third.pk}/">Today' in old
    assert f'<a href="/documents/{first.pk}/compare/{third.pk}/">Compare' in old
    assert old.count('aria-current="page"') == 1
    middle = read(client, second)
    assert f'<a href="/documents/{third.pk}/">Today' in middle
    assert f'<a href="/documents/{first.pk}/compare/{second.pk}/">What changed from the version before' in middle
    now = read(client, third)
    assert "As it was until" not in now
    assert "Today&#x27;s text" not in now


def test_one_that_is_repealed_or_to_come_says_so_though_it_is_alone(client: Client) -> None:
    today = timezone.localdate()
    repealed = act("five", valid_to=today)
    coming = act("six", valid_from=today + timedelta(days=1))
    undated = act("seven")
    assert "As it was until" in read(client, repealed)
    assert "Not in force yet" in read(client, coming)
    assert "As it was until" not in read(client, undated)
