"""`/documents/{id}/`: a document as search sees it."""

from __future__ import annotations

import re
from html import unescape

import pytest
from django.test import Client

from search.models import Chunk
from search.screens.document_views import CHUNKS_A_PART
from sources.models import Source
from tests.search.corpus import add_source, section
from tests.search.screens.reading import page

pytestmark = pytest.mark.django_db


@pytest.fixture
def long_document() -> Source:
    """100 passages, two on each page."""
    drafts = [section(str(n), f"Heading {n}", f"Text {n} of all.") for n in range(100)]
    source = add_source(*drafts, title="Long", filename="long.pdf", file_key="processed/long.pdf", pages=50)
    for chunk in Chunk.objects.filter(source=source):
        Chunk.objects.filter(pk=chunk.pk).update(page=chunk.seq // 2 + 1)
    return source


def test_a_document_opens_at_a_passage_with_the_words_marked(client: Client, long_document: Source) -> None:
    chunk = Chunk.objects.get(source=long_document, seq=77)
    text = page(client, f"/documents/{long_document.pk}/", chunk=chunk.pk, q="text of")
    assert f'<section class="passage chosen" id="chunk-{chunk.pk}"' in text
    assert "<mark>Text</mark> 77 of all." in text
    assert "Part 2 of 3" in text
    assert 'id="page-39"' in text
    assert f'href="/kb/sources/{long_document.pk}/file#page=39"' in text
    numbers = [int(n) for n in re.findall(r"</mark> (\d+) of all", text)]
    assert numbers == list(range(CHUNKS_A_PART, 2 * CHUNKS_A_PART))


def test_a_document_opens_at_a_page(client: Client, long_document: Source) -> None:
    text = page(client, f"/documents/{long_document.pk}/", page=45)
    assert 'id="page-45"' in text
    assert "Part 3 of 3" in text


def test_parts_follow_each_other(client: Client, long_document: Source) -> None:
    text = page(client, f"/documents/{long_document.pk}/", q="text")
    assert "Part 1 of 3" in text
    following = re.search(r'rel="next" href="(\?[^"]+)"', text)
    assert following
    after = client.get(f"/documents/{long_document.pk}/{unescape(following[1])}").content.decode()
    assert "Part 2 of 3" in after
    assert "<mark>" in after


def test_a_passage_that_is_gone_is_told(client: Client, long_document: Source) -> None:
    text = page(client, f"/documents/{long_document.pk}/", chunk=10**15)
    assert "That passage is not there any more" in text
    assert "Part 1 of 3" in text
    other = add_source("elsewhere", title="Other")
    foreign = Chunk.objects.get(source=other)
    assert "That passage is not there any more" in page(client, f"/documents/{long_document.pk}/", chunk=foreign.pk)


@pytest.mark.parametrize("mark", ["5-2", "0-99999", "x", "-1-4", "999999999-999999999"])
def test_a_range_that_is_none_marks_at_most_what_there_is(client: Client, long_document: Source, mark: str) -> None:
    chunk = Chunk.objects.get(source=long_document, seq=0)
    text = page(client, f"/documents/{long_document.pk}/", chunk=chunk.pk, mark=mark)
    assert text.count("<mark>") == (1 if mark == "0-99999" else 0)


def test_there_is_a_page_for_a_document_that_is_not_there(client: Client) -> None:
    assert "There is no such document" in page(client, "/documents/999/", status=404)
    assert "There is no such document" in page(client, f"/documents/{10**30}/", status=404)
