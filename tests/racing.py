"""Doing several things at the same instant, each on a connection of its own."""

import threading
from collections.abc import Callable, Sequence
from typing import TypeVar

from django.db import connection

T = TypeVar("T")


def at_once(actions: Sequence[Callable[[], T]]) -> list[T | Exception]:
    """What each action gave or raised, in their order."""
    barrier = threading.Barrier(len(actions))
    outcomes: list[T | Exception] = [RuntimeError("did not run")] * len(actions)

    def run(place: int) -> None:
        connection.ensure_connection()  # takes longer than most actions: they would come one after another
        barrier.wait(60)
        try:
            outcomes[place] = actions[place]()
        except Exception as error:
            outcomes[place] = error
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(place,)) for place in range(len(actions))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    return outcomes


def all_done_at_once(actions: Sequence[Callable[[], T]]) -> list[T]:
    """What each action gave, in their order. Raises the first that one of them raised."""
    done = []
    for outcome in at_once(actions):
        if isinstance(outcome, Exception):
            raise outcome
        done.append(outcome)
    return done
