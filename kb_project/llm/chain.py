"""A chain: what answers is the first of several that can, within the time of one.

Models that failed are left alone by all processes of the service, but for one try in each pause. So a provider that
hangs costs one request its wait, and not every request. The state is in Redis. While Redis does not answer nobody is
left alone.
"""

import hashlib
import logging
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import astuple, dataclass
from typing import Generic, TypeVar

import redis

from kb_project.clients.redis_client import shared_memory
from kb_project.llm.protocol import ModelKey

logger = logging.getLogger(__name__)

_REMEMBERED_S = 24 * 3600  # that it failed, if nobody asks again
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class ChainLink(Generic[T]):
    """One of a chain whose turn it is: `share_s` seconds are its own, `following` are asked if it fails."""

    asked: T
    share_s: float
    following: Sequence[T]


def links(
    chain: Sequence[T], *, within_s: float, waits: Callable[[T], bool] = lambda _: True
) -> Iterator[ChainLink[T]]:
    """Each in turn, to be left at the first that answers.

    Those that wait for others (`waits`) share evenly what is left of the time when their turn comes. One that does not
    is given what is left for the next that does.
    """
    ends = time.monotonic() + within_s
    for at, asked in enumerate(chain):
        following = chain[at + 1 :]
        waiting = 1 + sum(waits(one) for one in following)
        yield ChainLink(asked, (ends - time.monotonic()) / waiting, following)


def circuit_is_open(key: ModelKey, *, role: str, pause_s: float) -> bool:
    """Whether the model failed and was not tried since. A caller who is told no is its one try in `pause_s` seconds."""
    failed, paused = _names(key, role)
    try:
        client = shared_memory()
        return bool(client.exists(failed)) and not client.set(paused, 1, nx=True, px=int(pause_s * 1000))
    except (redis.RedisError, OSError):
        return False


def note_failure(key: ModelKey, *, role: str, pause_s: float) -> None:
    """Leave the model alone for `pause_s` seconds, and until it answers after that."""
    failed, paused = _names(key, role)
    try:
        pipeline = shared_memory().pipeline()
        pipeline.set(failed, 1, ex=_REMEMBERED_S)
        pipeline.set(paused, 1, px=int(pause_s * 1000))
        pipeline.execute()
    except (redis.RedisError, OSError):
        logger.warning("Redis does not answer, so %s is asked again at once", key.model)


def note_answer(key: ModelKey, *, role: str) -> None:
    """Have the model asked by everybody again."""
    try:
        shared_memory().delete(*_names(key, role))
    except (redis.RedisError, OSError):
        logger.warning("Redis does not answer, so %s may be left alone although it is well", key.model)


def _names(key: ModelKey, role: str) -> tuple[str, str]:
    name = hashlib.sha256("\0".join((role, *astuple(key))).encode()).hexdigest()[:24]
    return f"kb:llm:failed:{name}", f"kb:llm:paused:{name}"
