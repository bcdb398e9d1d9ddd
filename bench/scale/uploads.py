"""Laws uploaded over HTTP as fast as they are taken, from a process of its own that takes no time from others."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.process import BaseProcess
from multiprocessing.queues import Queue
from typing import Any

import httpx2

from bench.client import Api, ApiError
from bench.datasets import Document
from bench.load import AT_REST

CONNECTIONS = 4
POLL_S = 1.0
LONGEST_S = 3600.0


@dataclass(frozen=True, slots=True)
class Uploaded:
    """`seconds` runs from the first upload to the last job at rest; `failed` counts jobs, `refused` files."""

    files: int
    refused: int
    failed: int
    upload_s: float
    seconds: float


def start_uploads(
    documents: list[Document], *, base_url: str, api_key: str, topic_id: int
) -> tuple[BaseProcess, Queue[Uploaded]]:
    """Start uploading; the process ends when every job is at rest, and then the queue has what became of them."""
    context = get_context("spawn")
    outcome: Queue[Uploaded] = context.Queue()
    process = context.Process(
        target=_upload,
        args=(documents,),
        kwargs={"base_url": base_url, "api_key": api_key, "topic_id": topic_id, "outcome": outcome},
        daemon=True,
    )
    process.start()
    return process, outcome


def _upload(documents: list[Document], *, base_url: str, api_key: str, topic_id: int, outcome: Queue[Any]) -> None:
    api = Api(base_url, api_key, connections=CONNECTIONS + 1)

    def at_rest() -> dict[str, int]:
        return {status: api.count_jobs(topic_id=topic_id, status=status) for status in AT_REST}

    def send(document: Document) -> bool:
        try:
            api.upload(document, topic_id=topic_id)
        except (ApiError, httpx2.HTTPError):
            return False
        return True

    before = at_rest()
    started = time.monotonic()
    with ThreadPoolExecutor(CONNECTIONS) as pool:
        taken = sum(pool.map(send, documents))
    uploaded = time.monotonic()
    while sum((now := at_rest()).values()) < sum(before.values()) + taken and time.monotonic() - uploaded < LONGEST_S:
        time.sleep(POLL_S)
    outcome.put(
        Uploaded(
            files=taken,
            refused=len(documents) - taken,
            failed=now["failed"] - before["failed"],
            upload_s=uploaded - started,
            seconds=time.monotonic() - started,
        )
    )
