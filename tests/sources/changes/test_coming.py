"""What of a version is going to change on a day to come."""

from datetime import date, timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone, translation
from rest_framework.test import APIClient

from ingest.documents import edit
from sources.changes import listing
from sources.changes.coming import coming_in, coming_of
from sources.models import Source
from tests.pages import page
from tests.sources.changes.laws import BEGAN, NEW, OLD, act, work
from tests.sources.test_standing import FIRST, SECOND

pytestmark = pytest.mark.django_db

LEFT_ALONE = f"{NEW}\n6. תחילה\nתחילתו של חוק זה ביום פרסומו ברשומות."


def in_days(days: int) -> date:
    return timezone.localdate() + timedelta(days=days)


def followed(*texts: str) -> list[Source]:
    """Versions of one act, the first in force, each further one a month later."""
    versions = [act(texts[0], valid_from=BEGAN)]
    for place, text in enumerate(texts[1:], 1):
        edit.edit(versions[-1].pk, {"valid_to": in_days(30 * place)}, by="test")
        versions.append(act(text, valid_from=in_days(30 * place), work_id=versions[0].work_id))
    work()
    return [Source.objects.get(pk=one.pk) for one in versions]


def said(source: Source) -> dict[str, tuple[date, str, int | None, str]]:
    return {eid: (one.day, one.status.value, one.source_id, one.eid) for eid, one in coming_in(source).items()}


def test_a_provision_says_from_which_day_it_will_read_otherwise() -> None:
    old, new = followed(OLD, NEW)
    assert said(old) == {
        "sec_2": (in_days(30), "changed", new.pk, "sec_2"),
        "sec_3": (in_days(30), "repealed", new.pk, ""),
    }
    assert said(new) == {}


def test_a_version_that_leaves_a_provision_alone_is_passed_over() -> None:
    old, middle, last = followed(OLD, f"{OLD}\n5. דיווח\nהספרן ידווח לשר אחת לשנה על מספר הספרים.", NEW)
    assert said(old)["sec_2"] == (in_days(60), "changed", last.pk, "sec_2")
    assert "sec_5" not in said(old)
    assert said(middle)["sec_5"][:3] == (in_days(60), "changed", last.pk)


def test_what_moves_and_what_comes_to_its_number_are_told_apart() -> None:
    old, new, last = followed(FIRST, SECOND, SECOND.replace("while the leaves are dry", "at any time of the year"))
    assert said(old)["sec_5"] == (in_days(30), "renumbered", new.pk, "sec_6")
    assert said(new)["sec_5"] == (in_days(60), "changed", last.pk, "sec_5")


def test_changes_that_are_not_kept_are_told_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listing, "MAX_KEPT", 1)
    old, _new = followed(OLD, NEW)
    assert set(said(old)) == {"sec_2", "sec_3"}


def test_of_a_version_that_is_over_nothing_is_coming() -> None:
    old, _new, _last = followed(OLD, NEW, LEFT_ALONE)
    edit.edit(old.pk, {"valid_to": timezone.localdate()}, by="test")
    over = Source.objects.get(pk=old.pk)
    assert (said(over), coming_of(over, "sec_2")) == ({}, None)


@pytest.mark.parametrize(
    ("eid", "expected"),
    [
        ("sec_3", ("changed", "sec_3")),
        ("sec_3__subsec_a", ("changed", "sec_3__subsec_a")),
        ("sec_3__subsec_b", None),
        ("sec_4", ("repealed", "")),
        ("sec_5", ("renumbered", "sec_6")),
    ],
)
def test_the_api_says_it_of_a_provision_and_of_a_clause(eid: str, expected: tuple[str, str] | None) -> None:
    old, new = followed(FIRST, SECOND)
    given: Any = APIClient().get(f"/kb/sources/{old.pk}/provisions/{eid}").json()["coming"]
    status, later = expected or ("", "")
    day = in_days(30).isoformat()
    assert given == ({"from": day, "status": status, "source_id": new.pk, "eid": later} if expected else None)


def test_an_act_that_will_end_is_repealed_on_that_day() -> None:
    only = act(OLD, valid_from=BEGAN)
    edit.edit(only.pk, {"valid_to": in_days(9)}, by="test")
    coming = coming_of(Source.objects.get(pk=only.pk), "sec_1")
    assert coming is not None
    assert (coming.day, coming.status.value, coming.source_id, coming.url) == (in_days(9), "repealed", None, "")


def test_the_page_leads_from_the_provision_to_the_coming_version(client: Client) -> None:
    old, new = followed(OLD, NEW)
    text = page(client, f"/documents/{old.pk}/")
    with translation.override("en"):
        changed, removed = (coming_in(old)[eid].said for eid in ("sec_2", "sec_3"))
    assert f'<a href="/documents/{new.pk}/#sec_2">{changed}</a>' in text
    assert text.count(removed) == text.count(changed) == 1
    assert "Will " not in page(client, f"/documents/{new.pk}/")
