"""`/works/{id}/`: the version of a day, and what a version's page says of those before and after it."""

import re
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
    assert "This text is not in force any more. It was in force from" in old
    assert f'<a href="/documents/{second.pk}/">What came after it' in old
    assert f'<a href="/documents/{third.pk}/">Read the one that is in force today' in old
    assert old.count('aria-current="page"') == 1
    middle = read(client, second)
    assert "What came after it" not in middle  # it is the one in force today
    assert f'<a href="/documents/{third.pk}/">Read the one that is in force today' in middle
    assert "until before" in middle
    now = read(client, third)
    assert "This text is in force today. It is in force from" in now
    assert "Read the one" not in now


def test_versions_are_drawn_along_time_where_two_say_when_they_begin(client: Client, versions: list[Source]) -> None:
    page = client.get(f"/documents/{versions[1].pk}/").content.decode()
    drawn = page.split('class="picture"')[1].split("</figure>")[0]
    assert re.findall('rect class="([^"]+)"', drawn) == ["s4", "s4", "s2"]
    alone = act("six", valid_from=date(2015, 3, 1))
    assert 'class="picture"' not in client.get(f"/documents/{alone.pk}/").content.decode()


def test_one_that_is_repealed_or_to_come_says_so_though_it_is_alone(client: Client) -> None:
    today = timezone.localdate()
    repealed = act("five", valid_to=today)
    coming = act("six", valid_from=today + timedelta(days=1))
    undated = act("seven")
    assert "This text is not in force any more. It was in force until before" in read(client, repealed)
    assert "This text is not in force yet. It will be in force from" in read(client, coming)
    assert "This text is" not in read(client, undated)
