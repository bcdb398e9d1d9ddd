"""Loading and asking a small set through the real API, with a real worker."""

from collections.abc import Iterator
from subprocess import Popen

import pytest

from bench.client import Api, ApiError
from bench.datasets import DataSet, Document, Query, section_unit
from bench.load import load
from bench.quality import measure_service
from tests.factories import LAW, make_topic
from topics.keys import issue_key

pytestmark = pytest.mark.deep

SMALL = DataSet(
    name="small",
    title="Small",
    documents=(
        Document("law.txt", LAW, "law", "law.txt", title='חוק הספריות הציבוריות לדוגמה, התשפ"ד–2024'),
        Document("note.txt", "The reading room is open on Sundays.", "circular", "note.txt"),
        Document("broken.docx", "PK\x03\x04 this is no archive", "circular", "broken.docx"),
    ),
    queries=(Query("איחור בהחזרה", frozenset([section_unit("law.txt", "3")]), "heading"),),
    by_section=True,
)


@pytest.fixture
def api(asgi_server: str) -> Iterator[Api]:
    _, key = issue_key(name="bench", admin=True, by="tests")
    api = Api(asgi_server, key)
    yield api
    api.close()


def test_set_is_loaded_once_and_every_document_is_accounted_for(api: Api, worker: Popen[bytes]) -> None:
    topic = make_topic(slug="bench-small")
    assert api.topic_id("bench-small") == topic.pk
    loaded = load(SMALL, api=api, topic_id=topic.pk)
    assert loaded.uploaded == 2
    assert loaded.refused == {"broken.docx": "corrupt"}
    assert loaded.lost == []
    assert loaded.failed == {}
    assert sorted(loaded.sources.values()) == ["law.txt", "note.txt"]
    again = load(SMALL, api=api, topic_id=topic.pk)
    assert (again.uploaded, again.refused) == (0, loaded.refused)  # what was refused is tried again
    assert again.sources == loaded.sources

    quality = measure_service(SMALL, loaded, api=api, queries=SMALL.queries)
    assert quality.scores["heading"].top1 == 1.0
    assert quality.latency_ms.count == 1


def test_refusal_carries_status_and_code(api: Api) -> None:
    with pytest.raises(ApiError) as refusal:
        api.search("anything", topic_id=999_999)
    assert (refusal.value.status, refusal.value.code) == (400, "unknown_topic")
