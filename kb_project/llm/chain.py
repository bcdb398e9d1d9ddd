"""A chain: what answers is the first of several that can, within the time of one."""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

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
