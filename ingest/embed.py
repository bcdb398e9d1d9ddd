"""The embedding stage of one job: read the file, cut it into chunks, index them, and make the source.

Reading and indexing hold no transaction; the source, its chunks, its labels and the job's last move are written
in one. A worker that dies before that commit leaves nothing behind but a copy of the file under its final key.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from django.db import transaction
from django.utils import timezone

from ingest import transitions
from ingest.claims import WORKER, Heartbeat
from ingest.decisions import labels_of
from ingest.extract import extract_within_limits
from ingest.models import Job
from ingest.states import Arrow
from ingest.titles import title_from
from labels import assign
from search.chunking import chunk
from search.index import IndexContext, StagedChunks, publish, stage
from sources import deletions, storage
from sources.extraction.document import ExtractionFailed, Page
from sources.extraction.isolation import read_spill
from sources.models import Source


def embed(job: Job, heartbeat: Heartbeat) -> Source:
    """Take a claimed job in `processing/embedding` to `done`; gives the source.

    Raises `ExtractionFailed` when the file gives no text, `ClaimLost` when the job was taken away meanwhile, and
    whatever the storage, the database or the embedding provider raise.
    """
    confirmed = job.confirmed or {}
    kind = confirmed.get("kind") or job.kind
    with TemporaryDirectory(prefix="kb-job-") as directory:
        spill = Path(directory) / "pages.jsonl"
        with storage.local_copy(job.file_key) as path:
            extract_within_limits(
                path,
                spill,
                filename=job.filename,
                on_page=lambda done, total: heartbeat.progress("reading", done, total),
            )
        reading = Reading(spill)
        title = confirmed.get("title") or title_from(next(iter(read_spill(spill)), None), filename=job.filename)
        context = IndexContext(
            topic_id=job.topic_id, kind=kind, title=title, identifier=confirmed.get("identifier") or ""
        )
        with stage(
            chunk(reading, kind=kind),
            context=context,
            on_progress=lambda done: heartbeat.progress("indexing", done),
        ) as staged:
            if not staged.count:
                raise ExtractionFailed("empty", "The file has no text to search.")
            heartbeat.check()
            key = storage.moved_key(job.file_key, storage.Area.PROCESSED, kind=kind)
            if key != job.file_key:
                storage.copy(job.file_key, key)
            return _record(job, staged, title=title, kind=kind, key=key, reading=reading)


class Reading:
    """Iterates over the pages once, noting how many there were and what they warn of."""

    def __init__(self, spill: Path) -> None:
        self._spill = spill
        self.pages: int | None = None
        self.warnings: list[str] = []

    def __iter__(self) -> Iterator[Page]:
        for page in read_spill(self._spill):
            if page.number is not None:
                self.pages = page.number
            self.warnings += page.warnings
            yield page


def _record(job: Job, staged: StagedChunks, *, title: str, kind: str, key: str, reading: Reading) -> Source:
    confirmed = job.confirmed or {}
    published_at = confirmed.get("published_at")
    labels = labels_of(confirmed)
    with transaction.atomic():
        source = Source.objects.create(
            topic_id=job.topic_id,
            kind=kind,
            title=title,
            subject=confirmed.get("subject") or "",
            identifier=confirmed.get("identifier") or "",
            description=confirmed.get("summary") or "",
            published_at=dt.date.fromisoformat(published_at) if published_at else None,
            ai_classified_at=timezone.now() if job.ai_suggestions else None,
            filename=job.filename,
            file_key=key,
            content_sha256=job.content_sha256,
            size=job.size,
            pages=reading.pages,
        )
        publish(staged, source=source)
        assign.add(source, labels)
        if key != job.file_key:
            deletions.request(job.file_key)
        transitions.move(
            job.pk,
            Arrow.FINISH,
            by=WORKER,
            held_by=job.claim,
            why=f"{staged.count} chunks",
            source=source,
            kind=kind,
            file_key=key,
            warnings=reading.warnings[:100],
        )
    return source
