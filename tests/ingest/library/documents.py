"""Sources that came in as documents do, for tests of what is done with them afterwards."""

import contextlib
from collections.abc import Iterator
from datetime import date
from itertools import pairwise
from pathlib import Path
from typing import Any

import psutil

from ingest.intake.upload import Metadata
from ingest.job_states import EMBEDDING
from ingest.models import Job
from ingest.stages.run import run_job
from search.index import engine
from search.retrieval import Scope, retrieve
from sources.files import storage
from sources.models import Source, Work
from tests.factories import LAW, upload_text
from tests.ingest.jobs.holders import process_of
from tests.waiting import wait_until

TITLE = "חוק הספריות הציבוריות"
EVERYWHERE = Scope(topic_id=None)


def make_document(directory: Path, text: str = LAW, *, kind: str = "law", **metadata: Any) -> Source:
    """An indexed source with a stored file."""
    metadata.setdefault("title", TITLE)
    job = run_job(upload_text(directory, text, kind=kind, metadata=Metadata(**metadata)).pk)
    assert job is not None
    assert job.source is not None, job.error_message
    engine().maintain()
    return job.source


def make_versions(directory: Path, *days: date | None) -> list[Source]:
    """Versions of one work in their order. Each is in force from its day to the next; the last day is where it ends."""
    made = [make_document(directory, f"{LAW}\n4. גרסה\nגרסה {number}.\n") for number in range(len(days) - 1)]
    for source, (begins, ends) in zip(made, pairwise(days), strict=True):
        Source.objects.filter(pk=source.pk).update(work=made[0].work_id, valid_from=begins, valid_to=ends)
    Work.objects.exclude(versions__isnull=False).delete()
    return list(Source.objects.filter(work=made[0].work_id).order_by("valid_from"))


def long_law(sections: int) -> str:
    return "חוק ארוך\n\n" + "\n".join(
        f"{number}. סעיף מספר {number}\n" + f"הוראה {number} תחול על כל אדם ועל כל תאגיד. " * 60
        for number in range(1, sections + 1)
    )


@contextlib.contextmanager
def stopped_at_work(job: Job) -> Iterator[psutil.Process]:
    """The process that indexes the job's document, stopped amid that. It goes on afterwards where it is still there."""
    wait_until(lambda: Job.objects.filter(pk=job.pk, progress_done__gt=0).exists(), passing=True)
    process = process_of(job.pk)
    process.suspend()
    try:
        assert Job.objects.get(pk=job.pk).state == EMBEDDING
        yield process
    finally:
        with contextlib.suppress(psutil.NoSuchProcess):
            process.resume()


def found(query: str, mode: str = "hybrid") -> set[int]:
    """The ids of the sources that a search of all topics finds."""
    return {hit.source.id for hit in retrieve(query, scope=EVERYWHERE, mode=mode, limit=100).hits}


def stored_keys() -> set[str]:
    """Every stored file."""
    return {file.key for area in storage.Area for file in storage.files_under(area)}
