"""Models that a search waits for: for a moment, a few calls at a time, and not again for a while after a failure."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import TimeoutError as Expired
from contextvars import copy_context
from enum import StrEnum
from threading import BoundedSemaphore
from typing import TypeVar

from kb_project.errors import ApiError
from kb_project.llm import chain
from kb_project.llm.protocol import ModelKey

logger = logging.getLogger(__name__)

Result = TypeVar("Result")
AT_ONCE = 8  # calls of a process
WAIT_FOR_TURN = 1 / 3  # of the time that the answer has
GRACE_S = 1.0  # by which the call outlasts whoever waits, so that late is not taken for failed
PAUSE_S = 10.0  # of a model that failed or was late: no second search should wait for it


class FailureReason(StrEnum):
    """Why a model gave nothing."""

    LEFT_ALONE = "left_alone"  # it failed a moment ago
    BUSY = "busy"  # as many searches as it may have wait for it
    LATE = "late"
    FAILED = "failed"


class NoModelAnswer(Exception):
    """The model gave nothing. The search does without it."""

    def __init__(self, trouble: FailureReason) -> None:
        super().__init__(trouble.value)
        self.trouble = trouble


class BoundedCalls:
    """The calls of one role in this process."""

    def __init__(self, role: str, *, passes: tuple[type[Exception], ...] = ()) -> None:
        """`passes` are errors that are of the request and not of the model: they are raised as they are."""
        self._role, self._passes = role, passes
        # One that is late goes on in its thread, so that the next finds loaded what takes long to load.
        self._pool = ThreadPoolExecutor(AT_ONCE, thread_name_prefix=role)
        self._turns = BoundedSemaphore(AT_ONCE)

    def get(self, key: ModelKey, call: Callable[[float], Result], *, within_s: float) -> Result:
        """What `call` gives, which is told how many seconds it may take. Raises Unanswered."""
        ends = time.monotonic() + within_s
        if chain.circuit_is_open(key, role=self._role, pause_s=PAUSE_S):
            raise NoModelAnswer(FailureReason.LEFT_ALONE)
        if not self._turns.acquire(timeout=within_s * WAIT_FOR_TURN):
            raise NoModelAnswer(FailureReason.BUSY)
        calling = self._pool.submit(copy_context().run, call, ends - time.monotonic() + GRACE_S)
        calling.add_done_callback(lambda _: self._turns.release())
        try:
            result = calling.result(timeout=ends - time.monotonic())
        except self._passes:
            raise
        except Expired:
            trouble, why = FailureReason.LATE, "no answer in time"
        except ApiError as error:
            trouble, why = FailureReason.FAILED, str(error)
        except Exception as error:  # whatever a library raises, the search goes on without it
            logger.exception("%s of %s failed", self._role, key.provider)
            trouble, why = FailureReason.FAILED, type(error).__name__
        else:
            chain.note_answer(key, role=self._role)
            return result
        logger.warning("%s by %s: left alone for %g s: %s", self._role, key.provider, PAUSE_S, why)
        chain.note_failure(key, role=self._role, pause_s=PAUSE_S)
        raise NoModelAnswer(trouble)
