"""A worker in this process, until it is asked to end."""

import contextlib
import errno
import gc
import importlib
import logging
import os
import signal
import sys
import threading
import time
from typing import Any, NoReturn

from celery import Celery, beat
from celery.signals import worker_ready, worker_shutting_down
from celery.utils.nodenames import host_format
from django.conf import settings

from kb_project.celery import app
from law import patterns

OF_SESSION = "/proc/self/autogroup"
TRIES = 20  # the kernel takes one such wish in a tenth of a second, of the whole machine
log = logging.getLogger(__name__)
_ending = threading.Event()
# What a worker else imports after it is forked: when it is made, and when it first asks a model.
LATE = ("celery.worker.components", "celery.worker.consumer", "kombu.transport.redis", "httpx2", "httpcore2")
WORKER, CLASSIFIER = "celery@%h", "classifier@%h"  # their names among the workers of all machines


def run_worker(*, hostname: str = WORKER, concurrency: int | None) -> NoReturn:
    """The one that reads and indexes documents. `concurrency` processes, as the settings say where it is None."""
    _run(hostname=hostname, concurrency=concurrency)


def run_classifier(*, hostname: str = CLASSIFIER, with_beat: bool) -> NoReturn:
    """The one that waits for others, where it is wanted with beat in a thread."""
    stand_back_as_session(settings.KB_WORKER_NICE)  # a check of a text takes a processor, and searches go first
    if with_beat:
        _beat_beside(app)
    _run(
        hostname=hostname,
        pool_cls="threads",  # most that it does is to wait; documents are read in child processes here too
        concurrency=settings.KB_CLASSIFIER_THREADS,
        queues=",".join(settings.KB_CLASSIFIER_QUEUES),
    )


def load_all() -> None:
    """Import what workers need, so that those that are forked from this process share it."""
    for name in LATE:
        importlib.import_module(name)
    app.Worker  # noqa: B018  imports it
    app.loader.import_default_modules()
    patterns.compile_all()
    gc.collect()
    gc.freeze()


def _run(*, hostname: str, **options: Any) -> NoReturn:
    """Celery's own command line would import all its commands, and a shell with them: 7 MB."""
    worker = app.Worker(
        hostname=host_format(hostname),
        loglevel="INFO",
        without_gossip=True,
        without_mingle=True,
        without_heartbeat=True,
        **options,
    )
    worker.start()
    sys.exit(worker.exitcode)


def _beat_beside(app: Celery) -> None:
    """Have beat run in a thread of a worker that does not fork, from when that is ready until it is asked to stop.

    A beat that fails takes the process with it, which whoever started it starts again.
    """

    def start(**_: Any) -> None:
        service = beat.Service(app, scheduler_cls=app.conf.beat_scheduler)

        def stop(**_: Any) -> None:
            _ending.set()
            service.stop()

        worker_shutting_down.connect(stop, weak=False)
        threading.Thread(target=run, args=[service], name="beat", daemon=True).start()

    def run(service: beat.Service) -> None:
        try:
            service.start()
        except Exception:
            log.exception("Beat ended")
        if not _ending.is_set():
            os.kill(os.getpid(), signal.SIGTERM)

    worker_ready.connect(start, weak=False)


def stand_back_as_session(by: int) -> None:
    """Make the session that nice, if this process leads one. Where that cannot be had, nothing happens.

    Where Linux shares the processor among sessions (`sched_autogroup_enabled`, as on most machines), niceness counts
    only among the processes of one session. Each program of ours has a session of its own.
    """
    with contextlib.suppress(OSError):
        if os.getsid(0) == os.getpid():
            _of_session(by)


def _of_session(niceness: int) -> None:
    for _ in range(TRIES):
        try:
            with open(OF_SESSION, "w") as file:
                file.write(str(niceness))
        except OSError as error:
            if error.errno != errno.EAGAIN:
                raise
            time.sleep(0.1)
        else:
            return
