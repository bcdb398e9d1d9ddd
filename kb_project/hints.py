"""Hints over the broker. One may be lost or doubled: what is to be done stands in the database."""

import logging
import time
from typing import Any

logger = logging.getLogger(__name__)

AWAY_S = 2.0  # how long a broker that did not answer is not asked again
_away_until = 0.0


def send_hint(task: str, *args: Any, **options: Any) -> bool:
    """Tell a worker to look. Returns False when the broker is away. `options` are those of Celery's `send_task`."""
    global _away_until
    if time.monotonic() < _away_until:
        return False
    from kombu.exceptions import OperationalError  # here, as most commands hint at nothing

    from kb_project.celery import app

    try:
        app.send_task(task, args=args, **options)
    except OperationalError:
        logger.warning("The broker is away; %s is hinted at later", task)
        _away_until = time.monotonic() + AWAY_S
        return False
    return True
