"""Which answers go out compressed."""

import gzip

import pytest
from django.test import Client

from kb_project.web.static_files import is_compressible
from tests.search.corpus import add_source, section

pytestmark = pytest.mark.django_db
TAKES_GZIP = {"Accept-Encoding": "gzip, deflate, br"}
QUESTION = {"question": "What does the tenant pay?"}


def test_pages_and_the_api_are_compressed_for_who_takes_it() -> None:
    for path in ("/", "/kb/topics", "/api/schema/"):
        plain, packed = Client().get(path), Client().get(path, headers=TAKES_GZIP)
        assert "Content-Encoding" not in plain.headers, path
        if packed.headers.get("Content-Encoding") == "gzip":
            assert len(packed.content) < len(plain.content), path
            assert int(packed.headers["Content-Length"]) == len(packed.content), path
            assert "Accept-Encoding" in packed.headers["Vary"], path
        else:
            assert len(plain.content) < 200, path
    page = Client().get("/", headers=TAKES_GZIP)
    assert b"<!DOCTYPE html>" in gzip.decompress(page.content)


def test_length_of_a_page_changes_from_one_answer_to_the_next() -> None:
    """What a page reflects, tried letter by letter, tells nothing of what else is on it."""
    assert len({len(Client().get("/", headers=TAKES_GZIP).content) for _attempt in range(12)}) > 1


def test_streams_and_files_are_left_alone() -> None:
    source = add_source(section("5", "Rent", "The tenant pays the rent on the first day."))
    events = Client().post("/kb/ask/stream", QUESTION, content_type="application/json", headers=TAKES_GZIP)
    assert events.headers["Content-Type"].startswith("text/event-stream")
    document = Client().get(f"/kb/sources/{source.pk}.akn.xml", headers=TAKES_GZIP)
    assert document.streaming
    assert "Content-Encoding" not in {**events.headers, **document.headers}
    for content_type in ("application/pdf", "image/png", "application/zip", "application/octet-stream", ""):
        assert not is_compressible(content_type), content_type
