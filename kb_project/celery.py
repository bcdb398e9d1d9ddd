"""The Celery application, its log, and the heartbeat by which `/readyz` knows that a worker lives."""

from kb_project.processes.beginning import begin

begin()

import contextlib
import gc
import logging.config
import os
import signal
import threading
import time
from typing import Any

import redis
from billiard import active_children
from celery import Celery
from celery.signals import (
    beat_init,
    before_task_publish,
    setup_logging,
    task_postrun,
    task_prerun,
    worker_init,
    worker_process_shutdown,
    worker_ready,
    worker_shutdown,
    worker_shutting_down,
)
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.db import close_old_connections

from kb_project.configuration.startup import run_startup_checks
from kb_project.observability import request_ids, tracing
from kb_project.processes import ending
from law import patterns

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "kb_project.settings")
os.environ.setdefault("CELERY_SKIP_CHECKS", "true")  # `begin_with_sound_settings` looks, with less to import


class Application(Celery):
    """Celery whose senders wait for no broker that hangs: the table is the queue, and what was not sent is seen there.

    Workers keep the patience of `CELERY_BROKER_TRANSPORT_OPTIONS`: they wait at the broker for what comes.
    """

    def connection_for_write(self, *args: Any, **options: Any) -> Any:
        return super().connection_for_write(*args, **{"transport_options": SENDING, **options})


SENDING = {"socket_timeout": 2, "socket_connect_timeout": 2, "max_retries": 0}  # seconds and tries of who sends
app = Application("kb_project")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()

REQUEST_HEADER = "kb_request_id"  # of a message: the request that had it sent
HEARTBEAT_KEY = "kb:worker:heartbeat:"
HEARTBEAT_EVERY_S = 10
HEARTBEAT_EXPIRES_S = 30
PATIENCE_S = 2  # of who asks for the workers
EXIT_WITHIN_S = 8  # of a worker whose jobs were given back, and that cannot end by itself
_stopping = threading.Event()
log = logging.getLogger(__name__)


@setup_logging.connect
def log_as_the_web_process_does(**_: Any) -> None:
    """One form of log for all processes. Celery sets up none of its own then."""
    logging.config.dictConfig(settings.LOGGING)


@beat_init.connect
@worker_init.connect
def begin_with_sound_settings(**_: Any) -> None:
    try:
        run_startup_checks()
    except ImproperlyConfigured as mistake:
        raise SystemExit(str(mistake)) from mistake  # Celery logs any other exception of a receiver, and goes on


@worker_init.connect
def stand_back(**_: Any) -> None:
    """Leave the processor to whoever answers people on this machine. The worker's processes and readers inherit it."""
    with contextlib.suppress(OSError):
        os.nice(settings.KB_WORKER_NICE)


@worker_init.connect
def keep_what_is_loaded(**_: Any) -> None:
    """Celery has all objects looked through before each fork, and the worker's processes share what nobody touches."""
    patterns.compile_all()
    gc.freeze()


@before_task_publish.connect
def send_request_id_along(headers: dict[str, Any], **_: Any) -> None:
    if request_id := request_ids.current_request_id():
        headers[REQUEST_HEADER] = request_id


@task_prerun.connect
def start_tracing(task: Any, **_: Any) -> None:
    """Here and not when the worker starts: this is the process, after every fork, that does the work."""
    name = str(getattr(task.request, "hostname", None) or "").partition("@")[0]
    tracing.start("worker" if name == "celery" else name or "command")


@worker_process_shutdown.connect
def send_last_spans(**_: Any) -> None:
    """A pool's process ends without what `atexit` was told."""
    tracing.stop()


@task_prerun.connect
def begin_log_ids(task_id: str, task: Any, **_: Any) -> None:
    request_ids.begin(task_id=task_id, request_id=getattr(task.request, REQUEST_HEADER, None) or "")


@task_prerun.connect
def look_after_connections(**_: Any) -> None:
    """As at the start of a request: a connection that is broken or has grown old is closed, any other tried first."""
    close_old_connections()


@task_postrun.connect
def end_log_ids(**_: Any) -> None:
    request_ids.end()


@worker_ready.connect
def start_heartbeat(sender: Any, **_: Any) -> None:
    """Write this worker's key, with its queues, every few seconds. It expires by itself when the worker dies."""
    queues = ",".join(sender.app.amqp.queues.consume_from)

    def beat() -> None:
        client = redis.Redis.from_url(app.conf.broker_url, socket_timeout=5, socket_connect_timeout=5)
        while True:
            # While the broker is away the key expires, which is what /readyz should then see.
            with contextlib.suppress(redis.RedisError):
                client.set(HEARTBEAT_KEY + sender.hostname, queues, ex=HEARTBEAT_EXPIRES_S)
            if _stopping.wait(HEARTBEAT_EVERY_S):
                return

    threading.Thread(target=beat, name="worker-heartbeat", daemon=True).start()


@worker_shutdown.connect
def stop_heartbeat(sender: Any, **_: Any) -> None:
    """Take the key away at once, so that a stopped worker is not counted as alive for its last seconds."""
    _end_heartbeat(sender.hostname)


def _end_heartbeat(hostname: str) -> None:
    _stopping.set()
    with contextlib.suppress(redis.RedisError):
        client = redis.Redis.from_url(app.conf.broker_url, socket_timeout=5, socket_connect_timeout=5)
        client.delete(HEARTBEAT_KEY + hostname)


@worker_shutting_down.connect
def end_in_time(sender: str, **_: Any) -> None:
    """Asked to stop, a worker takes no more and ends what it has. What takes too long is given back, then cut off.

    `ingest.jobs.claims` gives back jobs. Everything else in a worker is done anew by the next hint.
    """
    ending.set_shutdown_deadline(settings.KB_WORKER_GRACE_S)

    def cut_off() -> None:
        time.sleep(settings.KB_WORKER_GRACE_S + EXIT_WITHIN_S)
        log.warning("Tasks that did not end in time are cut off")
        for child in active_children():
            with contextlib.suppress(ProcessLookupError):
                os.kill(child.pid, signal.SIGKILL)
        _end_heartbeat(sender)
        os._exit(0)

    threading.Thread(target=cut_off, name="end-in-time", daemon=True).start()


def live_workers() -> dict[str, str]:
    """The workers that reported within `HEARTBEAT_EXPIRES_S`, by name, with their queues. Raises `redis.RedisError`."""
    with redis.Redis.from_url(
        settings.CELERY_BROKER_URL, socket_timeout=PATIENCE_S, socket_connect_timeout=PATIENCE_S
    ) as client:
        keys = list(client.scan_iter(match=f"{HEARTBEAT_KEY}*", count=1000))
        found = zip(keys, client.mget(keys) if keys else (), strict=True)
        return {
            key.decode("utf-8", "replace").removeprefix(HEARTBEAT_KEY): queues.decode("utf-8", "replace")
            for key, queues in found
            if queues is not None  # it expired meanwhile
        }
