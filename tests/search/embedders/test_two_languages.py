"""The demo documents, which are in two languages, with the vectors of the model of this machine."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.db import transaction

from extraction import extract
from ingest.intake.demo import FOLDER, manifest
from search import embedders, publishing
from search.index import IndexContext, engine
from search.models import VectorSpread
from search.retrieval import Scope, retrieve
from tests.factories import first_topic, make_source
from tests.search.index.filling import fill
from tests.search.local_model.needed import needs_model
from tests.search.local_model.test_server import running

pytestmark = [
    pytest.mark.deep,
    pytest.mark.timeout(900),
    needs_model,
    pytest.mark.django_db,
]
LAW = 'חוק הגנה על פיקדונות שכירות, התשפ"ד–2024'
QUESTIONS = (
    "Where is the money I paid my landlord?",
    "What happens to a landlord who keeps the deposit?",
    "Can my landlord hold my deposit himself?",
)
AMONG_FIRST = 12  # the passages at the ninth to the twelfth place of the first question differ by .003


@pytest.fixture
def local(settings: Any) -> Iterator[None]:
    with running() as (url, _):
        settings.KB_EMBEDDER, settings.KB_LOCAL_EMBEDDER_URL = "local", url
        embedders._make.cache_clear()
        yield
    embedders._make.cache_clear()


def add_demo_documents() -> None:
    for entry in manifest():
        fields = {name: entry[name] for name in ("kind", "title", "identifier")}
        source = make_source(topic=first_topic(), **fields)
        pages = extract(FOLDER / entry["file"], filename=entry["file"])
        with publishing.stage(pages, context=IndexContext.of(source)) as staged, transaction.atomic():
            publishing.publish(staged, source=source)
    engine().maintain()


def place_of_the_law(question: str) -> int:
    hits = retrieve(question, scope=Scope(topic_id=None), limit=100).hits
    return next(place for place, hit in enumerate(hits, 1) if hit.source.title == LAW)


@pytest.mark.usefixtures("local")
def test_a_law_is_among_the_first_that_answers_in_another_language() -> None:
    add_demo_documents()
    fill()
    places = [place_of_the_law(question) for question in QUESTIONS]
    assert max(places) <= AMONG_FIRST
    VectorSpread.objects.update(deviation_across=None)
    by_one_scale = [place_of_the_law(question) for question in QUESTIONS]
    assert all(place < other for place, other in zip(places, by_one_scale, strict=True)), by_one_scale
