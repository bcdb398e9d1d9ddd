"""Reading the data sets: small ones written here, and the real ones where they are at hand."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from bench.datasets import DataMissing, load_set

PROJECT = Path(__file__).resolve().parents[2]
DATA = Path(os.environ.get("KB_DATA_SETS", PROJECT / "../shared/data"))

needs_data = pytest.mark.skipif(not DATA.is_dir(), reason="the data folder (KB_DATA_SETS) is missing")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "israeli-law"
    (folder / "files").mkdir(parents=True)
    index: list[dict[str, Any]] = [
        {"file": f"law-{number}.txt", "kind": "law", "title": f"חוק {number}", "published_at": None}
        for number in range(5)
    ]
    queries = [
        {"query": f"סעיף {number}א", "file": f"law-{number}.txt", "section": f"{number}א", "style": "formal"}
        for number in range(5)
    ]
    for name, rows in (("index", index), ("queries-dev", queries)):
        (folder / f"{name}.jsonl").write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    for row in index:
        (folder / "files" / row["file"]).write_text(f"{row['title']}\n", encoding="utf-8")
    return tmp_path


def test_law_queries_are_answered_by_one_section_of_one_file(root: Path) -> None:
    laws = load_set("law", root=root)
    assert laws.queries[3].gold == {laws.unit("law-3.txt", "3א")}
    assert laws.documents[3].read().decode() == "חוק 3\n"
    assert laws.limit == 0


def test_limited_set_keeps_documents_that_answer_its_queries(root: Path) -> None:
    laws = load_set("law", root=root, limit=2)
    assert laws.limit == 2
    assert len(laws.queries) == 2
    there = {document.filename for document in laws.documents}
    assert {laws.document_unit(unit) for query in laws.queries for unit in query.gold} <= there


def test_missing_data_is_told_with_the_name_of_the_file(tmp_path: Path) -> None:
    with pytest.raises(DataMissing, match=r"index\.jsonl"):
        load_set("law", root=tmp_path)


@needs_data
@pytest.mark.parametrize(
    ("name", "documents", "queries"),
    [("law", 600, 5002), ("heqa", 302, 1279), ("obliqa", 13012, 2788), ("documents", 51, 0)],
)
def test_whole_sets_have_their_known_sizes_and_gold_inside(name: str, documents: int, queries: int) -> None:
    dataset = load_set(name, root=DATA)
    assert (len(dataset.documents), len(dataset.queries)) == (documents, queries)
    assert len({document.filename for document in dataset.documents}) == documents
    units = {document.unit for document in dataset.documents}
    assert {dataset.document_unit(unit) for query in dataset.queries for unit in query.gold} <= units
