"""The probes: `/healthz` says that the process is up, `/readyz` that all it needs is there, or what is missing."""

import logging
import os
import shutil
import socket
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures import TimeoutError as Expired
from functools import lru_cache
from typing import Any

import redis
from django.conf import settings
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db import DatabaseError, OperationalError, connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from kb_project.api.problem import problem_of
from kb_project.api.strict import refuse_query
from kb_project.celery import HEARTBEAT_EXPIRES_S, app, live_workers
from kb_project.database.standbys import configured
from kb_project.database.standbys.watching import watch
from kb_project.errors import Unavailable
from kb_project.integrity.run import summary
from kb_project.web import leaving

logger = logging.getLogger(__name__)

LEAST_FREE = 32 * 1024 * 1024  # bytes on the disk of the data directory


class NotReady(Exception):
    """A check's finding: the sentence says what is wrong, fit to be shown to anyone."""


class Check:
    """One part that must work. `look` returns when it does and raises when not; it gets `timeout_s` seconds.

    It runs in a thread of its own, since not every client can be told to give up in time. Requests that come while
    it runs share its outcome, so a part that hangs holds one thread, however often it is asked.
    """

    def __init__(self, name: str, look: Callable[[], None], *, timeout_s: float = 3.0) -> None:
        self.name = name
        self.look = look
        self.timeout_s = timeout_s
        self._lock = threading.Lock()
        self._running: Future[None] | None = None

    def start(self) -> Future[None]:
        with self._lock:
            if self._running is None or self._running.done():
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
        except BaseException as error:
            outcome.set_exception(error)
        else:
            outcome.set_result(None)


CHECKS: list[Check] = []


def register(name: str, look: Callable[[], None], *, timeout_s: float = 3.0) -> None:
    """Add a check to `/readyz`, for the `AppConfig.ready` of an app that needs more. Replaces its namesake."""
    CHECKS[:] = [*(check for check in CHECKS if check.name != name), Check(name, look, timeout_s=timeout_s)]


# What an app tells beside the answer "ready", by the field of `Readiness`.
TOLD: dict[str, Callable[[], Any]] = {}


def failures() -> dict[str, str]:
    """Run all checks side by side; the failed ones with what is wrong, none when the service is ready."""
    started = time.monotonic()
    runs = [(check, check.start()) for check in CHECKS]
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
    if free < LEAST_FREE:
        raise NotReady(f"The disk of the data directory is full: {free // (1024 * 1024)} MB are free.")


def check_broker() -> None:
    """The broker answers."""
    with redis.Redis.from_url(settings.CELERY_BROKER_URL, socket_timeout=2, socket_connect_timeout=2) as client:
        client.ping()


def check_worker() -> None:
    """Some worker that indexes wrote its heartbeat; without a classifier only batches wait, so none is asked for."""
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
register("storage", check_storage, timeout_s=5.0)
register("worker", check_worker)


@lru_cache(maxsize=1)
def _known_migrations() -> frozenset[tuple[str, str]]:
    """The migrations on disk; reading them takes a while, and they do not change under a running process."""
    return frozenset(MigrationLoader(None, ignore_no_migrations=True).disk_migrations)


class Health(serializers.Serializer):
    """What a probe is told when all is well."""

    status = serializers.CharField()


class Probe(APIView):
    """Open to everyone and never throttled: whoever asks may be a machine that restarts us."""

    authentication_classes = []
    permission_classes = []
    throttle_classes = []


class LastCheck(serializers.Serializer):
    """The latest run of the integrity checks, in short."""

    checked_at = serializers.DateTimeField()
    findings = serializers.IntegerField(help_text="Objects that were found wrong and not repaired.")
    failed = serializers.IntegerField(help_text="Checks that broke off.")


class StandbyState(serializers.Serializer):
    """A standby as the process that answers knows it."""

    name = serializers.CharField()
    is_read = serializers.BooleanField()
    lag_seconds = serializers.FloatField(
        allow_null=True, help_text="For how long at most the primary had what it has not; null when nobody knows."
    )
    trouble = serializers.CharField(help_text="Why it is not read.")


class IndexState(serializers.Serializer):
    """How far an index outside the database is."""

    waiting = serializers.IntegerField(
        help_text="Changes that are still to be brought in; until then searches read them from the database."
    )


class Readiness(Health):
    """What `/readyz` says when all that the service needs is there."""

    integrity = LastCheck(allow_null=True, help_text="Null before the first run; never a reason not to be ready.")
    standbys = StandbyState(
        many=True, required=False, help_text="Those of `DATABASE_REPLICA_URLS`; never a reason not to be ready."
    )
    index = IndexState(required=False, help_text="With `KB_INDEX=qdrant`; never a reason not to be ready.")


class Healthz(Probe):
    """The web process is up. 503 once it was asked to stop: a proxy sends new requests to another."""

    @extend_schema(responses=Health)
    def get(self, request: Request) -> HttpResponse | Response:
        refuse_query(request)
        if leaving.for_s() is not None:
            return problem_of(Unavailable("This process is stopping."))
        return Response({"status": "ok"})


class Readyz(Probe):
    """Database, broker, storage and a worker are there; otherwise 503, with the failing parts under `checks`."""

    @extend_schema(responses=Readiness)
    def get(self, request: Request) -> HttpResponse | Response:
        refuse_query(request)
        failed = failures()
        if failed:
            sentences = " ".join(f"{name}: {sentence}" for name, sentence in failed.items())
            return problem_of(Unavailable(f"Not ready. {sentences}", checks=failed))
        told = {name: tell() for name, tell in TOLD.items()}
        standbys = {"standbys": _standbys()} if configured() else {}
        return Response(Readiness({"status": "ready", "integrity": _last_check(), **standbys, **told}).data)


def _standbys() -> list[dict[str, Any]]:
    watching = watch()
    return [
        {
            "name": standby.alias,
            "is_read": not (trouble := watching.trouble(standby)),
            "lag_seconds": watching.lag_s(standby),
            "trouble": trouble,
        }
        for standby in watching.standbys
    ]


def _last_check() -> dict[str, Any] | None:
    try:
        return summary()
    except DatabaseError:
        logger.warning("The latest integrity run could not be read", exc_info=True)
        return None
