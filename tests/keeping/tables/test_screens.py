"""`/tables/`: making a table, looking at it, deciding its cells."""

from typing import Any
from uuid import uuid4

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client

from kb_project.configuration.roles import REVIEWER
from keeping.models import Table, TableCell, TableRow
from keeping.tables import rows
from keeping.tables.screens import tables
from sources.models import Source
from tests.factories import first_topic, make_job, make_staff, make_topic
from tests.keeping.tables.made import BEGINS, RENT, fill, lease, table
from topics.models import OpenTo, Topic

pytestmark = pytest.mark.django_db
SUBLET = {"title": "Subletting", "question": "Shall the tenant sublet the workshop?", "type": "yes_no"}


@pytest.fixture
def rina(client: Client) -> Client:
    client.force_login(User.objects.create_user("rina", password="x"))
    return client


def text(response: Any) -> str:
    return str(response.content.decode())


def test_a_table_is_made_of_a_template_and_lines(rina: Client) -> None:
    lease(1)
    given = {"name": "Leases", "topic": first_topic().pk, "kind": "circular", "template": "judgment"}
    refused = rina.post("/tables/new/", {**given, "template": ""})
    assert refused.status_code == 400
    made = rina.post("/tables/new/", {**given, "questions": "Who pays for repairs?\n\nWho insures it?\n"})
    one = Table.objects.get()
    assert made["Location"] == f"/tables/{one.pk}/"
    assert one.columns.count() == 11
    assert one.rows == {"kind": ["circular"]}
    assert "Who insures it?" in text(rina.get(made["Location"]))
    assert "Leases" in text(rina.get("/tables/"))


def test_a_table_of_a_batch_is_asked_for_from_its_page(client: Client) -> None:
    client.force_login(make_staff("dana", role=REVIEWER))
    job = make_job(kind="circular", batch_id=uuid4())
    address = f"/tables/new/?batch={job.batch_id}&amp;topic={job.topic_id}"
    assert address in text(client.get(f"/review/{job.batch_id}/"))
    asked = text(client.get(address.replace("&amp;", "&")))
    assert "Its documents are those of the batch" in asked
    given = {"name": "Leases", "topic": job.topic_id, "questions": "Who pays?"}
    assert client.post("/tables/new/", {**given, "batch": "x"}).status_code == 400
    assert client.post("/tables/new/", {**given, "batch": str(uuid4())}).status_code == 400
    assert client.post("/tables/new/", {**given, "batch": str(job.batch_id)}).status_code == 302
    assert Table.objects.get().rows == {"batch_id": str(job.batch_id)}


def test_rows_are_narrowed_and_sorted(rina: Client) -> None:
    for number in (2, 1, 3):
        lease(number)
    lease(4, title="LEASE 10")
    one = table(BEGINS, SUBLET)
    assert "Cells are being read." in text(rina.get(f"/tables/{one.pk}/"))
    fill()
    page = text(rina.get(f"/tables/{one.pk}/"))
    assert page.index("Lease 1") < page.index("Lease 2") < page.index("Lease 3") < page.index("LEASE 10")
    column = one.columns.get(title="Begins").pk
    page = text(rina.get(f"/tables/{one.pk}/", {"sort": f"-{column}"}))
    assert page.index("Lease 3") < page.index("Lease 2") < page.index("Lease 1")
    page = text(rina.get(f"/tables/{one.pk}/", {"q": "2 May"}))
    assert "Lease 2" in page
    assert "Lease 1" not in page
    TableCell.objects.filter(row__source__title="Lease 1").update(status="failed", why="provider")
    page = text(rina.get(f"/tables/{one.pk}/", {"only": "failed"}))
    assert "Lease 1" in page
    assert "Lease 2" not in page
    rina.post(f"/tables/{one.pk}/act/", {"action": "again"})
    assert TableCell.objects.filter(status="waiting").count() == 2
    rina.post(f"/tables/{one.pk}/act/", {"action": "pause"})
    assert Table.objects.get().paused


@pytest.mark.parametrize(
    ("language", "named"), [("en", ("Group by", "2 documents")), ("he", ("קיבוץ לפי", "2 מסמכים"))]
)
def test_rows_are_grouped_by_what_holds_in_a_column(rina: Client, language: str, named: tuple[str, str]) -> None:
    rina.cookies[settings.LANGUAGE_COOKIE_NAME] = language
    for number in (3, 1, 2):
        lease(number)
    one = table(RENT, SUBLET)
    fill()
    of_first = TableCell.objects.filter(row__source__title="Lease 1")
    of_first.filter(column__title="Rent").update(decision="edited", decided_value={"number": 3500, "unit": "shekels"})
    column = str(one.columns.get(title="Rent").pk)
    page = text(rina.get(f"/tables/{one.pk}/", {"group_by": column}))
    assert page.count('scope="rowgroup"') == 2
    assert named[0] in page
    assert f'<option value="{column}" selected>' in page
    assert page.index("2,500 shekels</bdi>") < page.index(">Lease 2<") < page.index("3,500 shekels</bdi>")
    assert page.index("3,500 shekels</bdi>") < page.index(named[1]) < page.index(">Lease 1<") < page.index(">Lease 3<")
    narrowed = text(rina.get(f"/tables/{one.pk}/", {"group_by": column, "q": "Lease 3"}))
    assert narrowed.count('scope="rowgroup"') == 1
    assert named[1] not in narrowed
    backwards = text(rina.get(f"/tables/{one.pk}/", {"group_by": column, "sort": f"-{column}"}))
    assert backwards.index(">Lease 2<") < backwards.index(">Lease 3<") < backwards.index(">Lease 1<")
    assert 'scope="rowgroup"' not in text(rina.get(f"/tables/{one.pk}/", {"group_by": "x"}))


def test_a_group_goes_on_on_the_next_page(rina: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "ROWS_A_PAGE", 2)
    for number in (1, 2, 3):
        lease(number)
    one = table(SUBLET)
    fill()
    for number, titles in ((1, ("Lease 1", "Lease 2")), (2, ("Lease 3",))):
        page = text(rina.get(f"/tables/{one.pk}/", {"group_by": one.columns.get().pk, "page": number}))
        assert "<bdi>undecided</bdi>" in page
        assert "3 documents" in page
        assert tuple(f"Lease {at}" for at in (1, 2, 3) if f">Lease {at}<" in page) == titles


def test_a_cell_of_a_document_that_changed_says_so(rina: Client) -> None:
    source = lease(1, content_sha256="a" * 64)
    one = table(BEGINS)
    fill()
    path, told = f"/tables/{one.pk}/cells/{TableCell.objects.get().pk}/", "The document changed since it was read."
    assert told not in text(rina.get(path))
    rina.post(f"/tables/{one.pk}/act/", {"action": "pause"})
    Source.objects.filter(pk=source.pk).update(content_sha256="b" * 64)
    Table.objects.update(looked_at=None)
    assert rows.look_for_all() == 1
    assert told in text(rina.get(path))
    assert "changed since" in text(rina.get(f"/tables/{one.pk}/"))


def test_a_table_that_cannot_be_looked_for_keeps_no_other_waiting() -> None:
    broken, whole = table(BEGINS), table(BEGINS)
    lease(1)
    Table.objects.update(looked_at=None)
    Table.objects.filter(pk=broken.pk).update(rows={"batch_id": "no batch"})
    assert rows.look_for_all() == 1
    assert TableRow.objects.get().table_id == whole.pk
    assert rows.look_for_all() == 0


def test_a_cell_is_decided_beside_its_passage(rina: Client) -> None:
    lease(1)
    one = table(BEGINS, SUBLET)
    fill()
    first, second = TableCell.objects.order_by("column_id")
    path = f"/tables/{one.pk}/cells/"
    page = text(rina.get(f"{path}{first.pk}/"))
    assert "<mark>The lease begins on 1 May 2021.</mark>" in page
    assert "No model read" in page
    assert rina.post(f"{path}{first.pk}/", {"action": "confirm"})["Location"] == f"{path}{second.pk}/"
    refused = rina.post(f"{path}{second.pk}/", {"action": "edit", "value": "perhaps"})
    assert refused.status_code == 400
    assert 'value="perhaps"' in text(refused)
    assert rina.post(f"{path}{second.pk}/", {"action": "edit", "value": "no"})["Location"] == f"/tables/{one.pk}/"
    second.refresh_from_db()
    assert (second.decision, second.decided_value, second.decided_by) == ("edited", False, "rina")
    assert rina.post(f"{path}{second.pk}/", {"action": "undo"})["Location"] == f"{path}{second.pk}/"


def test_columns_are_added_changed_and_deleted(rina: Client) -> None:
    lease(1)
    one = table(BEGINS)
    path = f"/tables/{one.pk}/columns/"
    given = {"title": "Kind", "type": "one_of", "options": "shop, workshop"}
    assert rina.post(f"{path}new/", {**given, "options": "shop"}).status_code == 400
    rina.post(f"{path}new/", given)
    column = one.columns.get(title="Kind")
    assert column.options == ["shop", "workshop"]
    assert 'value="shop, workshop"' in text(rina.get(f"{path}{column.pk}/"))
    rina.post(f"{path}{column.pk}/", {**given, "title": "Use"})
    column.refresh_from_db()
    assert (column.title, column.question) == ("Use", "Use")
    fill()
    rina.post(f"{path}{column.pk}/", {"action": "again"})
    waiting = TableCell.objects.filter(status="waiting")
    assert list(waiting.values_list("column_id", flat=True)) == [column.pk]
    rina.post(f"{path}{column.pk}/", {"action": "delete"})
    assert one.columns.count() == 1
    rina.post(f"/tables/{one.pk}/delete/")
    assert not Table.objects.exists()


def test_another_reader_looks_and_changes_nothing(client: Client) -> None:
    lease(1)
    one = table(BEGINS, RENT)
    fill()
    cell = TableCell.objects.all()[0]
    assert client.get("/tables/").status_code == 302
    client.force_login(User.objects.create_user("other", password="x"))
    assert 'value="confirm"' not in text(client.get(f"/tables/{one.pk}/cells/{cell.pk}/"))
    assert client.post(f"/tables/{one.pk}/cells/{cell.pk}/", {"action": "confirm"}).status_code == 403
    assert client.post(f"/tables/{one.pk}/act/", {"action": "pause"}).status_code == 403
    assert client.post(f"/tables/{one.pk}/delete/").status_code == 403
    Topic.objects.update(open_to=OpenTo.MEMBERS)
    make_topic(name="Open to all")
    assert client.get(f"/tables/{one.pk}/").status_code == 404
    assert "Leases" not in text(client.get("/tables/"))
