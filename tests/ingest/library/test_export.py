"""The export of the library: what the filter finds, whole, for people and for programs."""

import csv
import datetime as dt
import io
import json

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from ingest.library.screens import sources as library
from labels import assign
from tests.factories import make_label, make_source, make_topic
from tests.topics.keys import client_with_key

pytestmark = pytest.mark.django_db


def rows_of(client: Client, query: str = "") -> list[list[str]]:
    answer = client.get(f"/library/export.csv{query}")
    assert answer.headers["Content-Type"] == "text/csv; charset=utf-8"
    text = answer.getvalue().decode()
    assert text.startswith("\ufeff")
    return list(csv.reader(io.StringIO(text.removeprefix("\ufeff"), newline="")))


def test_a_row_has_what_a_person_sees_and_no_formula(staff_client: Client) -> None:
    source = make_source(
        title='=HYPERLINK("http://evil")',
        subject="-1+1",
        identifier="ח-12",
        description="Two\nlines, quoted “so”",
        published_at=dt.date(2020, 5, 1),
        pages=7,
        unread_pages=[2, 3],
        chunk_count=12,
        filename="@law.pdf",
    )
    assign.add(source, [make_label("Rent"), make_label("+שכירות")], by="test")
    [heads, row] = rows_of(staff_client)
    named = dict(zip(heads, row, strict=True))
    assert named["Title"] == '\'=HYPERLINK("http://evil")'
    assert (named["Subject"], named["File"], named["Labels"]) == ("'-1+1", "'@law.pdf", "'+שכירות, Rent")
    assert (named["Kind"], named["Topic"], named["Identifier"]) == ("Law", "General", "ח-12")
    assert (named["Date"], named["Pages"], named["Pieces of text"]) == ("2020-05-01", "7", "12")
    assert (named["Pages not read"], named["Summary"]) == ("2–3", "Two\nlines, quoted “so”")
    assert named["Added on"] == f"{source.created_at:%Y-%m-%d}"
    assert named["Address"] == f"http://testserver/library/{source.pk}/"
    hebrew = staff_client.get("/library/export.csv", headers={"Accept-Language": "he"}).getvalue().decode()
    assert "כותרת" in hebrew
    assert "חוק" in hebrew


def test_both_files_list_all_that_the_filter_finds_in_order(
    staff_client: Client, monkeypatch: pytest.MonkeyPatch, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    monkeypatch.setattr(library, "ROWS_AT_ONCE", 20)
    label = make_label("Rent")
    sources = [make_source(title=f"Law {number:02}") for number in range(45)]
    for source in sources:
        assign.add(source, [label], by="test")
    make_source(kind="tool", topic=make_topic())
    with django_assert_max_num_queries(20):
        rows = rows_of(staff_client, "?kind=law&sort=title")
    assert [row[0] for row in rows[1:]] == [str(source.pk) for source in sources]
    answer = staff_client.get("/library/export.json?label=rent")
    assert ".json" in answer.headers["Content-Disposition"]
    found = json.loads(answer.getvalue())
    told = client_with_key(admin=True).get("/admin/kb/sources", {"label_id": label.pk, "limit": 100}).json()
    assert [one | {"deleted_at": None} for one in found] == told["results"]
    assert json.loads(staff_client.get("/library/export.json?kind=circular").getvalue()) == []
    assert len(rows_of(staff_client, "?kind=circular")) == 1


def test_a_bad_filter_or_a_missing_right_gives_no_file(staff_client: Client, client: Client) -> None:
    assert staff_client.get("/library/export.csv?kind=poem").status_code == 400
    staff_client.logout()
    assert client.get("/library/export.json").status_code == 302
