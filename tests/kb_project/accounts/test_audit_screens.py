"""The audit's screen and file: who sees it, what the filters find, pages, cells that are no formulas."""

import csv
import io
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from kb_project.models import AuditEntry

pytestmark = pytest.mark.django_db


def note(by: str, action: str, name: str, **fields: Any) -> AuditEntry:
    kind = action.partition(".")[0]
    return AuditEntry.objects.create(by=by, action=action, object_type=kind, object_id="7", object_name=name, **fields)


def names(client: Client, **asked: Any) -> list[str]:
    answer = client.get("/audit/", asked)
    assert answer.status_code == 200
    return [entry.object_name for entry, *_ in answer.context["rows"]]


def test_entries_are_found_by_person_object_and_day(staff_client: Client) -> None:
    old = timezone.now() - timedelta(days=9)
    note("avi", "label.rename", "Rent", before={"name": "Hire"}, after={"name": "Rent"})
    note("Dana", "source.delete", "Harbour law", at=old)
    note("dana", "topic.edit", "Tax")
    assert names(staff_client) == ["Tax", "Harbour law", "Rent"]
    assert names(staff_client, who="DANA") == ["Tax", "Harbour law"]
    assert names(staff_client, what="harbour") == ["Harbour law"]
    assert names(staff_client, what="label.") == ["Rent"]
    assert names(staff_client, what="7", who="avi") == ["Rent"]
    day = timezone.localtime(old).date()
    assert names(staff_client, first=day.isoformat(), last=day.isoformat()) == ["Harbour law"]
    assert names(staff_client, last="9999-12-31") == ["Tax", "Harbour law", "Rent"]
    assert "<del><bdi>Hire</bdi></del> <ins><bdi>Rent</bdi></ins>" in staff_client.get("/audit/").content.decode()


@pytest.mark.parametrize("asked", [{"first": "yesterday"}, {"who": "x" * 201}, {"before": "0"}, {"before": "9" * 30}])
def test_a_filter_that_cannot_be_read_is_said_and_finds_nothing(staff_client: Client, asked: dict[str, str]) -> None:
    note("dana", "topic.edit", "Tax")
    answer = staff_client.get("/audit/", asked)
    assert answer.status_code == 400
    assert "Tax" not in answer.content.decode()


def test_older_pages_follow_and_none_is_counted(staff_client: Client, django_assert_max_num_queries: Any) -> None:
    for number in range(103):
        note("dana", "topic.edit", f"Entry {number}")
    seen: list[str] = []
    page: dict[str, str | int] | None = {"who": "dana"}
    while page is not None:
        with django_assert_max_num_queries(20) as queries:
            answer = staff_client.get("/audit/", page)
        assert not any("COUNT" in query["sql"] and "kb_audit" in query["sql"] for query in queries)
        seen += [entry.object_name for entry, *_ in answer.context["rows"]]
        older = answer.context["older"]
        page = {"who": "dana", "before": older} if older else None
    assert seen == [f"Entry {number}" for number in reversed(range(103))]


def test_the_file_has_the_filter_and_no_formulas(staff_client: Client) -> None:
    note("dana", "topic.edit", "=HYPERLINK(1)", after={"name": "חוק"})
    note("avi", "topic.edit", "Tax")
    answer = staff_client.get("/audit/export.csv", {"who": "dana"})
    text = answer.getvalue().decode()
    assert text.startswith("\ufeff")
    head, row = csv.reader(io.StringIO(text.removeprefix("\ufeff")))
    assert head[:3] == ["when", "who", "what"]
    assert row[1:3] + row[4:5] + row[-1:] == ["dana", "topic.edit", "'=HYPERLINK(1)", '{"name": "חוק"}']
    assert datetime.fromisoformat(row[0]).tzinfo


def test_a_reviewer_sees_neither(reviewer_client: Client) -> None:
    assert [reviewer_client.get(path).status_code for path in ("/audit/", "/audit/export.csv")] == [403, 403]
    assert "/audit/" not in reviewer_client.get("/review/").content.decode()


def test_it_speaks_hebrew(staff_client: Client) -> None:
    note("dana", "topic.edit", "Tax", after={"name": "Tax", "slug": "tax"})
    page = staff_client.get("/audit/", headers={"Accept-Language": "he"}).content.decode()
    assert all(word in page for word in ("מי שינה מה", "2 שדות", "ייצוא כ־CSV", "<td>עריכה<", "תחום <bdi>7</bdi>"))
    assert '<bdi dir="ltr">topic.edit</bdi>' in page  # as it is stored, and as one may look for it
