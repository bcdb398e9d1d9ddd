"""Passages are embedded on all cores that nothing else wants, and never on less than a tenth of one.

While nobody searches, as many threads embed them as there are idle cores. A query stops all at once, and they begin
again when it has been quiet for a while.

On a busy machine that may come to nothing. So what passages should have had is kept as a debt, and a thread that does
not stand back embeds one whenever enough is owed.
"""

import os
import threading
import time
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from search.local_model import machine
from search.local_model.machine import IdleCores
from search.local_model.model import Model, Stop, Stopped

SHARE = 0.1  # of a core
QUIET_S = 1.0  # after a query: by then its search is answered, and the next one of whoever types has come
OWED_S = 0.05  # CPU seconds, about those of a passage, from which on one is embedded, but not beside searches
LONG_OWED_S = 0.5  # from which on beside searches too, and what may be paid in advance
MAX_OWED_S = 1.0
LOOK_S = 0.1  # between two looks at the debt
STAND_BACK = 19  # niceness of the threads


@dataclass(eq=False)
class _Passage:
    text: str
    vector: NDArray[np.float32] | None = None
    error: Exception | None = None
    done: threading.Event = field(default_factory=threading.Event)


@dataclass(eq=False)
class _Run:
    """A passage that is being embedded. There are two of one if it is owed and the first does not get on."""

    passage: _Passage
    pays: bool
    stop: Stop = field(default_factory=Stop)


class PassageVectors:
    """Texts come from any thread."""

    def __init__(self, model: Model, *, threads: int) -> None:
        self._model = model
        self._idle_cores = IdleCores(os.sched_getaffinity(0))
        self._changed = threading.Condition()
        self._waiting: deque[_Passage] = deque()
        self._runs: list[_Run] = []
        self._searches = 0
        self._quiet_from = 0.0
        self._owed_s = 0.0
        self._owed_at = 0.0
        for pays in [True] + [False] * threads:
            threading.Thread(target=self._work, args=(pays,), daemon=True).start()

    def vectors(self, texts: Sequence[str]) -> list[NDArray[np.float32]]:
        """Waits for them. Raises what the model raises."""
        passages = [_Passage(text) for text in texts]
        with self._changed:
            if not (self._waiting or self._runs):
                self._owed_at = time.monotonic()  # nothing is owed to nobody
            self._waiting.extend(passages)
            self._changed.notify_all()
        found = []
        for passage in passages:
            passage.done.wait()
            if passage.vector is None:
                raise passage.error or RuntimeError("A passage has no vector.")
            found.append(passage.vector)
        return found

    @contextmanager
    def standing_by(self) -> Iterator[None]:
        """While a query is embedded, and what belongs to its search is done."""
        with self._changed:
            self._searches += 1
            if self._owed_s < LONG_OWED_S:
                for run in self._runs:
                    run.stop.ask()
        try:
            yield
        finally:
            with self._changed:
                self._searches -= 1
                self._quiet_from = time.monotonic() + QUIET_S

    def _work(self, pays: bool) -> None:
        if not pays:
            with suppress(OSError):
                os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), STAND_BACK)  # of this thread alone
        while True:
            with self._changed:
                while not (passage := self._owed() if pays else self._next()):
                    self._changed.wait(LOOK_S if self._waiting or self._runs else None)
                run = _Run(passage, pays)
                self._runs.append(run)
            self._embed(run)

    def _next(self) -> _Passage | None:
        """What may be embedded in idle time."""
        if not (self._waiting and self._is_quiet()):
            return None
        running = sum(not run.pays for run in self._runs)
        return self._waiting.popleft() if running < self._idle_cores.count() else None

    def _owed(self) -> _Passage | None:
        """What is embedded in any case."""
        now = time.monotonic()
        if not (self._waiting or self._runs):
            return None
        self._owed_s = min(MAX_OWED_S, self._owed_s + SHARE * (now - self._owed_at))
        self._owed_at = now
        if self._owed_s < (OWED_S if self._is_quiet() else LONG_OWED_S):
            return None
        return self._waiting.popleft() if self._waiting else self._runs[0].passage

    def _is_quiet(self) -> bool:
        return not self._searches and time.monotonic() >= self._quiet_from

    def _embed(self, run: _Run) -> None:
        passage, began, spent = run.passage, time.monotonic(), time.thread_time()
        try:
            vector, error = self._model.vector(passage.text, "passage", stop=run.stop), None
        except Stopped:
            vector, error = None, None
        except Exception as failed:  # whoever waits is told
            vector, error = None, failed
        took, spent = time.monotonic() - began, time.thread_time() - spent
        with self._changed:
            self._runs.remove(run)
            self._idle_cores.waited(max(0.0, took - spent))
            others = [other for other in self._runs if other.passage is passage]
            if passage.done.is_set():
                return
            if vector is None and error is None:
                if not others:
                    self._waiting.appendleft(passage)
                return
            passage.vector, passage.error = vector, error
            passage.done.set()
            for other in others:
                other.stop.ask()
            self._owed_s = max(-LONG_OWED_S, self._owed_s - spent)
            if not (self._waiting or self._runs):
                machine.give_back()
