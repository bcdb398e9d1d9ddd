"""The data sets: which documents to load, which queries to ask, and which passages answer them."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

NAMES = ("law", "heqa", "obliqa", "documents")


class DataMissing(Exception):
    """The data folder, or a part of it, is not there."""


@dataclass(frozen=True, slots=True)
class Document:
    """One file to upload. `filename` is unique in its set, so a stored source leads back to it.

    `unit` is what the document counts as in the gold standard; two files may count as the same passage. `more` are
    further parameters of the upload.
    """

    filename: str
    content: Path | str
    kind: str
    unit: str
    title: str = ""
    identifier: str = ""
    published_at: str = ""
    more: Mapping[str, str] = field(default_factory=dict)

    def read(self) -> bytes:
        return self.content.encode() if isinstance(self.content, str) else self.content.read_bytes()


@dataclass(frozen=True, slots=True)
class Query:
    """A question and the units that answer it; `style` is the row of the report it belongs to."""

    text: str
    gold: frozenset[str]
    style: str


@dataclass(frozen=True, slots=True)
class Expectation:
    """What ingest should make of a file: one of `outcomes` (`ok` or an error code), and its true text.

    A `picture` has pages without usable text of their own: what is read there was recognised.
    """

    outcomes: frozenset[str]
    truth: Path | None
    picture: bool = False


@dataclass(frozen=True)
class DataSet:
    """Documents that are loaded as one topic and the queries asked of it.

    With `by_section` a unit is one section of a document, else the whole document. A `limit` above 0 says that
    this is a part of the set, so its figures cannot be compared with those of others.
    """

    name: str
    title: str
    documents: tuple[Document, ...]
    queries: tuple[Query, ...] = ()
    by_section: bool = False
    limit: int = 0
    expectations: dict[str, Expectation] = field(default_factory=dict)

    def unit(self, filename: str, section: str) -> str:
        """The gold-standard unit that a chunk of this file and section belongs to."""
        return section_unit(filename, section) if self.by_section else self._unit_of_file[filename]

    def document_unit(self, unit: str) -> str:
        """The unit of the document that holds this gold-standard unit."""
        return unit.rpartition("#")[0] if self.by_section else unit

    @cached_property
    def _unit_of_file(self) -> dict[str, str]:
        return {document.filename: document.unit for document in self.documents}


def section_unit(filename: str, section: str) -> str:
    return f"{filename}#{section}"


def load_set(name: str, *, root: Path, limit: int | None = None) -> DataSet:
    """Read one set from the data folder. Raises `DataMissing`."""
    try:
        dataset = READERS[name](root)
    except FileNotFoundError as error:
        raise DataMissing(f"The data set '{name}' is not complete: {error.filename} is missing.") from error
    return limit_to(dataset, limit) if limit else dataset


def limit_to(dataset: DataSet, limit: int) -> DataSet:
    """About `limit` queries spread over the set, the documents that answer them, others up to `limit`."""
    if not dataset.queries:
        return replace(dataset, documents=dataset.documents[:limit], limit=limit)
    step = max(1, len(dataset.queries) // limit)
    queries = dataset.queries[::step][:limit]
    wanted = {dataset.document_unit(unit) for query in queries for unit in query.gold}
    answers = [document for document in dataset.documents if document.unit in wanted]
    others = [document for document in dataset.documents if document.unit not in wanted]
    documents = answers + others[: max(0, limit - len(answers))]
    return replace(dataset, documents=tuple(documents), queries=queries, limit=limit)


def read_law(root: Path) -> DataSet:
    folder = root / "israeli-law"
    return DataSet(
        name="law",
        title="600 Israeli laws and regulations",
        documents=tuple(
            Document(
                filename=row["file"],
                content=folder / "files" / row["file"],
                kind=row["kind"],
                unit=row["file"],
                title=row["title"],
                published_at=row["published_at"] or "",
            )
            for row in json_lines(folder / "index.jsonl")
        ),
        queries=tuple(
            Query(row["query"], frozenset([section_unit(row["file"], row["section"])]), row["style"])
            for row in json_lines(folder / "queries-dev.jsonl")
        ),
        by_section=True,
    )


def read_hebrew_qa(root: Path) -> DataSet:
    folder = root / "hebrew-qa"
    return DataSet(
        name="heqa",
        title="Hebrew paragraphs and questions",
        documents=tuple(
            Document(filename=f"{row['id']}.txt", content=row["text"], kind="circular", unit=row["id"])
            for row in json_lines(folder / "paragraphs-dev.jsonl")
        ),
        queries=tuple(
            Query(row["question"], frozenset(row["gold"]), "questions")
            for row in json_lines(folder / "questions-dev.jsonl")
        ),
    )


def read_obliqa(root: Path) -> DataSet:
    folder = root / "obliqa"
    return DataSet(
        name="obliqa",
        title="ADGM regulation passages",
        documents=tuple(
            Document(
                filename=f"obliqa-{number:05}.txt",
                content=row["text"],
                kind="circular",
                unit=f"{row['document']}/{row['passage']}",
                identifier=f"{row['document']}/{row['passage']}",
            )
            for number, row in enumerate(json_lines(folder / "passages.jsonl"))
            if row["text"].strip()
        ),
        queries=tuple(
            Query(row["question"], frozenset(f"{number}/{name}" for number, name in row["gold"]), "questions")
            for row in json_lines(folder / "questions-dev.jsonl")
        ),
    )


def read_documents(root: Path) -> DataSet:
    folder = root / "documents"
    rows = json.loads((folder / "index.json").read_text(encoding="utf-8"))
    return DataSet(
        name="documents",
        title="PDF, DOCX, HTML and text files with known text",
        documents=tuple(
            Document(
                filename=row["file"],
                content=folder / row["file"],
                kind=row.get("kind") or "circular",
                unit=row["file"],
                title=row.get("title") or "",
                published_at=row.get("published_at") or "",
            )
            for row in rows
        ),
        expectations={
            row["file"]: Expectation(
                outcomes=frozenset(filter(None, (row["expect"], row.get("expect_also")))),
                truth=folder / row["truth"] if row.get("truth") else None,
                picture=any(word in row["producer"] for word in ("scan", "tesseract", "junk")),
            )
            for row in rows
        },
    )


READERS: dict[str, Callable[[Path], DataSet]] = {
    "law": read_law,
    "heqa": read_hebrew_qa,
    "obliqa": read_obliqa,
    "documents": read_documents,
}


def json_lines(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        yield from (json.loads(line) for line in lines if line.strip())
