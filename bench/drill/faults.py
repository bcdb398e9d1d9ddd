"""The faults: what each breaks, for how long, and how it ends."""

import random
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import psycopg

from bench.drill.faulty_s3 import FaultyS3
from bench.drill.machine import Processes, SmallDisk
from tests.anthropic_server import AnthropicServer

STEADY_S = 61.0  # the supervisor forgives the crashes of a program that then ran for a minute
JUMP_H = 6
STORM = 7
A_WHILE_S = (4.0, 10.0)
NAMES = (
    *("pool process", "worker", "worker storm", "classifier storm", "web", "redis", "postgres"),
    *("clock ahead", "clock back"),
    *("model 429", "model 529", "model hangs", "model cut off"),
    *("disk full", "database disk full", "storage 503", "storage hangs"),
)
PROPOSAL = {"kind": "circular", "title": "A title that was proposed", "labels": [{"name": "Proposed"}]}

JUMPS = (
    "UPDATE kb_ingest_job SET heartbeat_at = heartbeat_at + %(by)s, hinted_at = hinted_at + %(by)s"
    " WHERE status IN ('queued', 'processing')",
    "UPDATE kb_classify_slot SET expires_at = expires_at + %(by)s WHERE holder <> ''",
    "UPDATE kb_file_deletion SET requested_at = requested_at + %(by)s",
)


@dataclass(frozen=True, kw_only=True)
class Fault:
    """`begin` breaks something, `end` lets go of it after `lasts_s` seconds; `rest_s` is kept between two of a kind."""

    name: str
    begin: Callable[[], object]
    end: Callable[[], object] = lambda: None
    lasts_s: tuple[float, float] = (0.0, 0.0)
    rest_s: float = 0.0


@dataclass(kw_only=True)
class Scene:
    """What the faults of an act work on."""

    processes: Processes
    database_url: str
    data: Path
    model: AnthropicServer
    disks: Sequence[SmallDisk] = ()
    database_disk: SmallDisk | None = None
    s3: FaultyS3 | None = None
    chance: random.Random = field(default_factory=random.Random)

    def faults(self) -> list[Fault]:
        """Every fault that can be made here."""
        return [
            *self._of_processes(),
            *self._of_the_clock(),
            *self._of_the_model(),
            *(self._of_disks() if self.disks else ()),
            *(self._of_the_database_disk(self.database_disk) if self.database_disk else ()),
            *(self._of_s3(self.s3) if self.s3 else ()),
        ]

    def _of_processes(self) -> Iterator[Fault]:
        yield Fault(name="pool process", begin=self.kill_pool_process)
        for part in ("worker", "web"):
            yield Fault(name=part, begin=partial(self.processes.kill, part), rest_s=STEADY_S)
        for part in ("worker", "classifier"):
            yield Fault(name=f"{part} storm", begin=partial(self.kill_often, part), rest_s=STEADY_S)
        yield Fault(name="redis", begin=self.kill_redis, rest_s=STEADY_S)
        # An immediate stop, after which the supervisor starts it again.
        stop = partial(self.processes.kill, "postgres", number=signal.SIGQUIT)
        yield Fault(name="postgres", begin=stop, rest_s=STEADY_S)

    def kill_often(self, part: str) -> None:
        for _ in range(STORM):
            self.processes.kill(part)
            time.sleep(20 / STORM)

    def kill_pool_process(self) -> None:
        if pool := self.processes.pool():
            self.chance.choice(pool).kill()

    def kill_redis(self) -> None:
        self.processes.kill("redis")
        for left in (self.data / "redis").glob("*.rdb"):
            left.unlink(missing_ok=True)

    def _of_the_clock(self) -> Iterator[Fault]:
        for name, hours in (("clock ahead", JUMP_H), ("clock back", -JUMP_H)):
            yield Fault(name=name, begin=partial(self.jump, hours))

    def jump(self, hours: int) -> None:
        """As if the clock had been wrong when heartbeats, hints, leases and deletions were written."""
        self.kill_pool_process()
        with psycopg.connect(self.database_url, connect_timeout=5) as connection:
            for statement in JUMPS:
                connection.execute(statement.replace("%(by)s", f"interval '{hours} hours'"))

    def _of_the_model(self) -> Iterator[Fault]:
        whole: dict[str, tuple[dict[str, object], dict[str, object]]] = {
            "model 429": ({"status": 429, "headers": {"retry-after": "1"}}, {"status": 429}),
            "model 529": ({"status": 529}, {"status": 529}),
            "model hangs": ({"delay_s": 600.0}, {"delay_s": 600.0}),
            "model cut off": ({"cut": True}, {"cut": True, "breaks_after": 2}),
        }
        for name, (answer, stream) in whole.items():
            begin, end = (partial(promise, self.model, answer=a, stream=s) for a, s in ((answer, stream), ({}, {})))
            yield Fault(name=name, begin=begin, end=end, lasts_s=A_WHILE_S)

    def _of_disks(self) -> Iterator[Fault]:
        yield Fault(name="disk full", begin=self.fill_disks, end=self.clear_disks, lasts_s=A_WHILE_S)

    def fill_disks(self) -> None:
        for disk in self.disks:
            disk.fill()

    def clear_disks(self) -> None:
        for disk in self.disks:
            disk.clear()

    def _of_the_database_disk(self, disk: SmallDisk) -> Iterator[Fault]:
        yield Fault(
            name="database disk full",
            begin=lambda: self.fill_under_the_database(disk),
            end=disk.clear,
            lasts_s=(10.0, 20.0),
            rest_s=STEADY_S,
        )

    def fill_under_the_database(self, disk: SmallDisk) -> None:
        """Until Postgres gives up, as it does when its log of changes finds no room."""
        disk.fill()
        with suppress(psycopg.OperationalError), psycopg.connect(self.database_url, connect_timeout=5) as connection:
            for _ in range(200):
                connection.execute("SELECT pg_logical_emit_message(false, 'drill', repeat('x', 1000000), true)")
                connection.commit()

    def _of_s3(self, s3: FaultyS3) -> Iterator[Fault]:
        for name, begin in (("storage 503", s3.refuse), ("storage hangs", s3.hang)):
            yield Fault(name=name, begin=begin, end=s3.heal, lasts_s=A_WHILE_S)


def promise(model: AnthropicServer, *, answer: dict[str, object], stream: dict[str, object]) -> None:
    """Have the model answer so from now on; with nothing named, as it should."""
    model.forget_promises()
    model.will_answer(PROPOSAL, **answer)
    model.will_stream(**stream)


class Order:
    """In which order faults come: all in turn, shuffled anew each time, none before its rest is over."""

    def __init__(self, faults: Sequence[Fault], chance: random.Random) -> None:
        self._faults, self._chance = list(faults), chance
        self._round: list[Fault] = []
        self._last: dict[str, float] = {}

    def next(self, now: float) -> Fault | None:
        """The next fault; None while all of them rest. `now` is in seconds of `time.monotonic()`."""
        if not self._round:
            self._round = self._chance.sample(self._faults, len(self._faults))
        for fault in self._round:
            if now - self._last.get(fault.name, -STEADY_S) >= fault.rest_s:
                self._round.remove(fault)
                self._last[fault.name] = now
                return fault
        return None
