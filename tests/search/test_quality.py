"""Search quality on the public development sets, where they are present."""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from extraction import extract
from law.chunking import chunk
from search.index import IndexContext, engine
from search.retrieval import Scope, retrieve
from sources.models import Chunk, Source
from tests.factories import first_topic
from tests.search.corpus import passage

DATA = Path(os.environ.get("KB_DATA_SETS") or Path(__file__).resolve().parents[3] / "shared" / "data")

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.skipif(not DATA.is_dir(), reason=f"the data sets are not at {DATA} (KB_DATA_SETS)"),
    pytest.mark.deep,
]


def rows(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (DATA / name).read_text(encoding="utf-8").splitlines()]


def add(drafts: Any, *, name: str, kind: str, title: str) -> None:
    topic = first_topic()
    with engine().stage(drafts, context=IndexContext(topic_id=topic.pk, kind=kind, title=title)) as staged:
        engine().publish(staged, source=Source.objects.create(topic=topic, kind=kind, title=title, filename=name))


def ranks(queries: list[tuple[str, set[tuple[str, str]]]]) -> Iterator[int | None]:
    """The place of the first right result of each query, from 1; None if it is not among ten."""
    names = dict(Source.objects.values_list("pk", "filename"))
    for query, gold in queries:
        hits = retrieve(query, scope=Scope(topic_id=1)).hits
        found = [(names[hit.source.id], hit.section) for hit in hits]
        yield next((place for place, key in enumerate(found, 1) if key in gold), None)


def top_1(queries: list[tuple[str, set[tuple[str, str]]]]) -> float:
    return sum(rank == 1 for rank in ranks(queries)) / len(queries)


def test_hebrew_questions_find_their_paragraph() -> None:
    for row in rows("hebrew-qa/paragraphs-dev.jsonl"):
        add([passage(row["text"])], name=row["id"], kind="circular", title="")
    engine().maintain()
    questions = rows("hebrew-qa/questions-dev.jsonl")[::4]
    places = list(ranks([(row["question"], {(gold, "") for gold in row["gold"]}) for row in questions]))
    assert sum(place == 1 for place in places) / len(places) >= 0.865
    assert sum(1 / place for place in places if place) / len(places) >= 0.90


def test_citations_and_headings_find_their_section() -> None:
    acts = rows("israeli-law/index.jsonl")[::5]
    for row in acts:
        drafts = chunk(extract(DATA / "israeli-law" / "files" / row["file"]), kind=row["kind"])
        add(drafts, name=row["file"], kind=row["kind"], title=row["title"])
    engine().maintain()
    assert Chunk.objects.count() > 1000
    files = {row["file"] for row in acts}
    queries = [row for row in rows("israeli-law/queries-dev.jsonl") if row["file"] in files]
    for style, least in (("formal", 0.99), ("as cited", 0.96), ("heading", 0.95), ("heading and title", 0.75)):
        chosen = [(row["query"], {(row["file"], row["section"])}) for row in queries if row["style"] == style]
        assert top_1(chosen[:150]) >= least, style
