"""Memory of the worker, idle and while it reads the longest PDF: high-water marks from `/proc`."""

from __future__ import annotations

import re
import threading
from dataclasses import dataclass
from pathlib import Path

import psutil

from bench.client import Api
from bench.datasets import DataSet
from bench.load import load

SAMPLE_S = 0.1
LONGEST_PDF = "d13-chromium-600p.pdf"


@dataclass(frozen=True, slots=True)
class Peak:
    """MB. `largest_process` is the highest VmHWM of one process, `whole_worker` the highest Pss of all."""

    largest_process: float
    whole_worker: float
    processes: int


@dataclass(frozen=True, slots=True)
class Memory:
    idle: Peak
    ingesting: Peak
    seconds: float


def worker_processes(supervisor_pid: int) -> list[psutil.Process]:
    """The worker that the supervisor started, with its children; nothing else that it started."""
    for process in psutil.Process(supervisor_pid).children(recursive=True):
        try:
            words = process.cmdline()
            if any("celery" in word for word in words) and "worker" in words:
                return [process, *process.children(recursive=True)]
        except psutil.NoSuchProcess:
            continue
    return []


def megabytes(pid: int, file: str, field: str) -> float:
    """A field given in kB in a file of `/proc/<pid>`; 0 when the process is gone."""
    try:
        text = Path(f"/proc/{pid}/{file}").read_text(encoding="ascii")
    except OSError:
        return 0.0
    found = re.search(rf"^{field}:\s+(\d+) kB", text, re.MULTILINE)
    return int(found[1]) / 1024 if found else 0.0


def sample(supervisor_pid: int) -> Peak:
    pids = [process.pid for process in worker_processes(supervisor_pid)]
    return Peak(
        largest_process=max((megabytes(pid, "status", "VmHWM") for pid in pids), default=0.0),
        whole_worker=sum(megabytes(pid, "smaps_rollup", "Pss") for pid in pids),
        processes=len(pids),
    )


class Watch:
    """Samples the worker in a thread while the `with` block runs; `peak` holds the highest of each figure."""

    def __init__(self, supervisor_pid: int) -> None:
        self.peak = Peak(0.0, 0.0, 0)
        self._pid = supervisor_pid
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> Watch:
        self._thread.start()
        return self

    def __exit__(self, *exc: object) -> None:
        self._done.set()
        self._thread.join(10)

    def _run(self) -> None:
        while not self._done.wait(SAMPLE_S):
            now = sample(self._pid)
            self.peak = Peak(
                max(self.peak.largest_process, now.largest_process),
                max(self.peak.whole_worker, now.whole_worker),
                max(self.peak.processes, now.processes),
            )


def measure_memory(documents: DataSet, *, api: Api, topic_id: int, supervisor_pid: int) -> Memory:
    """Idle, then while the longest PDF, alone, is read, chunked and indexed. Call it on a fresh stack."""
    idle = sample(supervisor_pid)
    longest = tuple(document for document in documents.documents if document.filename == LONGEST_PDF)
    alone = DataSet(name="memory", title="One long PDF", documents=longest)
    with Watch(supervisor_pid) as watch:
        loaded = load(alone, api=api, topic_id=topic_id, connections=1)
    return Memory(idle, watch.peak, loaded.seconds)
