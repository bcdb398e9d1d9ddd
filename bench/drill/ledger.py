"""What the clients of a drill know for certain: what was accepted, what was decided, what was deleted."""

import threading
import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from bench.made_up import MadeFile


@dataclass(frozen=True, slots=True)
class Decision:
    """What a person decided of a job and was told to be kept: title, kind and the names of labels."""

    title: str
    kind: str
    labels: frozenset[str] = frozenset()


@dataclass(slots=True)
class AcceptedUpload:
    """An upload that was answered with a job. `decision` is None until one was answered; `discarded` likewise."""

    job_id: str
    file: MadeFile
    decision: Decision | None = None
    discarded: bool = False


@dataclass(slots=True)
class Ledger:
    """The record of all clients of one act. Safe to share between threads.

    `uncertain` holds names of files whose upload was cut off, so that a job may be there or not. `problems` are
    sentences about answers that should not have been.
    """

    accepted: dict[str, AcceptedUpload] = field(default_factory=dict)
    refused: dict[str, str] = field(default_factory=dict)
    uncertain: set[str] = field(default_factory=set)
    titles: dict[int, str] = field(default_factory=dict)
    deleted: dict[int, str] = field(default_factory=dict)
    merged: dict[str, str] = field(default_factory=dict)
    counts: Counter[str] = field(default_factory=Counter)
    trouble: list[float] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    _lock: threading.RLock = field(default_factory=threading.RLock)

    def accept(self, job_id: str, file: MadeFile, *, decision: Decision | None = None) -> None:
        """Note an upload that was answered with this job; a single upload brings its decision along."""
        with self._lock:
            if job_id not in self.accepted:
                self.accepted[job_id] = AcceptedUpload(job_id, file, decision)
                self.counts["uploads"] += 1

    def refuse(self, file: MadeFile, code: str) -> None:
        with self._lock:
            self.refused[file.name] = code

    def doubt(self, files: Iterable[MadeFile]) -> None:
        with self._lock:
            self.uncertain.update(file.name for file in files)

    def decide(self, job_id: str, decision: Decision) -> None:
        with self._lock:
            self.accepted[job_id].decision = decision
            self.counts["decisions"] += 1

    def discard(self, job_id: str) -> None:
        with self._lock:
            self.accepted[job_id].discarded = True
            self.counts["discards"] += 1

    def edit(self, source_id: int, title: str) -> None:
        with self._lock:
            self.titles[source_id] = title
            self.counts["edits"] += 1

    def delete(self, source_id: int, job_id: str) -> None:
        with self._lock:
            self.deleted[source_id] = job_id
            self.counts["deletions"] += 1

    def merge(self, name: str, target: str) -> None:
        with self._lock:
            self.merged[name] = target
            self.counts["merges"] += 1

    def count(self, what: str) -> None:
        with self._lock:
            self.counts[what] += 1

    def meet_trouble(self) -> None:
        """Note a request that went wrong, for what a fault cost."""
        with self._lock:
            self.trouble.append(time.time())

    def complain(self, problem: str) -> None:
        with self._lock:
            self.problems.append(problem)

    def troubles(self, since: float, until: float) -> int:
        """How many requests went wrong between two moments of `time.time()`."""
        with self._lock:
            return sum(since <= at <= until for at in self.trouble)

    def uploads(self) -> list[AcceptedUpload]:
        """Every accepted upload, as it stands."""
        with self._lock:
            return list(self.accepted.values())

    def label_now(self, name: str) -> str:
        """The name of the label that a name leads to, after all merges."""
        with self._lock:
            while name in self.merged:
                name = self.merged[name]
            return name
