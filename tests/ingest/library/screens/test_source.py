"""The library's screen of one source: its passages, editing, indexing it again, deleting it."""

from typing import Any

import pytest
from django.core.files.base import ContentFile
from django.test import Client
from django.urls import reverse
from pgvector import SparseVector

from ingest.documents.edit import delete, edit
from ingest.job_states import JobStatus
from ingest.models import Job
from kb_project.models import AuditEntry
from labels import assign
from labels.models import Label
from law.words.stored import DIMENSIONS
from sources.files import storage
from sources.models import Chunk, Source
from tests.factories import make_job, make_label, make_source, make_staff

pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true"}


def url_of(source: Source, name: str = "library-source") -> str:
    return reverse(name, args=[source.pk])


def text_of(client: Client, source: Source) -> str:
    return client.get(url_of(source)).content.decode()


def form_of(client: Client, source: Source, **changes: Any) -> dict[str, Any]:
    """What the form of the open page sends, with what a person changed in it."""
    screen = client.get(url_of(source)).context["screen"]
    values = {name: screen.form[name].value() for name in ("kind", "title", "subject", "description", "identifier")}
    labels = [chip.value for chip in screen.chips]
    published_at = screen.form["published_at"].value()
    return {**values, "published_at": published_at, "labels": labels, "was": screen.state, **changes}


def add_chunks(source: Source, count: int) -> list[int]:

    chunks = [
        Chunk(
            source=source,
            topic_id=source.topic_id,
            seq=number,
            page=number // 10 + 1,
            span_start=0,
            span_end=5,
            section=f"{number}(א)",
            heading=f"Heading {number}",
            path=["Part 1", f"Section {number}"],
            text=f"Words of passage {number} <b>",
            term_ids=[],
            terms=SparseVector({}, DIMENSIONS),
        )
        for number in range(count)
    ]
    return [chunk.pk for chunk in Chunk.objects.bulk_create(chunks)]


def test_a_source_shows_its_fields_its_labels_and_its_passages(staff_client: Client) -> None:
    source = make_source(title="חוק", subject="Rents", file_key="x", filename="law.pdf", published_at="2020-05-01")
    assign.add(source, [make_label("Rent")], by="test")
    ids = add_chunks(source, 30)
    page = text_of(staff_client, source)
    for shown in ('value="Rents"', 'value="2020-05-01"', 'value="slug:rent" checked', f'id="chunk-{ids[24]}"'):
        assert shown in page
    for shown in ("Words of passage 3 &lt;b&gt;", "<bdi>3(א)</bdi>", "Heading 3", "<bdi>Section 3</bdi>", "#page=2"):
        assert shown in page
    assert f'id="chunk-{ids[25]}"' not in page
    assert f'id="chunk-{ids[25]}"' in staff_client.get(url_of(source), {"page": 2}).content.decode()


def test_a_passage_is_reached_by_its_id(staff_client: Client) -> None:
    source = make_source()
    ids = add_chunks(source, 30)
    answer = staff_client.get(url_of(source), {"chunk": ids[27]})
    assert answer.headers["Location"] == f"{url_of(source)}?page=2#chunk-{ids[27]}"
    answer = staff_client.get(url_of(source), {"chunk": "no number"}, follow=True)
    assert "That place is not there any more" in answer.content.decode()


def test_saving_changes_the_source_and_its_labels_and_says_so(staff_client: Client) -> None:
    source = make_source(description="one\ntwo")
    assign.add(source, [make_label("Rent"), make_label("Deposit")], by="test")
    sent = form_of(
        staff_client, source, subject="Rents", labels=["slug:rent", "name:New one"], description="one\r\ntwo"
    )
    page = staff_client.post(url_of(source), sent, follow=True).content.decode()
    assert "Saved." in page
    assert "being read again" not in page
    source.refresh_from_db()
    assert (source.subject, source.description) == ("Rents", "one\ntwo")
    assert sorted(label.name for label in source.labels.all()) == ["New one", "Rent"]
    assert not Job.objects.filter(reindex=True).exists()


def test_a_new_title_is_said_to_index_the_document_again(staff_client: Client) -> None:
    source = make_source(title="A law")
    assert "the document is read again" in text_of(staff_client, source)
    page = staff_client.post(
        url_of(source), form_of(staff_client, source, title="Another law"), follow=True
    ).content.decode()
    assert "Saved. The document is being read again with it." in page
    assert "every 2s" in page


def test_what_is_refused_is_said_beside_field_and_stays_typed(staff_client: Client) -> None:
    source = make_source(title="A law")
    sent = form_of(staff_client, source, title="", subject="typed", published_at="no day", labels=["name:typed label"])
    answer = staff_client.post(url_of(source), sent)
    page = answer.content.decode()
    assert answer.status_code == 400
    for shown in ('id="title-errors"', 'id="published_at-errors"', 'value="typed"', 'value="name:typed label" checked'):
        assert shown in page
    answer = staff_client.post(url_of(source), form_of(staff_client, source, labels=["slug:gone"], subject="typed"))
    assert answer.status_code == 400
    assert "There is no label “gone”." in answer.content.decode()
    source.refresh_from_db()
    assert (source.title, source.subject) == ("A law", "")
    assert not Label.objects.exists()


def test_someone_elses_edit_meanwhile_is_shown_beside_what_was_typed(staff_client: Client) -> None:
    source = make_source(subject="before")
    sent = form_of(staff_client, source, subject="mine")
    edit(source.pk, {"subject": "theirs"}, by="avi")
    answer = staff_client.post(url_of(source), sent)
    page = answer.content.decode()
    assert answer.status_code == 409
    for shown in ("Someone else changed this source meanwhile", "<bdi>avi</bdi>", 'value="mine"', "<bdi>theirs</bdi>"):
        assert shown in page
    source.refresh_from_db()
    assert source.subject == "theirs"
    again = {**sent, "was": answer.context["screen"].state}
    assert staff_client.post(url_of(source), again).status_code == 302
    source.refresh_from_db()
    assert source.subject == "mine"


def test_labels_that_someone_changed_meanwhile_are_not_written_over(staff_client: Client) -> None:
    source = make_source()
    sent = form_of(staff_client, source, subject="mine")
    assign.add(source, [make_label("Rent")], by="avi")
    assert staff_client.post(url_of(source), sent).status_code == 409
    assert source.labels.count() == 1


def test_a_source_that_was_deleted_meanwhile_gives_back_what_was_typed(staff_client: Client) -> None:
    source = make_source(title="A law")
    sent = form_of(staff_client, source, subject="typed for long", labels=["name:New one"])
    delete(source.pk, by="avi")
    for answer in (staff_client.post(url_of(source), sent), staff_client.get(url_of(source))):
        assert answer.status_code == 404
        assert "This source was deleted." in answer.content.decode()
        assert "<bdi>avi</bdi>" in answer.content.decode()
    page = staff_client.post(url_of(source), sent).content.decode()
    assert "typed for long" in page
    assert "New one" in page
    assert staff_client.post(url_of(source, "library-source-delete"), headers=HTMX).headers["HX-Redirect"]
    never = staff_client.get(reverse("library-source", args=[999_999]))
    assert "There is no such source." in never.content.decode()


def test_the_history_shows_the_job_what_was_proposed_and_who_changed_what(staff_client: Client) -> None:
    source = make_source(title="Confirmed title")
    job = make_job(
        source=source,
        batch_id="7f6f4c0e-9d5b-4a53-8c39-0d6d1f1b2c3d",
        status=JobStatus.DONE,
        ai_suggestions={"title": "Proposed title", "kind": "law", "labels": []},
        confirmed={"title": "Confirmed title", "kind": "law", "labels": []},
    )
    job.events.create(from_state="awaiting_review", to_state="processing/embedding", by="ruth")
    edit(source.pk, {"subject": "Rents"}, by="avi")
    page = text_of(staff_client, source)
    assert reverse("review-job", args=[job.batch_id, job.pk]) in page
    for shown in ("<bdi>Proposed title</bdi>", "<bdi>ruth</bdi>", "<bdi>avi</bdi>", "<ins><bdi>Rents</bdi></ins>"):
        assert shown in page


def test_labels_have_their_names_in_the_history_and_in_what_was_typed(staff_client: Client) -> None:
    source, label = make_source(), make_label("היתרי בנייה")
    assign.add(source, [label], by="avi")
    assert "<ins><bdi>היתרי בנייה</bdi></ins>" in text_of(staff_client, source)
    sent = form_of(staff_client, source, labels=[f"slug:{label.slug}"])
    delete(source.pk, by="avi")
    assert '<dd class="typed" dir="auto">היתרי בנייה</dd>' in staff_client.post(url_of(source), sent).content.decode()


def test_indexing_again_is_queued_once_and_followed_to_its_end(staff_client: Client) -> None:
    storage.default_storage.save("processed/general/law/a.txt", ContentFile(b"x"))
    source = make_source(file_key="processed/general/law/a.txt")
    url = url_of(source, "library-source-reindex")
    piece = staff_client.post(url, headers=HTMX).content.decode()
    assert "every 2s" in piece
    assert "<html" not in piece
    assert staff_client.post(url).headers["Location"] == url_of(source)
    job = Job.objects.get(reindex=True)
    answer = staff_client.get(url, headers=HTMX)
    assert "HX-Trigger" not in answer.headers
    Job.objects.filter(pk=job.pk).update(status=JobStatus.FAILED, error_code="file_missing", error_message="Gone.")
    answer = staff_client.get(url, headers=HTMX)
    assert "kb:indexed" in answer.headers["HX-Trigger"]
    assert "every 2s" not in answer.content.decode()
    assert "The stored file is gone" in answer.content.decode() or "Gone." in answer.content.decode()


def test_deleting_says_first_what_goes(staff_client: Client) -> None:
    source = make_source(title="A law", filename="law.pdf", file_key="processed/x", size=2048, chunk_count=7)
    assign.add(source, [make_label("Rent")], by="test")
    url = url_of(source, "library-source-delete")
    asked = staff_client.get(url, headers=HTMX).content.decode()
    for shown in ("<bdi>7</bdi>", "<bdi>law.pdf</bdi>", "2.0", ">Rent</span>", "For 30 days it can be put back"):
        assert shown in asked
    assert Source.objects.filter(pk=source.pk).exists()
    answer = staff_client.post(url, headers=HTMX)
    assert answer.headers["HX-Redirect"] == reverse("library")
    assert not Source.objects.filter(pk=source.pk).exists()
    assert AuditEntry.objects.get(action="source.delete").by == "dana"
    assert "Deleted: <bdi>A law</bdi>" in staff_client.get(reverse("library")).content.decode()


def test_reviewer_edits_but_neither_deletes_nor_sees_the_audit(reviewer_client: Client) -> None:
    source = make_source()
    edit(source.pk, {"subject": "secret of the audit"}, by="ruth")
    edit(source.pk, {"subject": ""}, by="ruth")
    page = text_of(reviewer_client, source)
    assert url_of(source, "library-source-delete") not in page
    assert "secret of the audit" not in page
    for answer in (
        reviewer_client.get(url_of(source, "library-source-delete")),
        reviewer_client.post(url_of(source, "library-source-delete")),
    ):
        assert answer.status_code == 403
    sent = form_of(reviewer_client, source, subject="Rents")
    assert reviewer_client.post(url_of(source), sent).status_code == 302
    assert Source.objects.get().subject == "Rents"


def test_staff_without_a_role_see_nothing(client: Client) -> None:
    source = make_source()
    client.force_login(make_staff(role=None))
    for url in (reverse("library"), url_of(source), url_of(source, "library-source-reindex")):
        assert client.get(url).status_code == 403
    assert client.post(reverse("library-act")).status_code == 403


def test_the_file_is_linked_and_a_title_is_never_run_as_html(staff_client: Client) -> None:
    source = make_source(file_key="processed/x", title="<script>alert(1)</script>")
    assert reverse("kb-source-file", args=[source.pk]) in text_of(staff_client, source)
    assert "<script>alert" not in text_of(staff_client, source)
    assert "<script>alert" not in staff_client.get(reverse("library")).content.decode()
