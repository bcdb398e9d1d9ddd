"""Servers of one's own, which DATABASE_URL and REDIS_URL name: whether they answer, before anything is started."""

import threading
from collections.abc import Callable

import environ
import redis
from django.conf import settings
from django.db.utils import ConnectionHandler

from kb_project.operations.local_stack import CannotStart

ANSWER_WITHIN_S = 5


def require_database(url: str) -> None:
    """Raises CannotStart when no database answers at the URL, with the server's or the network's reason."""
    # As Django connects: it reads a URL otherwise than libpq, and libpq's complaint about one would show the password.
    parameters = settings.DATABASES["default"] | environ.Env.db_url_config(url)
    options = {**parameters.get("OPTIONS", {}), "connect_timeout": ANSWER_WITHIN_S}
    options.pop("pool", None)
    connections = ConnectionHandler(
        {"default": {**parameters, "ENGINE": "django.db.backends.postgresql", "OPTIONS": options}}
    )

    def look() -> None:
        connections["default"].ensure_connection()
        connections["default"].close()

    _require("DATABASE_URL", look)


def require_broker(url: str) -> None:
    """Raises CannotStart when no Redis answers at the URL, with the server's or the network's reason."""

    def look() -> None:
        with redis.Redis.from_url(
            url, socket_timeout=ANSWER_WITHIN_S, socket_connect_timeout=ANSWER_WITHIN_S
        ) as client:
            client.ping()

    _require("REDIS_URL", look)


def _require(variable: str, look: Callable[[], None]) -> None:
    """Looks in a thread of its own: no client's time limit covers the look-up of a name."""
    trouble: list[str] = []

    def run() -> None:
        try:
            look()
        except Exception as error:  # whatever it is: nobody else hears of what ends this thread
            trouble.append(" ".join(str(error).split()))

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(ANSWER_WITHIN_S + 1)
    if thread.is_alive():
        trouble.append(f"no answer within {ANSWER_WITHIN_S} seconds")
    if trouble:
        raise CannotStart(f"The server that {variable} names does not answer: {trouble[0]}")
