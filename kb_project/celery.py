"""The Celery application, and the heartbeat by which `/readyz` knows that a worker lives."""

from __future__ import annotations

import contextlib
import os
import threading
from typing import Any

import redis
from celery import Celery
from celery.signals import worker_ready, worker_shutdown

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "kb_project.settings")

app = Celery("kb_project")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()

HEARTBEAT_KEY = "kb:worker:heartbeat:"
HEARTBEAT_EVERY_S = 10
HEARTBEAT_EXPIRES_S = 30
_stopping = threading.Event()


@worker_ready.connect
def start_heartbeat(sender: Any, **_: Any) -> None:
    """Write this worker's key every few seconds; it expires by itself when the worker dies."""

    def beat() -> None:
        client = redis.Redis.from_url(app.conf.broker_url, socket_timeout=5, socket_connect_timeout=5)
        while True:
            # While the broker is away the key expires, which is what /readyz should then see.
            with contextlib.suppress(redis.RedisError):
                client.set(HEARTBEAT_KEY + sender.hostname, "1", ex=HEARTBEAT_EXPIRES_S)
            if _stopping.wait(HEARTBEAT_EVERY_S):
                return

    threading.Thread(target=beat, name="worker-heartbeat", daemon=True).start()


@worker_shutdown.connect
def stop_heartbeat(sender: Any, **_: Any) -> None:
    """Take the key away at once, so that a stopped worker is not counted as alive for its last seconds."""
    _stopping.set()
    with contextlib.suppress(redis.RedisError):
        client = redis.Redis.from_url(app.conf.broker_url, socket_timeout=5, socket_connect_timeout=5)
        client.delete(HEARTBEAT_KEY + sender.hostname)
