"""The threads in which the clients of a drill live, and which file is sent when."""

import itertools
import queue
import random
import threading
import time
from collections.abc import Callable

from bench.drill.ledger import Ledger
from bench.drill.patient import GivenUp
from bench.made_up import MadeFile

BATCH = (3, 9)

Piece = tuple[float, list[MadeFile], bool]
Pieces = queue.SimpleQueue[Piece]


def pieces(files: list[MadeFile], *, chance: random.Random, seconds: float) -> Pieces:
    """When to send which files, and whether one by one: every third piece is. Copies stay behind their originals."""
    cut: list[tuple[list[MadeFile], bool]] = []
    start = 0
    for number in itertools.count():
        if start >= len(files):
            break
        piece = files[start : start + chance.randint(*BATCH)]
        start += len(piece)
        cut.append((piece, number % 3 == 2 and not any(file.copy_of for file in piece)))
    began = time.monotonic()
    found: Pieces = queue.SimpleQueue()
    for number, (piece, single) in enumerate(cut):
        found.put((began + number * seconds / len(cut), piece, single))
    return found


def start(name: str, ledger: Ledger, live: Callable[[], object]) -> threading.Thread:
    """A client in a thread of its own; one that breaks off is a problem, not a silence."""

    def run() -> None:
        try:
            live()
        except GivenUp:
            pass
        except Exception as error:
            ledger.complain(f"the {name} broke off: {type(error).__name__}: {error}")

    thread = threading.Thread(target=run, name=name, daemon=True)
    thread.start()
    return thread


def repeat(
    name: str, ledger: Ledger, look: Callable[[random.Random], object], *, every_s: float, done: threading.Event
) -> threading.Thread:
    """A client that does the same again and again until it is done."""
    chance = random.Random(every_s)

    def live() -> None:
        while not done.wait(chance.uniform(0.5, 1.5) * every_s):
            look(chance)

    return start(name, ledger, live)
