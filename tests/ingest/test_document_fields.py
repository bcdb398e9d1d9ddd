"""Every field of a document goes the whole way: upload, commit, source, edit, screens. None is named here."""

from collections.abc import Callable
from itertools import count
from operator import attrgetter
from typing import Any
from uuid import uuid4

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from rest_framework.test import APIClient

from answers.agent.passages import passages_text
from answers.writing.answerers.prompts import passage_title
from ingest.job_states import AWAITING_REVIEW
from ingest.models import Job
from ingest.stages.classify.proposal import RawProposal
from ingest.stages.classify.suggestions import build
from ingest.stages.run import run_job
from kb_project.models import AuditEntry
from law.metadata.head import DocumentHead
from search.retrieval import retrieve
from sources.fields import CARD, COLUMNS, FIELDS, FILTERED, DocumentField, FieldType
from sources.models import Source
from sources.scope import Scope
from tests.factories import LAW, make_job, make_source
from tests.search.corpus import add_document
from tests.topics.keys import client_with_key

pytestmark = pytest.mark.django_db(transaction=True)


def values(kind: str, day: int, word: str) -> dict[str, Any]:
    """A value for each field, by name; the dates follow each other, as those of one field may have to."""
    dates = (f"2024-{month:02}-{day:02}" for month in count(1))
    texts: dict[FieldType, Callable[[str], Any]] = {
        FieldType.KIND: lambda _: kind,
        FieldType.DATE: lambda _: next(dates),
        FieldType.NAMES: lambda name: [f"{word} one of {name}", f"{word} other of {name}"],
    }
    return {field.name: texts.get(field.type, f"{word} {{}}".format)(field.name) for field in FIELDS}


def typed(values: dict[str, Any]) -> dict[str, str]:
    """The values as forms hold them."""
    return {name: "\n".join(value) if isinstance(value, list) else value for name, value in values.items()}


BY_NAME = values("regulation", 1, "first")
SECOND = values("tool", 2, "second")
BY_COLUMN = {field.column: BY_NAME[field.name] for field in FIELDS}
LISTS = ["/kb/sources", "/admin/kb/sources", "/documents/", "/library/", "/library/export.csv"]
EDITED = {field.column: SECOND[field.name] for field in FIELDS}


@pytest.fixture
def client() -> APIClient:
    return client_with_key(admin=True)


def shown(client: APIClient, source: Source) -> dict[str, Any]:
    answer = client.get(f"/admin/kb/sources/{source.pk}").json()
    return {column: answer[column] for column in COLUMNS}


def test_what_is_uploaded_is_confirmed_indexed_and_shown(client: APIClient) -> None:
    file = SimpleUploadedFile("law.txt", LAW.encode())
    answer = client.post("/admin/kb/upload", {"file": file, **BY_COLUMN}, format="multipart")
    assert answer.status_code == 202, answer.json()
    job = Job.objects.get()
    assert job.confirmed == BY_NAME | {"labels": []}
    assert run_job(job.pk) is not None
    assert shown(client, Source.objects.get()) == BY_COLUMN


def test_a_proposal_is_committed_as_it_was_made(client: APIClient) -> None:
    text = "word " * 15 + "words"  # as short as a summary may be, and as long as an identifier
    wanted = {field.name: text if field.type is FieldType.TEXT else BY_NAME[field.name] for field in FIELDS}
    proposal = RawProposal(provider="rules", model="rules", prompt_version="1", **dict[str, Any](typed(wanted)))
    proposed = build(proposal, DocumentHead(pages=()))
    job = make_job(status=AWAITING_REVIEW.status, confirmed=None, ai_suggestions=proposed)
    body = {name: proposed[name] for name in BY_NAME} | {"labels": []}
    answer = client.post(f"/admin/kb/jobs/{job.pk}/commit", body, format="json")
    assert answer.status_code == 202, answer.json()
    assert answer.json()["confirmed"] == wanted | {"labels": []}
    job.refresh_from_db()
    assert job.confirmed == wanted | {"labels": []}
    assert job.events.latest("id").why == "confirmed; as proposed"


def test_each_field_of_a_source_can_be_edited_alone(client: APIClient) -> None:
    source = make_source(**dict[str, Any](BY_COLUMN), file_key="x")
    for column in COLUMNS:
        answer = client.patch(f"/admin/kb/sources/{source.pk}", {column: EDITED[column]}, format="json")
        assert answer.status_code == 200, answer.json()
        assert answer.json()[column] == EDITED[column]
    assert shown(client, source) == EDITED


def test_the_library_shows_and_saves_each(staff_client: Client, client: APIClient) -> None:
    source = make_source(**dict[str, Any](BY_COLUMN))
    url = reverse("library-source", args=[source.pk])
    page = staff_client.get(url)
    form = page.context["form"]
    assert {name: form[name].value() for name in COLUMNS} == typed(BY_COLUMN)
    for value in typed(BY_COLUMN).values():
        assert value in page.content.decode()
    was = page.context["screen"].state
    assert staff_client.post(url, typed(EDITED) | {"was": was}).status_code == 302
    assert shown(client, source) == EDITED
    history = staff_client.get(url).content.decode()
    for field in FIELDS:
        if field.type is FieldType.TEXT:
            assert f"<del><bdi>first {field.name}</bdi></del> <ins><bdi>second {field.name}</bdi></ins>" in history


def test_the_review_shows_each_proposed_value_and_commits_what_was_typed(staff_client: Client) -> None:
    job = make_job(status=AWAITING_REVIEW.status, confirmed=None, ai_suggestions=BY_NAME, batch_id=uuid4())
    url = reverse("review-job", args=[job.batch_id, job.pk])
    page = staff_client.get(url).content.decode()
    for name, value in typed(BY_NAME).items():
        assert f'data-field="{name}"' in page
        assert f'data-proposed="{value}"' in page
    assert staff_client.post(url, typed(SECOND) | {"do": "confirm"}).status_code == 302
    job.refresh_from_db()
    assert job.confirmed == SECOND | {"labels": []}
    assert job.events.latest("id").why == f"confirmed; changed: {', '.join(SECOND)}"


def indexed() -> Source:
    """A source with a value in each field, and in force today."""
    return add_document(LAW, **BY_COLUMN | {"valid_to": None})


@pytest.mark.parametrize("path", ["/documents/{pk}/", "/documents/", "/?q=דמי+איחור", "/library/", "/library/{pk}/"])
def test_pages_say_what_is_on_the_card(staff_client: Client, path: str) -> None:
    source = indexed()
    page = staff_client.get(path.format(pk=source.pk)).content.decode()
    for fact in source.facts:
        assert (str(fact.value) if fact.is_day else fact.text) in page


def test_hit_has_the_card_in_the_api_and_in_the_texts_of_models(client: APIClient) -> None:
    source = indexed()
    [hit, *_] = client.post("/kb/search", {"query": "דמי איחור"}, format="json").json()["results"]
    assert {field.column: hit["source"][field.column] for field in CARD} == {
        field.column: BY_COLUMN[field.column] for field in CARD
    } | {"valid_to": None}
    [passage, *_] = retrieve("דמי איחור", scope=Scope(topic_id=source.topic_id), limit=1).hits
    told = [(field.prompt_name, value) for field, value in passage.source.prompt_facts if value]
    assert len(told) == len(CARD) - 1
    for name, value in told:
        assert f"\n{name}: {value}\n" in passages_text([passage], topic_name="Libraries")
        assert value in passage_title(passage)


@pytest.mark.parametrize("field", FILTERED, ids=attrgetter("column"))
@pytest.mark.parametrize("path", LISTS)
def test_lists_are_filtered_by_a_value(staff_client: Client, path: str, field: DocumentField) -> None:
    make_source(**dict[str, Any](BY_COLUMN) | {"title": "Wanted", "valid_to": None})
    make_source(**dict[str, Any](EDITED) | {"title": "Unwanted", "valid_to": None})
    answer = staff_client.get(path, {field.column: BY_COLUMN[field.column]})
    shown = answer.getvalue().decode()
    assert answer.status_code == 200
    assert "Wanted" in shown
    assert "Unwanted" not in shown


def test_the_admin_lists_and_searches_the_card(admin_client: Client) -> None:
    source = make_source(**dict[str, Any](BY_COLUMN))
    page = admin_client.get(reverse("admin:sources_source_changelist"), {"q": BY_COLUMN["title"]}).content.decode()
    for fact in source.facts:
        assert f"field-{fact.field.column}" in page


def test_a_deleted_source_leaves_its_values_in_the_audit(client: APIClient) -> None:
    source = make_source(**dict[str, Any](BY_COLUMN))
    assert client.delete(f"/admin/kb/sources/{source.pk}").status_code == 204
    before = AuditEntry.objects.get(action="source.delete").before
    assert {column: before[column] for column in COLUMNS} == BY_COLUMN
