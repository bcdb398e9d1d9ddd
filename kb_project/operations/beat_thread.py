"""Beat in a thread of a worker whose pool does not fork: on one machine it needs no process of its own."""

import logging
import os
import signal
import threading
from typing import Any

from celery import Celery, beat
from celery.signals import worker_ready, worker_shutting_down

log = logging.getLogger(__name__)
_ending = threading.Event()


def beat_beside(app: Celery) -> None:
    """Have beat run in this process from when its worker is ready until that is asked to stop.

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
