"""Labels in Django's admin can be looked at and lead to the page where they are changed."""

from typing import Any

import pytest
from django.test import Client

from labels import assign, naming
from tests.factories import make_label, make_source

pytestmark = pytest.mark.django_db


@pytest.fixture
def rows(admin_client: Client) -> dict[str, Any]:
    label = make_label("ביטוח")
    naming.rename(label.pk, "<b>דיני ביטוח</b>", by="dana")
    source = make_source()
    assign.start_with(source, [label])
    return {"label": label, "labelalias": label.aliases.get(), "sourcelabel": label.assignments.get()}


@pytest.mark.parametrize("model", ["label", "labelalias", "sourcelabel"])
def test_rows_are_shown_and_cannot_be_made_changed_or_deleted(
    admin_client: Client, rows: dict[str, Any], model: str
) -> None:
    path = f"/admin/labels/{model}/"
    listed = admin_client.get(path, {"q": "ביטוח"})
    assert listed.status_code == 200
    assert "<b>" not in listed.content.decode().split("result_list")[1]
    row = rows[model].pk
    assert admin_client.get(f"{path}{row}/change/").status_code == 200
    assert admin_client.post(f"{path}{row}/change/", {"name": "x"}).status_code == 403
    assert admin_client.post(f"{path}{row}/delete/", {"post": "yes"}).status_code == 403
    assert admin_client.get(f"{path}add/").status_code == 403


def test_the_list_and_each_label_lead_to_the_label_page(admin_client: Client, rows: dict[str, Any]) -> None:
    assert 'href="/labels/"' in admin_client.get("/admin/labels/label/").content.decode()
    page = admin_client.get(f"/admin/labels/label/{rows['label'].pk}/change/").content.decode()
    assert 'href="/labels/?q=%3Cb%3E' in page
