"""`/notebooks/`: keeping from a page, a notebook, and a note beside what is said today."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from ingest.documents import edit
from keeping.models import Note, Notebook, NoteKind
from tests.factories import make_topic
from tests.keeping.matters.test_api import checked
from tests.keeping.notebooks.notes import gardens_act, kept, look, notebook, person
from tests.keeping.notebooks.test_api import answered
from tests.sources.changes.laws import AMENDED
from tests.sources.test_standing import SECOND
from topics.models import OpenTo, Topic

pytestmark = pytest.mark.django_db


@pytest.fixture
def ruth(client: Client) -> User:
    client.force_login(person())
    return person()


def amended(act: Any) -> Any:
    edit.edit(act.pk, {"valid_to": AMENDED}, by="test")
    later = gardens_act(SECOND, valid_from=AMENDED, work_id=act.work_id)
    look()
    return later


def text_of(client: Client, path: str) -> str:
    page = client.get(path)
    assert page.status_code == 200, page.content.decode()
    return page.content.decode()


@pytest.mark.usefixtures("ruth")
def test_each_page_offers_what_it_keeps(client: Client) -> None:
    act = gardens_act()
    later = amended(act)
    trace = answered(later)
    addresses = {
        NoteKind.PROVISION: f"?keep=provision&source={later.pk}&eid=sec_3",
        NoteKind.ANSWER: f"?keep=answer&answer={trace.answer_id}&day=2024-01-01",
        NoteKind.QUOTE: f"?keep=quote&answer={trace.answer_id}&n=1",
        NoteKind.COMPARISON: f"?keep=comparison&source={act.pk}&other={later.pk}",
        NoteKind.SEARCH: "?q=bees&kind=law&as_of=2023-05-01&keep=search",
    }
    trace.citations[0]["quote"] = "Water is drawn between five and ten"
    trace.save()
    for kind, address in addresses.items():
        form = text_of(client, f"/notebooks/keep/{address}")
        assert 'name="name"' in form
        chosen = Notebook.objects.values_list("pk", flat=True).first() or ""
        given = {"notebook": chosen, "name": "" if chosen else "Gardens", "remark": "Mine.", "tags": "a, b"}
        answer = client.post(f"/notebooks/keep/{address}", given)
        assert answer.status_code == 302, answer.content.decode()
        note = Note.objects.get(kind=kind)
        assert answer["Location"] == f"/notebooks/{note.notebook_id}/#note-{note.pk}"
        assert (note.remark, note.tags) == ("Mine.", ["a", "b"])
    assert Notebook.objects.get().name == "Gardens"
    page = text_of(client, f"/notebooks/{Notebook.objects.get().pk}/")
    assert "/?q=bees&amp;as_of=2023-05-01&amp;kind=law" in page
    assert Note.objects.get(kind=NoteKind.ANSWER).day.year == 2024


def test_a_note_of_a_version_that_has_ended_says_its_last_day(client: Client, ruth: User) -> None:
    act = gardens_act()
    later = amended(act)
    book = notebook(ruth)
    note, of_today = kept(book, act, "sec_3"), kept(book, later, "sec_1")
    look()
    assert note.day == AMENDED - timedelta(days=1)
    assert of_today.day == timezone.localdate()
    page = text_of(client, f"/notebooks/{book.pk}/since/")
    assert "1 citation changed before." in page
    assert "Nothing changed" not in page


@pytest.mark.usefixtures("ruth")
@pytest.mark.parametrize(("language", "wrong"), [("en", "wrong: 1"), ("he", "שגוי: 1")])
def test_a_report_of_a_check_is_kept_and_opened(client: Client, ruth: User, language: str, wrong: str) -> None:
    check, book = checked(ruth, gardens_act()), notebook(ruth)
    client.cookies["django_language"] = language
    address = f"?keep=check&check={check.pk}"
    assert address.replace("&", "&amp;") in text_of(client, reverse("check-report", args=[check.pk]))
    answer = client.post(f"/notebooks/keep/{address}", {"notebook": book.pk})
    note = Note.objects.get()
    assert (note.kind, answer["Location"]) == (NoteKind.CHECK, f"/notebooks/{book.pk}/#note-{note.pk}")
    page = text_of(client, f"/notebooks/{book.pk}/")
    assert reverse("check-report", args=[check.pk]) in page
    assert wrong in page


@pytest.mark.usefixtures("ruth")
@pytest.mark.parametrize(
    "address", ["", "?keep=poem", "?keep=provision", "?keep=answer&answer=x", "?keep=search&topic=77"]
)
def test_an_address_that_names_nothing_is_refused(client: Client, address: str) -> None:
    assert client.post(f"/notebooks/keep/{address}", {"name": "Gardens"}).status_code == 400
    assert not Notebook.objects.exists()


def test_who_is_not_signed_in_signs_in_first(client: Client) -> None:
    act = gardens_act()
    assert 'href="/notebooks/keep/' not in text_of(client, f"/documents/{act.pk}/")
    answer = client.get(f"/notebooks/keep/?keep=provision&source={act.pk}&eid=sec_3")
    assert answer["Location"].startswith("/sign-in/?next=/notebooks/keep/")


def test_a_note_shows_both_texts_at_the_sentence_that_rests_on_them(client: Client, ruth: User) -> None:
    act, book = gardens_act(), notebook(ruth)
    trace = answered(act)
    trace.answer = "Bees are kept. Water is drawn between six and nine [1]. Rent is due."
    trace.save()
    client.post(f"/notebooks/keep/?keep=answer&answer={trace.answer_id}", {"notebook": book.pk})
    look()
    page = text_of(client, f"/notebooks/{book.pk}/")
    assert "<mark>" not in page
    amended(act)
    page = text_of(client, f"/notebooks/{book.pk}/")
    assert "<mark>Water is drawn between six and nine </mark>" in page
    assert "1 source changed since" in page
    assert "<del>" in page
    assert "</u> <mark>" in page


def test_a_sentence_of_an_answer_without_a_quote_is_explained(client: Client, ruth: User) -> None:
    act, book = gardens_act(), notebook(ruth)
    trace = answered(act)
    client.post(f"/notebooks/keep/?keep=answer&answer={trace.answer_id}", {"notebook": book.pk})
    said = "No quote supports what is underlined. Check it before you rely on it."
    assert said not in text_of(client, f"/notebooks/{book.pk}/")
    Note.objects.update(text=f"{trace.answer} Rent is due in May.")
    for page in (f"/notebooks/{book.pk}/", f"/notebooks/{book.pk}/notes/{Note.objects.get().pk}/today/"):
        shown = text_of(client, page)
        assert shown.count(said) == 1
        assert '<u class="unsupported">Rent is due in May.<span' in shown
    [note] = client.get(f"/kb/notebooks/{book.pk}").json()["notes"]
    assert [note["text"][first:last] for first, last in note["unsupported"]] == ["Rent is due in May."]


def test_a_note_is_asked_again_beside_what_it_said(client: Client, ruth: User) -> None:
    act, book = gardens_act(), notebook(ruth)
    trace = answered(act)
    client.post(f"/notebooks/keep/?keep=answer&answer={trace.answer_id}&day=2022-05-01", {"notebook": book.pk})
    quote = kept(book, act, "sec_3", "between six and nine")
    provision = kept(book, act, "sec_4")
    amended(act)
    answer = Note.objects.get(kind=NoteKind.ANSWER)
    page = text_of(client, f"/notebooks/{book.pk}/notes/{answer.pk}/today/")
    assert "Water is drawn between six and nine" in page
    assert "Water is drawn between five and ten" in page
    assert "keep=answer" in page
    said = text_of(client, f"/notebooks/{book.pk}/notes/{quote.pk}/today/")
    assert "six" in said
    assert "five" in said
    assert "Repealed" in text_of(client, f"/notebooks/{book.pk}/notes/{provision.pk}/today/")


def test_a_notebook_is_made_shared_and_deleted(client: Client, ruth: User) -> None:
    noa = person("noa")
    assert client.post("/notebooks/new/", {"name": "Gardens", "shared_with": "nobody"}).status_code == 400
    client.post("/notebooks/new/", {"name": "Gardens", "shared_with": "noa"})
    book = Notebook.objects.get()
    assert list(book.readers.all()) == [noa]
    refused = client.post(f"/notebooks/{book.pk}/edit/", {"name": "Gardens", "shared_with": "nobody"})
    assert (refused.status_code, "Nobody here is called nobody." in refused.content.decode()) == (400, True)
    assert client.post(f"/notebooks/{book.pk}/edit/", {"name": ""}).status_code == 400
    client.post(f"/notebooks/{book.pk}/edit/", {"name": "Plots", "shared_with": "", "topic": "1"})
    book.refresh_from_db()
    assert (book.name, book.topic_id, book.readers.count()) == ("Plots", 1, 0)
    other = Client()
    other.force_login(noa)
    assert "Plots" in text_of(other, "/notebooks/")
    assert "notebook-delete" not in text_of(other, f"/notebooks/{book.pk}/")
    for path in ("edit", "delete"):
        assert other.post(f"/notebooks/{book.pk}/{path}/", {"name": "x"}).status_code == 404
    assert client.post(f"/notebooks/{book.pk}/delete/").status_code == 302
    assert not Notebook.objects.exists()


def test_notes_are_moved_annotated_and_found(client: Client, ruth: User) -> None:
    act, book = gardens_act(), notebook(ruth)
    first, second = kept(book, act, "sec_2"), kept(book, act, "sec_5")
    path = f"/notebooks/{book.pk}/notes/{second.pk}"
    client.post(f"{path}/move/", {"action": "up"})
    assert list(book.notes.values_list("pk", flat=True)) == [second.pk, first.pk]
    client.post(f"{path}/move/", {"action": "down"})
    assert list(book.notes.values_list("pk", flat=True)) == [first.pk, second.pk]
    client.post(f"{path}/edit/", {"remark": "Ask Dan.", "tags": "bees"})
    assert "Ask Dan." in text_of(client, "/notebooks/?q=dan")
    assert "Ask Dan." not in text_of(client, f"/notebooks/{book.pk}/?q=rent")
    assert "Ask Dan." in text_of(client, f"/notebooks/{book.pk}/?tag=bees")
    client.post(f"{path}/delete/")
    assert list(book.notes.values_list("pk", flat=True)) == [first.pk]


def test_law_of_a_topic_that_is_closed_since_is_not_shown(client: Client, ruth: User) -> None:
    topic, book = make_topic(slug="closed"), notebook(ruth)
    act = gardens_act(topic=topic)
    note = kept(book, act, "sec_5", "behind a hedge", remark="Mine.")
    Topic.objects.filter(pk=topic.pk).update(open_to=OpenTo.MEMBERS)
    page = text_of(client, f"/notebooks/{book.pk}/")
    assert "Mine." in page
    assert "hedge" not in page
    assert "Allotment" not in page
    assert client.get(f"/notebooks/{book.pk}/notes/{note.pk}/today/").status_code == 404


def test_what_is_not_there_is_said_in_the_readers_language(staff_client: Client) -> None:
    said = staff_client.get("/notebooks/77/", headers={"Accept-Language": "he"})
    assert said.status_code == 404
    assert "אין מחברת כזאת." in said.content.decode()


@pytest.mark.usefixtures("ruth")
def test_a_note_leads_to_the_coming_version_before_its_day(client: Client) -> None:
    act, book = gardens_act(), notebook()
    note = kept(book, act, "sec_3", "between six and nine")
    day = timezone.localdate() + timedelta(days=30)
    edit.edit(act.pk, {"valid_to": day}, by="test")
    later = gardens_act(SECOND, valid_from=day, work_id=act.work_id)
    look()
    page = text_of(client, f"/notebooks/{book.pk}/")
    assert f'<a href="/documents/{later.pk}/#sec_3">Will read otherwise from' in page
    [given] = client.get(f"/kb/notebooks/{book.pk}").json()["notes"][0]["citations"]
    assert note.citations.get().status == given["status"] == "stands"
    expected = {"from": day.isoformat(), "status": "changed", "source_id": later.pk, "eid": "sec_3"}
    assert given["coming"] == expected
    assert "Will read otherwise from" in client.get(f"/kb/notebooks/{book.pk}.md").content.decode()
