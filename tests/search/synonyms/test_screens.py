"""`/synonyms/`: the list, the form, and the way of a file through its preview."""

import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from search.models import Synonym
from search.synonyms import editing
from tests.factories import make_topic

pytestmark = pytest.mark.django_db


def make(*words: str, **fields: object) -> Synonym:
    return editing.create(topic=None, words=words, means=["dismissal"], by="test", **fields)  # type: ignore[arg-type]


def test_the_list_has_ones_own_and_the_built_in_ones_apart(staff_client: Client) -> None:
    make("sack <b>", weight=0)
    page = staff_client.get("/synonyms/").content.decode()
    assert "1 synonym" in page
    assert "sack &lt;b&gt;" in page
    assert "switched off" in page
    assert "No synonym fits" in staff_client.get("/synonyms/", {"q": "%\0"}).content.decode()
    base = staff_client.get("/synonyms/", {"base": "on", "q": "landlord"}).content.decode()
    assert "lessor" in base
    assert "sack" not in base.split("<tbody>")[1]


def test_entry_is_made_from_a_built_in_one_changed_and_deleted(staff_client: Client) -> None:
    topic = make_topic(slug="rents")
    form = staff_client.get("/synonyms/new/", {"words": "landlord, owner", "means": "lessor", "weight": "0.6"})
    assert "landlord, owner</textarea>" in form.content.decode()
    sent = {"words": "landlord\nowner,", "means": "lessor", "weight": "0", "topic": str(topic.pk)}
    assert staff_client.post("/synonyms/new/", sent).status_code == 302
    entry = Synonym.objects.get()
    assert (entry.words, entry.weight, entry.topic) == (["landlord", "owner"], 0.0, topic)
    again = staff_client.post("/synonyms/new/", sent)
    assert again.status_code == 400
    assert 'aria-invalid="true"' in again.content.decode()
    path = f"/synonyms/{entry.pk}"
    assert staff_client.post(f"{path}/edit/", {**sent, "weight": "much"}).status_code == 400
    assert staff_client.post(f"{path}/edit/", {**sent, "weight": "1"}).status_code == 302
    assert staff_client.get(f"{path}/delete/").status_code == 200
    assert staff_client.post(f"{path}/delete/").status_code == 302
    for verb in ("edit", "delete"):
        assert staff_client.get(f"{path}/{verb}/").status_code == 404


def test_a_file_shows_what_it_changes_before_it_is_taken_over(staff_client: Client) -> None:
    make("sack")
    exported = staff_client.get("/synonyms/export.csv").content
    file = SimpleUploadedFile("synonyms.csv", exported + ",rent,דמי שכירות,1\r\n".encode(), content_type="text/csv")
    page = staff_client.post("/synonyms/import/", {"file": file}).content.decode()
    assert "New: <bdi>1</bdi>" in page
    assert Synonym.objects.count() == 1
    [carried] = re.findall(r'name="carried" value="([^"]+)"', page)
    assert staff_client.post("/synonyms/import/", {"carried": carried, "sure": "1"}).status_code == 302
    assert Synonym.objects.get(words=["rent"]).means == ["דמי שכירות"]
    for wrong in ({}, {"carried": "§"}, {"file": SimpleUploadedFile("x.csv", b"words\n")}):
        refused = staff_client.post("/synonyms/import/", wrong)
        assert refused.status_code == 400
        assert 'role="alert"' in refused.content.decode()
