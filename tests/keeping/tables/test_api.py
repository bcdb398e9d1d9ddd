"""`/kb/tables`: making tables, their cells, decisions, files, and who may what."""

import csv
import io
import json
from typing import Any
from uuid import uuid4

import openpyxl
import pytest
from django.contrib.auth.models import User
from rest_framework.test import APIClient

from ingest.models import Job
from ingest.webhooks import editing as webhooks
from ingest.webhooks.models import Delivery
from kb_project.configuration.roles import REVIEWER
from keeping.models import Table, TableCell
from keeping.tables import making
from keeping.tables.rows import look
from labels import assign
from tests.factories import first_topic, make_job, make_label, make_staff, make_topic
from tests.keeping.tables.made import BEGINS, RENT, fill, lease, table
from tests.topics.keys import client_with_key
from topics.keys import make_personal_key
from topics.models import OpenTo, Topic

pytestmark = pytest.mark.django_db
SUBLET = {"title": "Subletting", "question": "Shall the tenant sublet the workshop?", "type": "yes_no"}


def of(person: User) -> APIClient:
    client = APIClient()
    client.force_login(person)
    return client


@pytest.fixture
def rina(db: None) -> User:
    return User.objects.create_user("rina", password="x")


def post(client: APIClient, path: str, **body: Any) -> Any:
    return client.post(path, body, format="json")


def make(client: APIClient, *columns: dict[str, Any], **more: Any) -> Any:
    return post(client, "/kb/tables", name="Leases", columns=list(columns), **more)


def test_questions_are_asked_and_answered(rina: User) -> None:
    for number in (1, 2):
        lease(number)
    client = of(rina)
    made = make(client, BEGINS, RENT)
    assert made.status_code == 201
    out = made.json()
    assert (out["by"], out["documents"], out["filled_at"], out["counts"]["waiting"]) == ("rina", 2, None, 4)
    assert [column["type"] for column in out["columns"]] == ["date", "number"]
    fill()
    path = f"/kb/tables/{out['id']}"
    out = client.get(path).json()
    assert (out["counts"]["answered"], out["counts"]["confirmed"]) == (4, 0)
    assert out["filled_at"]
    page = client.get(f"{path}/cells", {"limit": 3}).json()
    assert page["count"] == 4
    rest = client.get(page["next"]).json()["results"]
    assert len(page["results"]) == 3
    assert len(rest) == 1
    first = page["results"][0]
    assert (first["source"]["title"], first["value"], first["decision"]) == ("Lease 1", "2021-05-01", "")
    assert first["shown"] == "1 May 2021"
    assert first["quote"] == "The lease begins on 1 May 2021."
    assert first["url"].endswith("#para_2")
    assert first["searched"]["read"] == first["searched"]["passages"]
    assert client.get("/kb/tables").json()["results"] == [out]


def test_the_filter_chooses_the_documents(rina: User) -> None:
    one, two = lease(1), lease(2, kind="caselaw")
    label = make_label("Workshops")
    assign.add(two, [label], by="test")
    client = of(rina)
    for rows, expected in (
        ({"label_ids": [label.pk]}, 1),
        ({"kind": ["circular"]}, 1),
        ({"source_ids": [one.pk, two.pk]}, 2),
        ({"published_from": "2030-01-01"}, 0),
        ({}, 2),
    ):
        made = make(client, BEGINS, rows=rows).json()
        assert (made["documents"], made["rows"]) == (expected, rows), rows
    assert make(client, BEGINS, rows={"source_ids": [999_999]}).status_code == 400
    assert make(client, BEGINS, rows={"label_ids": [999_999]}).status_code == 400


def test_rows_of_a_batch_come_as_its_documents_are_confirmed(rina: User) -> None:
    batch_id = uuid4()
    waiting, other = make_job(kind="circular", batch_id=batch_id), lease(9)
    assert make(of(rina), BEGINS, rows={"batch_id": str(batch_id)}).status_code == 400  # a reader
    client = of(make_staff("dana", role=REVIEWER))
    made = make(client, BEGINS, rows={"batch_id": str(batch_id)}).json()
    assert (made["documents"], made["rows"]) == (0, {"batch_id": str(batch_id)})
    confirmed = lease(1)
    Job.objects.filter(pk=waiting.pk).update(source=confirmed)
    look(made["id"])
    assert client.get(f"/kb/tables/{made['id']}").json()["documents"] == 1
    both = make(client, BEGINS, rows={"batch_id": str(batch_id), "source_ids": [other.pk]}).json()
    assert both["documents"] == 0
    assert make(client, BEGINS, rows={"batch_id": str(uuid4())}).status_code == 400
    elsewhere = make_job(kind="circular", batch_id=uuid4(), topic=make_topic())
    assert make(client, BEGINS, rows={"batch_id": str(elsewhere.batch_id)}).status_code == 400


@pytest.mark.parametrize(
    ("columns", "field"),
    [
        ([], "columns"),
        ([{"title": "x", "type": "one_of", "options": ["a"]}], "options"),
        ([{"title": "x", "type": "one_of", "options": ["a", "A"]}], "options"),
        ([{"title": "x", "type": "text", "options": ["a", "b"]}], "options"),
        ([{"title": "x", "type": "poem"}], "columns.0.type"),
        ([{"title": "x"}] * 21, "columns"),
    ],
)
def test_columns_that_cannot_be_are_refused(rina: User, columns: list[dict[str, Any]], field: str) -> None:
    refused = make(of(rina), *columns)
    assert refused.status_code == 400
    assert field in refused.json()["errors"]
    assert not Table.objects.exists()


def test_a_template_gives_columns_in_either_language(rina: User) -> None:
    client = of(rina)
    names = [one["name"] for one in client.get("/kb/tables/templates").json()]
    assert names == ["lease", "employment", "insurance", "circular", "judgment", "data_processing"]
    made = post(client, "/kb/tables", name="פסקי דין", template="judgment").json()
    assert [column["title"] for column in made["columns"]][:2] == ["Court", "Day"]
    hebrew = client.get("/kb/tables/templates", {"language": "he"}).json()
    outcome = next(one for one in hebrew[4]["columns"] if one["type"] == "one_of")
    assert outcome["options"] == ["התקבל", "נדחה", "התקבל בחלקו"]


def test_a_person_confirms_edits_rejects_and_takes_it_back(rina: User) -> None:
    lease(1)
    client = of(rina)
    made = make(client, BEGINS, SUBLET).json()
    path = f"/kb/tables/{made['id']}/cells"
    first, second = (one["id"] for one in client.get(path).json()["results"])
    assert post(client, f"{path}/{first}/decide", decision="confirm").status_code == 409
    fill()
    confirmed = post(client, f"{path}/{first}/decide", decision="confirm").json()
    assert (confirmed["decision"], confirmed["decided_by"]) == ("confirmed", "rina")
    edited = post(client, f"{path}/{second}/decide", decision="edit", value="no").json()
    assert (edited["decision"], edited["decided_value"], edited["value"], edited["shown"]) == (
        "edited",
        False,
        None,
        "No",
    )
    refused = post(client, f"{path}/{second}/decide", decision="edit", value="perhaps")
    assert list(refused.json()["errors"]) == ["value"]
    assert post(client, f"{path}/{second}/decide", decision="edit").status_code == 400
    rejected = post(client, f"{path}/{first}/decide", decision="reject").json()
    assert (rejected["shown"], rejected["value"]) == ("", "2021-05-01")
    undone = post(client, f"{path}/{first}/decide", decision="undo").json()
    assert (undone["decision"], undone["decided_by"], undone["decided_at"]) == ("", "", None)
    found = client.get(path, {"decision": "edited"}).json()["results"]
    assert [one["id"] for one in found] == [second]
    assert client.get(path, {"decision": "none", "status": "answered"}).json()["count"] == 1


def test_columns_are_added_changed_and_deleted(rina: User) -> None:
    lease(1)
    client = of(rina)
    made = make(client, BEGINS).json()
    fill()
    path = f"/kb/tables/{made['id']}"
    added = post(client, f"{path}/columns", **RENT)
    assert added.status_code == 201
    assert client.get(path).json()["counts"]["waiting"] == 1
    column = f"{path}/columns/{added.json()['id']}"
    fill()
    assert client.patch(column, {"unit": "ILS"}, format="json").json()["unit"] == "ILS"
    untold = client.patch(column, {"question": "", "hint": ""}, format="json").json()
    assert untold["question"] == untold["title"] != ""
    assert client.get(path).json()["counts"]["waiting"] == 1
    assert client.delete(column).status_code == 204
    assert client.get(path).json()["counts"]["answered"] == 1


def test_cells_are_read_again_on_demand(rina: User) -> None:
    lease(1)
    client = of(rina)
    made = make(client, BEGINS, RENT).json()
    fill()
    path = f"/kb/tables/{made['id']}/fill"
    assert post(client, path).json() == {"cells": 0}
    TableCell.objects.filter(column__title="Rent").update(status="failed", why="provider")
    assert post(client, path).json() == {"cells": 1}
    assert post(client, path, column_id=made["columns"][0]["id"]).json() == {"cells": 1}
    row = TableCell.objects.values_list("row_id", flat=True)[0]
    assert post(client, path, row_id=row).status_code == 202
    assert post(client, path, row_id=999_999).status_code == 404


def test_a_webhook_is_told_once_when_the_last_cell_is_filled(rina: User) -> None:
    topic = first_topic()
    webhooks.create(topic=topic, values={"url": "https://example.org/x", "events": ["table.filled"]}, by="test")
    lease(1)
    made = make(of(rina), BEGINS, RENT).json()
    fill()
    [told] = Delivery.objects.all()
    assert json.loads(told.body)["data"] == {"table": {"id": made["id"], "name": "Leases"}}


def test_the_groups_of_a_column_are_counted(rina: User) -> None:
    for number in (1, 2, 3, 4):
        lease(number)
    client = of(rina)
    made = make(client, RENT, SUBLET).json()
    path, column = f"/kb/tables/{made['id']}", made["columns"][0]["id"]
    waiting = [{"value": None, "lacks": "waiting", "shown": "waiting", "documents": 4}]
    assert client.get(f"{path}/groups", {"group_by": column}).json()["results"] == waiting
    fill()
    cells = TableCell.objects.filter(column_id=column)
    of_title = {cell.row.source.title: cell.pk for cell in cells.select_related("row__source")}
    post(client, f"{path}/cells/{of_title['Lease 1']}/decide", decision="edit", value="2500 shekels")
    post(client, f"{path}/cells/{of_title['Lease 2']}/decide", decision="confirm")
    post(client, f"{path}/cells/{of_title['Lease 3']}/decide", decision="reject")
    page = client.get(f"{path}/groups", {"group_by": column, "limit": 2}).json()
    two, four = ({"number": number, "unit": "shekels"} for number in (2500, 4500))
    assert page["count"] == 3
    assert page["results"] == [
        {"value": two, "lacks": "", "shown": "2,500 shekels", "documents": 2},
        {"value": four, "lacks": "", "shown": "4,500 shekels", "documents": 1},
    ]
    rejected = [{"value": None, "lacks": "rejected", "shown": "rejected", "documents": 1}]
    assert client.get(page["next"]).json()["results"] == rejected
    assert client.get(f"{path}/groups").status_code == 400
    assert client.get(f"{path}/groups", {"group_by": 999_999_999}).status_code == 404
    assert client.get("/kb/tables/999999/groups", {"group_by": column}).status_code == 404


def test_who_may_what(rina: User) -> None:
    lease(1)
    made = make(of(rina), BEGINS).json()
    path = f"/kb/tables/{made['id']}"
    other, reviewer = User.objects.create_user("other", password="x"), make_staff("dan", role=REVIEWER)
    assert APIClient().get(path).status_code == 401
    assert of(other).get(path).status_code == 200
    assert of(other).delete(path).status_code == 403
    assert of(reviewer).patch(path, {"paused": True}, format="json").status_code == 200
    reads = client_with_key()
    assert reads.get(path).status_code == 200
    assert make(reads, BEGINS).status_code == 403
    own = APIClient(
        headers={"authorization": f"Api-Key {make_personal_key(rina, 'k', with_rights=True, last_day=None)[1]}"}
    )
    assert own.patch(path, {"name": "Workshops"}, format="json").json()["by"] == "rina"
    elsewhere = client_with_key(admin=True, topic=make_topic())
    assert elsewhere.get(path).status_code == 404
    assert elsewhere.get("/kb/tables").json()["count"] == 0
    assert make(elsewhere, BEGINS, topic_id=1).status_code == 403
    Topic.objects.update(open_to=OpenTo.MEMBERS)
    assert of(rina).get(path).status_code == 404
    assert of(rina).delete(path).status_code == 404
    assert of(reviewer).delete(path).status_code == 204


def test_a_topic_has_a_bound_of_tables(rina: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(making, "MAX_TABLES", 1)
    client = of(rina)
    assert make(client, BEGINS).status_code == 201
    assert make(client, BEGINS).status_code == 409


def test_files_have_typed_values_and_quotes(rina: User) -> None:
    lease(1)
    lease(2, title="=SUM(A1)")
    client = of(rina)
    made = make(client, BEGINS, RENT, SUBLET).json()
    fill()
    path = f"/kb/tables/{made['id']}"
    cells = client.get(f"{path}/cells", {"status": "undecided"}).json()["results"]
    post(client, f"{path}/cells/{cells[0]['id']}/decide", decision="edit", value="no")
    response = client.get(f"{path}.xlsx")
    assert response["Content-Disposition"] == 'attachment; filename="Leases.xlsx"'
    sheet = openpyxl.load_workbook(io.BytesIO(response.content)).active
    assert sheet is not None
    rows = {row[0].value: row for row in sheet.iter_rows(min_row=2)}
    first, second = rows["Lease 1"], rows["=SUM(A1)"]
    assert first[1].value.date().isoformat() == "2021-05-01"
    assert "“The lease begins on 1 May 2021.”" in first[1].comment.text
    assert "http://testserver/documents/" in first[1].comment.text
    assert (first[2].value, first[2].number_format) == (1500, '#,##0.######## "shekels"')
    assert (second[3].value, first[3].value) in {(False, "undecided"), ("undecided", False)}
    assert {first[3].number_format, second[3].number_format} == {'"Yes";"Yes";"No"', "General"}
    assert second[0].data_type == "s"
    lines = list(csv.reader(io.StringIO(client.get(f"{path}.csv").content.decode("utf-8-sig"))))
    assert lines[0][:4] == ["Document", "Begins", "Begins: state", "Begins: quote"]
    assert sorted(line[0] for line in lines[1:]) == ["'=SUM(A1)", "Lease 1"]
    whole = client.get(f"{path}.json").json()
    assert whole["table"]["id"] == made["id"]
    assert [len(row["cells"]) for row in whole["rows"]] == [3, 3]


def test_a_workbook_in_hebrew_is_written_from_right_to_left(rina: User) -> None:
    lease(1)
    made = table(BEGINS)
    fill()
    Table.objects.filter(pk=made.pk).update(name="חוזי השכירות של בית המלאכה")
    response = of(rina).get(f"/kb/tables/{made.pk}.xlsx")
    sheet = openpyxl.load_workbook(io.BytesIO(response.content)).active
    assert sheet is not None
    assert sheet.sheet_view.rightToLeft
    assert sheet["A1"].value == "מסמך"
