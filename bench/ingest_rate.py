"""How fast PDF files come in beside bare pypdfium2 on the same files, and what a full-speed ingest does to search."""

import dataclasses
import subprocess
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import NamedTuple

from bench.client import Api
from bench.datasets import DataSet, Document
from bench.latency import Latency, measure_latency
from bench.load import LoadedSet, ensure_topic, load
from bench.stack import PROJECT, Stack

COPIES = 3  # of each PDF, so that the longest, two thirds of all pages, keeps no worker waiting at the end
ROUNDS = 3

# A program of its own: one process that opens each file and reads the text of each of its pages, and no more.
BARE = """
import sys, time
import pypdfium2 as pdfium
started, pages = time.perf_counter(), 0
for path in sys.argv[1:]:
    document = pdfium.PdfDocument(path)
    for index in range(len(document)):
        page = document[index]
        textpage = page.get_textpage()
        textpage.get_text_range()
        textpage.close()
        page.close()
        pages += 1
    document.close()
print(pages, time.perf_counter() - started)
"""


class PdfRound(NamedTuple):
    """Seconds: of pypdfium2 alone, the mean of just before and just after, and of the service in between.

    Those of the service run from the first upload to the last job at rest.
    """

    bare: float
    service: float

    @property
    def ratio(self) -> float:
        """Pages a second of the service over those of pypdfium2."""
        return self.bare / self.service


@dataclass(frozen=True, slots=True)
class PdfRate:
    """Rounds over the same pages; what is told of them are the medians."""

    pages: int
    rounds: tuple[PdfRound, ...]

    @property
    def bare_seconds(self) -> float:
        return median(one.bare for one in self.rounds)

    @property
    def seconds(self) -> float:
        return median(one.service for one in self.rounds)

    @property
    def ratios(self) -> list[float]:
        """From the lowest to the highest."""
        return sorted(one.ratio for one in self.rounds)


@dataclass(frozen=True, slots=True)
class Beside:
    """Search on its own, and while documents came in at full speed."""

    idle: Latency
    during: Latency
    load: LoadedSet

    @property
    def ratio(self) -> float:
        """The p95 of what a client waited during the ingest, over the idle one."""
        return self.during.http_ms.p95 / self.idle.http_ms.p95 if self.idle.http_ms.p95 else 0.0


def text_pdfs(documents: DataSet) -> tuple[Document, ...]:
    """The set's PDF files that have a text layer on every page: OCR is another speed."""
    return tuple(
        document
        for document in documents.documents
        if document.filename.endswith(".pdf")
        and (expected := documents.expectations[document.filename]).outcomes == {"ok"}
        and not expected.picture
    )


def measure_pdf_rate(documents: DataSet, *, api: Api, stack: Stack, connections: int) -> PdfRate | None:
    """Round by round, bare before and after each: a shared machine is not always as fast.

    None where the files were loaded by an earlier run.
    """
    files = text_pdfs(documents)
    paths = [str(file.content) for file in files if isinstance(file.content, Path)] * COPIES
    topic_id = ensure_topic("bench-pdf", name="PDF files", api=api, stack=stack)
    pages, before = bare(paths)
    rounds = []
    for number in range(1, ROUNDS + 1):
        copies = tuple(
            dataclasses.replace(file, filename=f"{number}-{copy}-{file.filename}")
            for copy in range(1, COPIES + 1)
            for file in files
        )
        loaded = load(
            DataSet(name=f"pdf, round {number}", title="PDF files", documents=copies),
            api=api,
            topic_id=topic_id,
            connections=connections,
        )
        if not loaded.uploaded:
            return None
        _, after = bare(paths)
        rounds.append(PdfRound((before + after) / 2, loaded.seconds))
        before = after
    return PdfRate(pages, tuple(rounds))


def bare(paths: Sequence[str]) -> tuple[int, float]:
    """Pages and seconds of pypdfium2 alone, in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-c", BARE, *paths], cwd=PROJECT, capture_output=True, text=True, timeout=600, check=True
    )
    pages, seconds = done.stdout.split()
    return int(pages), float(seconds)


def measure_beside(law: DataSet, *, api: Api, stack: Stack, topic_id: int, connections: int) -> Beside:
    """Search in the topic of the laws, idle and then while they are loaded into another topic once more."""
    idle = measure_latency(law.queries, api=api, topic_id=topic_id)
    aside = ensure_topic(f"bench-beside-{int(time.time())}", name="Beside search", api=api, stack=stack)
    with ThreadPoolExecutor(1) as pool:
        loading = pool.submit(load, law, api=api, topic_id=aside, connections=connections)
        during = measure_latency(law.queries, api=api, topic_id=topic_id, until=loading.done)
    return Beside(idle, during, loading.result())
