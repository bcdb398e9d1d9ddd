"""Loading a set through the upload endpoint, and waiting until every job has come to rest."""

import time
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import httpx2
from tqdm import tqdm

from bench.client import Api, ApiError
from bench.datasets import DataSet, Document

CONNECTIONS = 4
POLL_S = 1.0  # seldom, as each time costs the service what it is measured by
STALLED_AFTER_S = 300.0
AT_REST = ("done", "failed")


@dataclass(slots=True)
class LoadedSet:
    """What became of a set's documents.

    `sources` leads from source ids to file names. `uploaded` counts what this run sent; with 0 the set was
    there before and there is no speed to tell. `seconds` runs from the first upload to the last job at rest: to the
    first answer by our clock, and on from that job's acceptance by the service's, which tells when each has ended.
    `chunks` are those of the topic, `new_chunks` those of this run.
    """

    topic_id: int
    uploaded: int = 0
    seconds: float = 0.0
    upload_seconds: float = 0.0
    chunks: int = 0
    new_chunks: int = 0
    sources: dict[int, str] = field(default_factory=dict)
    refused: dict[str, str] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)
    lost: list[str] = field(default_factory=list)

    @property
    def files_per_s(self) -> float:
        return self.uploaded / self.seconds if self.seconds else 0.0

    @property
    def chunks_per_s(self) -> float:
        return self.new_chunks / self.seconds if self.seconds else 0.0


def topic_for(dataset: DataSet, *, api: Api) -> int:
    """The id of the set's own topic, made if need be."""
    slug = f"bench-{dataset.name}" + (f"-{dataset.limit}" if dataset.limit else "")
    return ensure_topic(slug, name=dataset.title, api=api)


def ensure_topic(slug: str, *, name: str, api: Api) -> int:
    """The id of the topic, made if need be."""
    found = api.topic_id(slug)
    return api.create_topic(name=name, slug=slug) if found is None else found


def load(dataset: DataSet, *, api: Api, topic_id: int) -> LoadedSet:
    """Upload what the topic does not hold yet, or could not read before, and wait until all of it is at rest."""
    report = LoadedSet(topic_id)
    jobs = list(api.jobs(topic_id=topic_id))
    there = {job["filename"] for job in jobs if job["status"] != "failed"}
    missing = [document for document in dataset.documents if document.filename not in there]
    started = time.monotonic()
    answered_at = _upload_all(missing, api=api, report=report, label=dataset.name)
    report.upload_seconds = time.monotonic() - started
    _wait_for_rest(len(jobs) + report.uploaded, api=api, topic_id=topic_id, label=dataset.name)
    jobs_now = list(api.jobs(topic_id=topic_id))
    if answered_at:
        before = {job["id"] for job in jobs}
        span_s = _span_s([job for job in jobs_now if job["id"] not in before])
        report.seconds = min(answered_at) - started + span_s
    _take_stock(dataset, jobs_now, report=report)
    return report


def _span_s(jobs: list[dict[str, Any]]) -> float:
    """From the first acceptance to the last end, by the service's clock."""
    accepted = [datetime.fromisoformat(job["created_at"]) for job in jobs]
    ended = [datetime.fromisoformat(job["finished_at"]) for job in jobs if job["finished_at"]]
    return (max(ended) - min(accepted)).total_seconds() if ended else 0.0


def _upload_all(documents: list[Document], *, api: Api, report: LoadedSet, label: str) -> list[float]:
    """Send the documents; returns when each that was accepted was answered, in seconds of `time.monotonic`."""
    answered_at: list[float] = []

    def send(document: Document) -> tuple[Document, str]:
        try:
            api.upload(document, topic_id=report.topic_id)
        except ApiError as error:
            return document, error.code
        except httpx2.HTTPError as error:
            return document, f"{type(error).__name__}: {error}"
        answered_at.append(time.monotonic())
        return document, ""

    with ThreadPoolExecutor(CONNECTIONS) as pool:
        for document, code in tqdm(
            pool.map(send, documents),
            total=len(documents),
            desc=f"{label}: upload",
            unit="file",
            disable=not documents,
        ):
            if code:
                report.refused[document.filename] = code
            else:
                report.uploaded += 1
    return answered_at


def _wait_for_rest(expected: int, *, api: Api, topic_id: int, label: str) -> None:
    """Return when `expected` jobs are at rest, or when none has come to rest for a long while."""
    with tqdm(total=expected, desc=f"{label}: ingest", unit="job") as bar:
        moved_at = time.monotonic()
        while bar.n < expected:
            resting = sum(api.count_jobs(topic_id=topic_id, status=status) for status in AT_REST)
            if resting > bar.n:
                bar.update(resting - bar.n)
                moved_at = time.monotonic()
            elif time.monotonic() - moved_at > STALLED_AFTER_S:
                return
            time.sleep(POLL_S)


def _take_stock(dataset: DataSet, jobs: Iterable[dict[str, Any]], *, report: LoadedSet) -> None:
    """What became of each document; `jobs` are all of the topic, newest first: an earlier attempt does not count."""
    unaccounted = {document.filename for document in dataset.documents} - report.refused.keys()
    for job in jobs:
        if job["filename"] not in unaccounted or job["status"] not in AT_REST:
            continue
        unaccounted.remove(job["filename"])
        if job["status"] == "failed":
            report.failed[job["filename"]] = job["error"]["code"]
        elif job["source_id"] is not None:
            report.sources[job["source_id"]] = job["filename"]
    report.lost = sorted(unaccounted)
