"""`/radar/`, its file, `GET /kb/radar` and marking what was looked at."""

import csv
import io
from datetime import date

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from kb_project.models import AuditEntry
from labels import assign
from sources.models import StaleReference
from tests.factories import make_label, make_topic
from tests.pages import page, titles
from tests.search.corpus import add_document
from tests.sources.changes.laws import amended, citing
from tests.sources.test_radar import BETWEEN, circular, work
from tests.sources.test_standing import gardens
from tests.topics.keys import client_with_key

pytestmark = pytest.mark.django_db


def test_the_page_says_what_became_of_it_and_what_it_should_read(client: Client) -> None:
    _, new = gardens()
    source = circular("5", day=BETWEEN)
    work()
    text = page(client, "/radar/")
    assert titles(text) == ["Circular"]
    assert f'href="/documents/{source.pk}/' in text
    assert '<span class="became moved">Renumbered</span>' in text
    assert "They are bound by <mark>" in text
    assert f'href="/documents/{new.pk}/#sec_6"' in text
    assert "Should read" in text
    assert "section 6 of the Allotment Gardens Act" in text
    assert "Mark as looked at" not in text
    assert titles(page(client, "/radar/?became=repealed")) == []
    assert client.get("/radar/?became=lost").status_code == 400


def test_rows_cost_no_further_queries(client: Client) -> None:
    amended()
    citing("2", title="תקנות 1", published_at=BETWEEN)
    work()
    page(client, "/radar/")
    with CaptureQueriesContext(connection) as one:
        page(client, "/radar/")
    for n in range(5):
        citing("3", title=f"תקנות אחרות {n}", published_at=BETWEEN)
    work()
    with CaptureQueriesContext(connection) as six:
        assert len(titles(page(client, "/radar/"))) == 6
    assert len(six) <= len(one) + 1  # more kinds of what became of them to choose from


def test_a_reviewer_marks_what_was_looked_at(reviewer_client: Client, client: Client) -> None:
    gardens()
    circular("5", day=BETWEEN)
    work()
    row = StaleReference.objects.get()
    assert "Mark as looked at" in page(reviewer_client, "/radar/")
    answer = reviewer_client.post(f"/radar/{row.pk}/", {"looked": "yes", "next": "/radar/?kind=circular"})
    assert (answer.status_code, answer["Location"]) == (302, "/radar/?kind=circular")
    assert (
        reviewer_client.post(f"/radar/{row.pk}/", {"looked": "yes", "next": "https://elsewhere.example/"})["Location"]
        == "/radar/"
    )
    assert titles(page(reviewer_client, "/radar/?looked=no")) == []
    assert AuditEntry.objects.filter(action="source.radar").count() == 1
    reviewer_client.post(f"/radar/{row.pk}/", {"looked": "no"})
    assert StaleReference.objects.get().looked_at is None


def test_the_file_has_the_rows_and_no_formulas(client: Client) -> None:
    gardens()
    circular("5", day=BETWEEN, title="=1+1")
    work()
    answer = client.get("/radar/radar.csv?kind=circular")
    assert answer["Content-Type"] == "text/csv; charset=utf-8"
    head, row = csv.reader(io.StringIO(answer.content.decode("utf-8-sig")))
    assert head[0] == "Document"
    assert row[0] == "'=1+1"
    assert row[5:8] == ["Renumbered", "2023-01-01", "section 6 of the Allotment Gardens Act"]


def test_the_api_lists_by_topic_kind_and_label() -> None:
    api_client = APIClient()
    old, new = gardens()
    source = circular("5", day=BETWEEN)
    label = make_label("gardens")
    assign.add(source, [label], by="test")
    work()
    answer = api_client.get("/kb/radar", {"kind": "circular", "label_id": str(label.pk)}).json()
    [row] = answer["results"]
    assert row["source"]["id"] == source.pk
    assert row["cites"] == {"work_id": old.work_id, "source_id": old.pk, "title": old.title, "eid": "sec_5"}
    assert (row["became"], row["since"]) == ("renumbered", "2023-01-01")
    assert (row["now"]["source_id"], row["now"]["eid"]) == (new.pk, "sec_6")
    assert row["should_read"] == "section 6 of the Allotment Gardens Act"
    assert row["text"].startswith("They are bound")
    assert api_client.get("/kb/radar", {"kind": "law"}).json()["count"] == 0
    assert api_client.get("/kb/radar", {"topic_id": make_topic(slug="other").pk}).json()["count"] == 0
    assert api_client.get("/kb/radar", {"label_id": 2**31}).status_code == 400


def test_a_pinned_key_sees_its_own_topic_alone() -> None:
    gardens()
    circular("5", day=BETWEEN)
    work()
    row = StaleReference.objects.get()
    other = make_topic(slug="other")
    elsewhere = client_with_key(topic=other, admin=True)
    assert elsewhere.get("/kb/radar").json()["count"] == 0
    assert elsewhere.patch(f"/admin/kb/radar/{row.pk}", {"looked_at": True}, format="json").status_code == 404
    everywhere = client_with_key(admin=True)
    marked = everywhere.patch(f"/admin/kb/radar/{row.pk}", {"looked_at": True}, format="json")
    assert marked.status_code == 200
    assert marked.json()["looked_at"]
    assert everywhere.get("/kb/radar", {"looked_at": False}).json()["count"] == 0


def test_what_is_superseded_itself_is_not_listed(client: Client) -> None:
    gardens()
    text = "They are bound by section 5 of the Allotment Gardens Act."
    add_document(text, kind="circular", title="Old", valid_from=BETWEEN, valid_to=date(2023, 2, 1))
    work()
    assert titles(page(client, "/radar/")) == []
