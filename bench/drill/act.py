"""One act of a drill: a stack of its own, clients at work, and one fault after the other until the time is up."""

import random
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from bench.client import ApiError
from bench.drill import clients as clients_of
from bench.drill import faulty_s3
from bench.drill.faults import Fault, Order, Scene, promise
from bench.drill.ledger import Decision, Ledger
from bench.drill.machine import Processes, small_disk
from bench.drill.patient import NotHealed, PatientApi
from bench.drill.people import Curator, Reader, Reviewer
from bench.drill.uploaders import Uploader
from bench.made_up import MadeFile
from bench.stack import Stack, running, settings_of_stack
from tests.anthropic_server import AnthropicServer

WORKERS = 3
UPLOADERS = 4
SHARE_OF_UPLOADS = 0.8  # of the time: the last files are to be decided and indexed under faults too
FILES_MB, TEMPORARY_MB, DATABASE_MB = 96, 48, 1200
WHOLE_AGAIN_WITHIN_S = 180.0  # then the drill goes on without
NEXT_FAULT_S = (1.0, 4.0)


@dataclass(slots=True)
class Injection:
    """One fault as it was made, with the times of its beginning and end. `recovery_s` runs from its end.

    It is None where that took too long, and `given_up` is when.
    """

    fault: str
    began: float
    ended: float
    recovery_s: float | None = None
    given_up: float = 0.0

    @property
    def whole(self) -> float:
        """When all was whole again, or no longer waited for."""
        return self.given_up if self.recovery_s is None else self.ended + self.recovery_s


@dataclass(slots=True)
class Act:
    """An act under way: its stack, and what its clients know."""

    name: str
    stack: Stack
    faults: list[Fault]
    topic_id: int
    api: PatientApi
    ledger: Ledger
    files: dict[str, MadeFile]
    injections: list[Injection] = field(default_factory=list)
    skipped: list[str] = field(default_factory=list)


@contextmanager
def opened(name: str, *, folder: Path, files: Sequence[MadeFile], seed: int) -> Iterator[Act]:
    """Start everything that an act needs, on local files or (`name` is "s3") on S3; stop and remove it at the end."""
    with ExitStack() as things:
        disks = [
            disk
            for place, megabytes in (("files", FILES_MB), ("tmp", TEMPORARY_MB))
            if (disk := things.enter_context(small_disk(folder / place, megabytes=megabytes)))
        ]
        database_disk = things.enter_context(small_disk(folder / "postgres", megabytes=DATABASE_MB))
        model = things.enter_context(AnthropicServer())
        promise(model, answer={}, stream={})
        s3 = things.enter_context(faulty_s3.faulty_s3()) if name == "s3" else None
        settings = {
            "KB_WEB_PROCESSES": "2",
            "KB_WORKER_CONCURRENCY": str(WORKERS),
            "KB_CLASSIFIER": "anthropic",
            "KB_ANSWERER": "anthropic",
            "ANTHROPIC_API_KEY": "drill",
            "ANTHROPIC_BASE_URL": model.url,
            "KB_STORAGE": "filesystem",
            "TMPDIR": str(folder / "tmp"),
            **(faulty_s3.environment(s3) if s3 else {}),
        }
        things.enter_context(settings_of_stack(settings))
        stack = things.enter_context(running(folder))
        ledger = Ledger()
        stop = threading.Event()
        api = PatientApi(stack.base_url, stack.api_key, ledger=ledger, stop=stop)
        things.callback(api.close)
        things.callback(stop.set)
        topic = {"name": f"Drill {name}", "slug": f"drill-{name}-{seed}"}
        topic_id = int(api.once("POST", "/admin/kb/topics", json=topic)["id"])
        processes = Processes(stack.pid)
        clients_of.start("watch", ledger, partial(_watch, ledger, processes, stop))
        scene = Scene(
            processes=processes,
            database_url=stack.database_url,
            data=folder,
            model=model,
            # With S3 only what is temporary lies on this machine.
            disks=[disk for disk in disks if s3 is None or disk.folder.name == "tmp"],
            database_disk=database_disk,
            s3=s3,
            chance=random.Random(seed),
        )
        made = Act(name, stack, scene.faults(), topic_id, api, ledger, {file.name: file for file in files})
        if not disks:
            made.skipped.append("disk full: only root can mount the small disk that it needs")
        yield made


def perform(act: Act, *, seconds: float, only: str, chance: random.Random) -> None:
    """Let the clients work while faults come, until the time is up and every file has been sent."""
    chosen = [fault for fault in act.faults if only in ("", fault.name)]
    done = threading.Event()
    uploads, people = _at_work(act, seconds=seconds, chance=chance, done=done)
    ends = time.monotonic() + seconds
    try:
        order = Order(chosen, chance)
        while (now := time.monotonic()) < ends and chosen:
            fault = order.next(now)
            if fault is None:
                time.sleep(1.0)
                continue
            inject(act, fault, chance=chance)
            time.sleep(chance.uniform(*NEXT_FAULT_S))
        time.sleep(max(0.0, ends - time.monotonic()))
        for thread in uploads:
            thread.join()
    finally:
        done.set()
    for thread in people:
        thread.join()


def _at_work(
    act: Act, *, seconds: float, chance: random.Random, done: threading.Event
) -> tuple[list[threading.Thread], list[threading.Thread]]:
    """Start the clients: those who upload, who end by themselves, and the people, who end when it is done."""
    clients: dict[str, Any] = {"api": act.api, "ledger": act.ledger, "topic_id": act.topic_id}
    pieces = clients_of.pieces(list(act.files.values()), chance=chance, seconds=seconds * SHARE_OF_UPLOADS)
    uploads = [
        clients_of.start(f"uploader {number}", act.ledger, partial(Uploader(**clients).send, pieces, chance.random()))
        for number in range(UPLOADERS)
    ]
    looks: list[tuple[str, Callable[[random.Random], object], float]] = [
        ("reviewer", Reviewer(**clients, files=act.files).look, 1.0),
        ("curator", Curator(**clients).act, 2.5),
        ("reader", Reader(**clients).look, 0.7),
    ]
    people = [clients_of.repeat(name, act.ledger, look, every_s=every_s, done=done) for name, look, every_s in looks]
    return uploads, people


def inject(act: Act, fault: Fault, *, chance: random.Random) -> None:
    """Make the fault, end it, and wait until the service is whole."""
    seconds = chance.uniform(*fault.lasts_s)
    print(f"{time.strftime('%H:%M:%S')} {act.name}: {fault.name}", end="", file=sys.stderr, flush=True)
    began = time.time()
    try:
        fault.begin()
        time.sleep(seconds)
    finally:
        fault.end()
    injection = Injection(fault.name, began, time.time())
    act.injections.append(injection)
    try:
        injection.recovery_s = _whole_again(act, number=len(act.injections), since=injection.ended)
    except ApiError as refusal:
        act.ledger.complain(f"after {fault.name}: {refusal}")
    except NotHealed as given_up:
        act.ledger.complain(f"after {fault.name}, the service did not come back: {given_up}")
    injection.given_up = time.time()
    said = "not whole in time" if injection.recovery_s is None else f"whole after {injection.recovery_s:.1f} s"
    print(f": {said}", file=sys.stderr, flush=True)


def _whole_again(act: Act, *, number: int, since: float) -> float | None:
    """Seconds until the service is ready, a search is answered, and a new upload has come to rest."""
    ends = since + WHOLE_AGAIN_WITHIN_S
    while not act.api.is_ready():
        if time.time() > ends:
            return None
        act.api.pause(0.2)
    act.api.safe("POST", "/kb/search", json={"query": "register", "topic_id": act.topic_id})
    word = f"canary{act.name}{number}"
    file = MadeFile(f"{word}.txt", f"Canary Act 2020\n1. This provision applies to {word}.\n".encode(), "law", word)
    act.files[file.name] = file
    job_id = Uploader(api=act.api, ledger=act.ledger, topic_id=act.topic_id).single(
        file, Decision(title=f"The act of {word}", kind="law")
    )
    while job_id is not None and act.api.job(job_id)["status"] not in ("done", "failed"):
        if time.time() > ends:
            return None
        act.api.pause(0.2)
    return time.time() - since


def _watch(ledger: Ledger, processes: Processes, stop: threading.Event) -> None:
    """End all waiting when the supervisor itself has ended: nothing will come back then."""
    while not stop.wait(1.0):
        if not processes.supervised():
            ledger.complain("`manage.py up` ended by itself")
            stop.set()
