"""What `/readyz` checks: that all the service needs is there, or what is missing (`kb_project.operations.probes`)."""

import logging
import os
import shutil
import socket
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from concurrent.futures import TimeoutError as Expired
from functools import lru_cache
from typing import Any

import redis
from django.conf import settings
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db import OperationalError, connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from kb_project.celery import HEARTBEAT_EXPIRES_S, app, live_workers
from kb_project.operations.integrity import registry

logger = logging.getLogger(__name__)

STORAGE_EVERY_S = 10.0  # a probe of every load balancer would else cost three requests to S3 each time
MIN_FREE = 32 * 1024 * 1024  # bytes on the disk of the data directory


class NotReady(Exception):
    """A check's finding: the sentence says what is wrong, fit to be shown to anyone."""


class ReadinessCheck:
    """One part that must work. `look` returns when it does and raises when not. It gets `timeout_s` seconds.

    It runs in a thread of its own, since not every client can be told to give up in time. Requests that come while
    it runs share its outcome, so a part that hangs holds one thread, however often it is asked. So do those that come
    within `rest_s` seconds after it, where a look costs something.
    """

    def __init__(self, name: str, look: Callable[[], None], *, timeout_s: float = 3.0, rest_s: float = 0.0) -> None:
        self.name = name
        self.look = look
        self.timeout_s = timeout_s
        self.rest_s = rest_s
        self._rests_until = 0.0
        self._lock = threading.Lock()
        self._running: Future[None] | None = None

    def start(self) -> Future[None]:
        with self._lock:
            if self._running is None or (self._running.done() and time.monotonic() >= self._rests_until):
                self._running = Future()
                thread = threading.Thread(
                    target=self._run, args=[self._running], name=f"check-{self.name}", daemon=True
                )
                thread.start()
            return self._running

    def _run(self, outcome: Future[None]) -> None:
        try:
            try:
                self.look()
            finally:
                connection.close()  # this thread's own; back to the pool
                self._rests_until = time.monotonic() + self.rest_s
        except BaseException as error:
            outcome.set_exception(error)
        else:
            outcome.set_result(None)


_checks: list[ReadinessCheck] = []


def register(name: str, look: Callable[[], None], *, timeout_s: float = 3.0, rest_s: float = 0.0) -> None:
    """Add a check to `/readyz`, for the module `integrity` of an app that needs more. Replaces its namesake."""
    _checks[:] = [
        *(check for check in _checks if check.name != name),
        ReadinessCheck(name, look, timeout_s=timeout_s, rest_s=rest_s),
    ]


# What an app tells beside the answer "ready", by the field of `kb_project.operations.probes.Readiness`.
DETAILS: dict[str, Callable[[], Any]] = {}
# Numbers among them that tell of all topics, and who is told: until an app says who, nobody.
COUNTS = ("passages", "vectors", "waiting")
may_read_counts: list[Callable[[Any], bool]] = []


def details(request: Any) -> dict[str, Any]:
    """What is told beside "ready", to whoever asks."""
    told = {name: tell() for name, tell in DETAILS.items()}
    if any(may(request) for may in may_read_counts):
        return told
    return {name: part and _without_counts(part) for name, part in told.items()}


def _without_counts(part: Mapping[str, Any]) -> dict[str, Any]:
    return {key: None if key in COUNTS else value for key, value in part.items()}


def checks() -> list[ReadinessCheck]:
    """All that are registered."""
    registry.load()
    return list(_checks)


def failures() -> dict[str, str]:
    """Run all checks side by side. The failed ones with what is wrong, none when the service is ready."""
    started = time.monotonic()
    runs = [(check, check.start()) for check in checks()]
    found = {}
    for check, outcome in runs:
        try:
            outcome.result(timeout=max(0.0, started + check.timeout_s - time.monotonic()))
        except NotReady as error:
            found[check.name] = str(error)
        except OperationalError as error:
            logger.warning("The check of %s failed", check.name, exc_info=error)
            found[check.name] = "The database does not answer."
        except Expired:
            found[check.name] = f"No answer within {check.timeout_s:g} seconds."
        except Exception as error:
            logger.warning("The check of %s failed", check.name, exc_info=error)
            found[check.name] = "It does not work; the log says why."
    return found


def check_database() -> None:
    """The database answers, and every migration that this code knows has been applied."""
    applied = MigrationRecorder(connection).applied_migrations()
    missing = sorted(set(_known_migrations()) - set(applied))
    if missing:
        app, name = missing[0]
        raise NotReady(f"{len(missing)} migrations have not been applied, the first is {app}.{name}.")


def check_disk() -> None:
    """There is room where the data directory is: the embedded database and files on this machine need it."""
    free = shutil.disk_usage(settings.DATA_DIR).free
    if free < MIN_FREE:
        raise NotReady(f"The disk of the data directory is full: {free // (1024 * 1024)} MB are free.")


def check_broker() -> None:
    """The broker answers."""
    with redis.Redis.from_url(settings.CELERY_BROKER_URL, socket_timeout=2, socket_connect_timeout=2) as client:
        client.ping()


def check_worker() -> None:
    """Some worker that indexes wrote its heartbeat. Without a classifier only batches wait, so none is asked for."""
    if not any(app.conf.task_default_queue in queues.split(",") for queues in live_workers().values()):
        raise NotReady(f"No worker has reported in the last {HEARTBEAT_EXPIRES_S} seconds.")


def check_storage() -> None:
    """A file can be written, read and deleted."""
    content = os.urandom(16)
    key = default_storage.save(f"health/{socket.gethostname()}-{os.getpid()}", ContentFile(content))
    try:
        with default_storage.open(key) as file:
            if file.read() != content:
                raise NotReady("A file that was written reads differently.")
    finally:
        default_storage.delete(key)


register("database", check_database)
register("disk", check_disk)
register("broker", check_broker)
register("storage", check_storage, timeout_s=5.0, rest_s=STORAGE_EVERY_S)
register("worker", check_worker)


@lru_cache(maxsize=1)
def _known_migrations() -> frozenset[tuple[str, str]]:
    """The migrations on disk. Reading them takes a while, and they do not change under a running process."""
    return frozenset(MigrationLoader(None, ignore_no_migrations=True).disk_migrations)
