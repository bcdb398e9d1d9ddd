"""Chunks in the admin: found by their source, never counted beyond what is listed, never edited."""

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from pgvector import SparseVector

from kb_project.configuration.roles import REVIEWER
from kb_project.screens import admin_mixins
from law.words.stored import DIMENSIONS
from sources.models import Chunk
from tests.factories import make_source, make_staff

pytestmark = pytest.mark.django_db
LIST = "admin:sources_chunk_changelist"


def make_chunks(count: int) -> list[Chunk]:
    source = make_source()
    return Chunk.objects.bulk_create(
        Chunk(
            source=source,
            topic_id=source.topic_id,
            seq=seq,
            span_start=0,
            span_end=1,
            heading="<b>סעיף</b>",
            text="א",
            term_ids=[],
            terms=SparseVector({}, DIMENSIONS),
        )
        for seq in range(count)
    )


@pytest.fixture
def reviewer(client: Client) -> Client:
    client.force_login(make_staff(role=REVIEWER))
    return client


def found(client: Client, **query: str) -> Any:
    return client.get(reverse(LIST), query).context["cl"].result_count


def test_chunks_are_found_by_the_id_of_their_source(reviewer: Client) -> None:
    mine, _other = make_chunks(2), make_chunks(3)
    assert found(reviewer) == 5
    assert found(reviewer, q=f" {mine[0].source_id} ") == 2


@pytest.mark.parametrize("term", ["law", "9" * 19, "9" * 60, "-1", "²", "%", "א"])
def test_what_is_no_id_finds_nothing(reviewer: Client, term: str) -> None:
    make_chunks(1)
    assert found(reviewer, q=term) == 0


def test_a_chunk_is_shown_and_not_edited(reviewer: Client) -> None:
    (chunk,) = make_chunks(1)
    url = reverse("admin:sources_chunk_change", args=[chunk.pk])
    page = reviewer.get(url).content.decode()
    assert "&lt;b&gt;סעיף&lt;/b&gt;" in page
    assert reviewer.post(url, {"text": "x"}).status_code == 403


def test_no_more_rows_are_counted_than_are_listed(reviewer: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(admin_mixins, "LISTED", 2)
    make_chunks(3)
    with CaptureQueriesContext(
        connection,
    ) as queries:
        assert found(reviewer) == 2
    counts = [query["sql"] for query in queries if "COUNT(" in query["sql"] and "kb_chunk" in query["sql"]]
    assert counts
    assert all("LIMIT 2" in sql for sql in counts)
