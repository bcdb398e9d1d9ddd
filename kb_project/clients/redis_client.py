"""One Redis client for all threads, for what a request cannot wait long for, and texts that are kept for a while."""

import logging
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any, TypeVar

import redis
from django.conf import settings
from django.core.cache.backends.redis import RedisCache, RedisCacheClient
from redis.backoff import NoBackoff
from redis.exceptions import NoScriptError
from redis.retry import Retry

logger = logging.getLogger(__name__)
PAUSE_S = 2.0  # in which a server is not asked again after it was waited for in vain
MAX_IDLE = 20  # connections of a script that wait for its next call
AT_ONCE_S = 0.05  # whoever says no within it costs nobody anything, and is asked again

Answer = TypeVar("Answer")


class PatientOnce(Retry):
    """A connection that has ended is made anew, once. After a wait in vain nobody waits for a while.

    All connections of a client share it. Else each request, and each question of a request, would wait.
    """

    def __init__(self) -> None:
        super().__init__(NoBackoff(), 1, supported_errors=(redis.ConnectionError,))
        self._asked_again_at = 0.0

    def __deepcopy__(self, memo: dict[int, Any]) -> "PatientOnce":
        return self  # every connection copies what its client was given

    def call_with_retry(self, do: Callable[[], Answer], *args: Any, **kwargs: Any) -> Answer:
        """What `do` returns. Raises redis.ConnectionError, at once during a pause, and redis.TimeoutError."""
        began = time.monotonic()
        if began < self._asked_again_at:
            raise redis.ConnectionError("Redis gave no answer a moment ago.")
        try:
            return super().call_with_retry(do, *args, **kwargs)
        except (redis.ConnectionError, redis.TimeoutError):
            if time.monotonic() - began > AT_ONCE_S:
                self._asked_again_at = time.monotonic() + PAUSE_S
            raise


@lru_cache(maxsize=8)
def quick_client(url: str, *, timeout_s: float) -> redis.Redis:
    """Gives up after `timeout_s` seconds, and then at once for `PAUSE_S`."""
    return redis.Redis.from_url(url, socket_timeout=timeout_s, socket_connect_timeout=timeout_s, retry=PatientOnce())


class QuickScript:
    """A script in Lua, called on connections of its own: redis-py's way to a command takes as long as the command."""

    def __init__(self, client: redis.Redis, script: str) -> None:
        self._pool, self._retry = client.connection_pool, client.get_retry() or PatientOnce()
        self._registered = client.register_script(script)
        self._idle: deque[Any] = deque(maxlen=MAX_IDLE)

    def __call__(self, *, keys: Sequence[str], values: Sequence[float]) -> Any:
        """What the script returns. Raises redis.RedisError and OSError."""
        words: list[str | float] = ["EVALSHA", self._registered.sha, len(keys), *keys, *values]
        packed = [f"*{len(words)}\r\n".encode(), *map(_packed, words)]
        try:
            return self._retry.call_with_retry(partial(self._call, b"".join(packed)), self._forget)
        except NoScriptError:
            return self._registered(keys=keys, args=values)  # it is given to the server first

    def _call(self, packed: bytes) -> Any:
        try:
            connection = self._idle.pop()
        except IndexError:
            connection = self._pool.connection_class(**self._pool.connection_kwargs)
        connection.send_packed_command([packed])
        answer = connection.read_response()
        self._idle.append(connection)
        return answer

    def _forget(self, error: Exception) -> None:
        """Give up the other connections: they ended with the server that ended one of them."""
        self._idle.clear()


def _packed(word: str | float) -> bytes:
    content = str(word).encode()
    return b"$%d\r\n%b\r\n" % (len(content), content)


def shared_memory() -> redis.Redis:
    """`REDIS_URL`, for what processes tell each other and can do without: it is hardly waited for."""
    return quick_client(settings.REDIS_URL, timeout_s=settings.REDIS_PATIENCE_S)


class _SharedClient(RedisCacheClient):
    def get_client(self, key: str | bytes | memoryview | None = None, *, write: bool = False) -> redis.Redis:
        return shared_memory()


class SharedCache(RedisCache):
    """Django's cache, over the client of all threads: its own would make one for every request."""

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        super().__init__(server, params)
        self._class = _SharedClient


@dataclass(frozen=True)
class BoundedCache:
    """`prefix` begins the keys, `ages` is where their ages are. A text of more than `largest` bytes is not kept."""

    prefix: str
    ages: str
    most: int
    largest: int

    def find(self, key: str) -> str | None:
        try:
            text: Any = shared_memory().get(self.prefix + key)
        except (redis.RedisError, OSError):
            return None
        return None if text is None else text.decode()

    def store(self, key: str, text: str, *, for_s: int) -> None:
        """Keep a text for so many seconds."""
        if len(text.encode()) > self.largest:
            return
        place = self.prefix + key
        try:
            client = shared_memory()
            client.set(place, text, ex=for_s)
            client.zadd(self.ages, {place: time.time()})
            client.expire(self.ages, for_s)
            if (surplus := client.zcard(self.ages) - self.most) > 0:
                oldest: Any = client.zpopmin(self.ages, surplus)
                client.delete(*(old for old, _ in oldest))
        except (redis.RedisError, OSError):
            logger.warning("Redis does not answer, so a text under %s is not kept", self.prefix)
