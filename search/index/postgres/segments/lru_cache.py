"""What a process remembers of the database: what was used last, up to so many bytes."""

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Sequence
from threading import Lock
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class LruCache(Generic[K, V]):
    """Values by their keys. `size` tells about how many bytes a value takes with its key.

    Safe to be shared between threads.
    """

    def __init__(self, *, most_bytes: int, size: Callable[[V], int]) -> None:
        self._most_bytes = most_bytes
        self._size = size
        self._bytes = 0
        self._values: OrderedDict[K, V] = OrderedDict()
        self._lock = Lock()

    def of(self, keys: Iterable[K]) -> dict[K, V]:
        """What is kept of these. Whether it still holds is for the caller to know."""
        with self._lock:
            found = {key: self._values[key] for key in keys if key in self._values}
            for key in found:
                self._values.move_to_end(key)
            return found

    def read_through(
        self, keys: Sequence[K], read: Callable[[list[K]], Iterable[tuple[K, V]]], *, missing: str
    ) -> list[V]:
        """The values of all keys, for what never changes: what is not kept is read, and kept from then on.

        Raises LookupError when `read` does not give all that it is asked for. `missing` says what the others are.
        """
        found = self.of(keys)
        if wanting := [key for key in keys if key not in found]:
            for key, value in read(wanting):
                found[key] = value
                self.keep(key, value)
            if gone := [key for key in wanting if key not in found]:
                raise LookupError(f"{missing}: {', '.join(map(str, gone))}")
        return [found[key] for key in keys]

    def keep(self, key: K, value: V) -> None:
        """Keep the value in place of one that was kept under the key."""
        with self._lock:
            if (replaced := self._values.pop(key, None)) is not None:
                self._bytes -= self._size(replaced)
            self._values[key] = value
            self._bytes += self._size(value)
            while self._bytes > self._most_bytes:
                _, dropped = self._values.popitem(last=False)
                self._bytes -= self._size(dropped)
