"""`python -m bench.load_test`: people search, upload and review at the same time; is anything slow, lost or growing?"""

import argparse
import os
import random
import signal
import statistics
import sys
import threading
import time
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import psutil

from bench.client import Api
from bench.drill.ledger import Ledger
from bench.drill.patient import GivenUp, PatientApi
from bench.drill.people import Reader, Reviewer, decision_of
from bench.drill.uploaders import Uploader
from bench.load import ensure_topic
from bench.made_up import MadeFile, make_files
from bench.memory import megabytes
from bench.metrics import percentiles
from bench.stack import Stack, StackFailed, embedded
from bench.tables import markdown

SAMPLE_S = 2.0
REST_WITHIN_S = 300.0
GROWTH_ALLOWED = 1.1  # of the memory in the last third over that in the first
KINDS = {"/kb/search": "search", "/kb/ask": "ask", "/admin/kb/upload": "upload", "/admin/kb/upload-batch": "batch"}


class TimedApi(PatientApi):
    """Keeps how long each request took, by what it is for. Milliseconds."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.times: dict[str, list[float]] = defaultdict(list)

    def once(self, method: str, path: str, **options: Any) -> Any:
        began = time.perf_counter()
        try:
            return super().once(method, path, **options)
        finally:
            kind = "commit" if path.endswith("/commit") else KINDS.get(path, "list")
            self.times[kind].append((time.perf_counter() - began) * 1000)


@dataclass(slots=True)
class Memory:
    """Samples of the proportional memory of all processes of a stack, MB, while its thread runs."""

    pid: int
    samples: list[float] = field(default_factory=list)

    def watch(self, done: threading.Event) -> None:
        while not done.wait(SAMPLE_S):
            self.samples.append(_pss(self.pid))

    @property
    def thirds(self) -> tuple[float, float]:
        """The median of the first third and of the last."""
        third = max(1, len(self.samples) // 3)
        return statistics.median(self.samples[:third]), statistics.median(self.samples[-third:])


def _pss(pid: int) -> float:
    try:
        stack = psutil.Process(pid)
        return sum(megabytes(one.pid, "smaps_rollup", "Pss") for one in (stack, *stack.children(recursive=True)))
    except psutil.NoSuchProcess:
        return 0.0


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.load_test", description=__doc__)
    parser.add_argument("--minutes", type=float, default=5.0)
    parser.add_argument("--searchers", type=int, default=50)
    parser.add_argument("--uploaders", type=int, default=5)
    parser.add_argument("--reviewers", type=int, default=5)
    parser.add_argument("--pause", type=float, default=5.0, help="mean seconds from a person's act to the next")
    parser.add_argument("--documents", type=int, default=60, help="in the topic before the load begins")
    return parser.parse_args()


def main() -> int:
    # Asked to end, leave through the `with` block that stops the embedded servers.
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))
    chosen = arguments()
    os.environ.update(KB_CLASSIFIER="rules", KB_ANSWERER="extractive")  # also where the environment has a key
    people = chosen.uploaders * chosen.minutes * 60 / chosen.pause
    files = [file for file in make_files(good=chosen.documents + int(people * 2) + 10, copies=0) if file.word]
    try:
        with embedded(None, keep=False) as stack:
            problems = _run(stack, files, chosen=chosen)
    except StackFailed as error:
        print(error, file=sys.stderr)
        return 2
    for problem in problems:
        print(f"- {problem}")
    return 1 if problems else 0


def _run(stack: Stack, files: list[MadeFile], *, chosen: argparse.Namespace) -> list[str]:
    ledger, stop, done = Ledger(), threading.Event(), threading.Event()
    connections = chosen.searchers + chosen.uploaders + chosen.reviewers + 2
    api = TimedApi(stack.base_url, stack.api_key, ledger=ledger, stop=stop, connections=connections)
    topic_id = ensure_topic("load", name="A load", api=Api(stack.base_url, stack.api_key), stack=stack)
    by_name = {file.name: file for file in files}
    uploader = Uploader(api, ledger=ledger, topic_id=topic_id)
    chance = random.Random(1)
    for file in files[: chosen.documents]:
        uploader.single(file, decision_of(file, chance=chance, version="before"))
    _come_to_rest(api, ledger, topic_id)
    api.times.clear()
    ledger.trouble.clear()
    more = iter(files[chosen.documents :])
    taking = threading.Lock()

    def upload(chance: random.Random) -> None:
        with taking:
            taken = [file for _ in range(chance.choice((1, 3))) if (file := next(more, None)) is not None]
        if len(taken) > 1:
            uploader.batch(taken)
        for file in taken if len(taken) == 1 else ():
            uploader.single(file, decision_of(file, chance=chance, version="as uploaded"))

    reviewer = Reviewer(api, ledger=ledger, topic_id=topic_id, files=by_name)
    reader = Reader(api, ledger=ledger, topic_id=topic_id)
    roles = [
        (reader.look, chosen.searchers),
        (upload, chosen.uploaders),
        (partial(reviewer.look, most=3), chosen.reviewers),
    ]
    memory = Memory(stack.pid or 0)
    threads = [threading.Thread(target=memory.watch, args=[done], daemon=True)]
    for act, count in roles:
        for _ in range(count):
            seed = len(threads)
            threads.append(threading.Thread(target=_keep_on, args=[act, ledger, done, chosen.pause, seed], daemon=True))
    began = time.monotonic()
    for thread in threads:
        thread.start()
    done.wait(chosen.minutes * 60)
    done.set()
    for thread in threads:
        thread.join(120)
    seconds = time.monotonic() - began
    times = {kind: list(taken) for kind, taken in api.times.items()}
    problems = [*ledger.problems, *_come_to_rest(api, ledger, topic_id)]
    problems += [f"a request went wrong: {trouble}" for _, trouble in ledger.trouble[:20]]
    first, last = memory.thirds
    if last > first * GROWTH_ALLOWED:
        problems.append(f"memory grew from {first:.0f} MB to {last:.0f} MB")
    print(_table(times, seconds=seconds))
    uploads = len(ledger.accepted) - chosen.documents
    print(f"\nMemory of all processes: {first:.0f} MB in the first third, {last:.0f} MB in the last.")
    print(f"{uploads} uploads accepted. Does not add up: {len(problems)}")
    api.close()
    return problems


def _keep_on(
    act: Callable[[random.Random], object], ledger: Ledger, done: threading.Event, pause_s: float, seed: int
) -> None:
    chance = random.Random(seed)
    done.wait(chance.uniform(0, pause_s))  # not all at once
    while not done.is_set():
        try:
            act(chance)
        except GivenUp:
            return
        except Exception as error:
            ledger.complain(f"a client broke off: {type(error).__name__}: {error}")
            return
        done.wait(chance.expovariate(1 / pause_s))


def _come_to_rest(api: PatientApi, ledger: Ledger, topic_id: int) -> list[str]:
    """Wait until nothing is under way; gives sentences about uploads that are lost or failed."""
    ends = time.monotonic() + REST_WITHIN_S
    while time.monotonic() < ends:
        jobs = {job["id"]: job for job in api.pages("/admin/kb/jobs", topic_id=topic_id)}
        if not any(job["status"] in ("queued", "processing") for job in jobs.values()):
            break
        time.sleep(0.5)
    return [
        f"{one.file.name}: {'lost' if job is None else (job['status'], job['error'])}"
        for one in ledger.uploads()
        if (job := jobs.get(one.job_id)) is None
        or (job["status"] not in ("done", "awaiting_review") and not one.discarded)
    ]


def _table(times: dict[str, list[float]], *, seconds: float) -> str:
    rows = []
    for kind, taken in sorted(times.items()):
        found = percentiles(taken)
        rows.append([kind, str(len(taken)), f"{len(taken) / seconds:.1f}", f"{found.p50:.0f}", f"{found.p95:.0f}"])
    return markdown(["request", "times", "a second", "p50 ms", "p95 ms"], rows)


if __name__ == "__main__":
    sys.exit(main())
