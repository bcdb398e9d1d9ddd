"""Sources that came in as documents do, for tests of what is done with them afterwards."""

from pathlib import Path
from typing import Any

from ingest.intake.upload import Metadata
from ingest.jobs.work import work
from search.index import engine
from search.retrieval import Scope, retrieve
from sources import storage
from sources.models import Source
from tests.factories import LAW, upload_text

TITLE = "חוק הספריות הציבוריות"
EVERYWHERE = Scope(topic_id=None)


def make_document(directory: Path, text: str = LAW, *, kind: str = "law", **metadata: Any) -> Source:
    """An indexed source with a stored file."""
    metadata.setdefault("title", TITLE)
    job = work(upload_text(directory, text, kind=kind, metadata=Metadata(**metadata)).pk)
    assert job is not None
    assert job.source is not None, job.error_message
    engine().maintain()
    return job.source


def found(query: str, mode: str = "hybrid") -> set[int]:
    """The ids of the sources that a search of all topics finds."""
    return {hit.source.id for hit in retrieve(query, scope=EVERYWHERE, mode=mode, limit=100).hits}


def stored_keys() -> set[str]:
    """Every stored file."""
    return {file.key for area in storage.Area for file in storage.files_under(area)}
