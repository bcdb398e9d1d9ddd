"""Reading from a standby: which one, and what is read again from the primary."""

import logging
import random
import time
from collections.abc import Callable
from contextvars import ContextVar
from functools import partial, wraps
from http import HTTPStatus
from typing import ParamSpec, TypeVar

from django.core.exceptions import ObjectDoesNotExist
from django.db import DEFAULT_DB_ALIAS, Error, connections
from django.http import Http404

from kb_project.database.standbys import configured
from kb_project.database.standbys.positions import Position, required_position
from kb_project.database.standbys.routing import ReadElsewhere, read_alias, using
from kb_project.database.standbys.watching import LOOK, Standby, watch
from kb_project.errors import NotFound
from kb_project.observability.metrics import READS

logger = logging.getLogger(__name__)

WAIT_S = 0.15  # for a standby to come as far as it must have
LOOK_EVERY_S = 0.005
NOT_WAITED_AGAIN_S = 0.5  # for one that had not come so far
PRIMARY = "primary"
LOST = ("08", "57P")  # SQLSTATEs of a connection that ended; without one it ended without a word
# What a standby may lack because it is behind: something that somebody else has just made, a table of an upgrade.
MISSED = (Error, Http404, NotFound, ObjectDoesNotExist)

P = ParamSpec("P")
T = TypeVar("T")
_only_read: ContextVar[bool] = ContextVar("_only_read", default=False)


def from_standby(view: Callable[P, T]) -> Callable[P, T]:
    """A view, or a part of one, that only reads, and that may be called again: from a standby where there is one.

    A view of a class that knows its `topic` waits for changes of this topic only. What fails on the standby or is not
    found there is done again on the primary.
    """

    @wraps(view)
    def reading(*args: P.args, **kwargs: P.kwargs) -> T:
        topic = getattr(args[0], "topic", None) if args else None
        return read(partial(view, *args, **kwargs), topic_id=getattr(topic, "pk", None))

    return reading


def read(work: Callable[[], T], *, topic_id: int | None = None) -> T:
    """What the work gives, its documents read from a standby that has every change noted before, else the primary."""
    if not configured() or read_alias() != DEFAULT_DB_ALIAS or connections[DEFAULT_DB_ALIAS].in_atomic_block:
        return work()
    _only_read.set(True)
    if standby := _choose(topic_id):
        connections[DEFAULT_DB_ALIAS].close()  # who asks is known by now, and others may need it
        try:
            with using(standby.alias):
                done = work()
        except MISSED as error:
            _note_failure(standby, error)
        else:
            if getattr(done, "status_code", None) != HTTPStatus.NOT_FOUND:
                READS.labels(on=standby.alias).inc()
                return done
    READS.labels(on=PRIMARY).inc()
    return work()


def begin_request() -> None:
    """Forget what was read before."""
    _only_read.set(False)


def only_reads() -> None:
    """Say that this request changes nothing that is read from standbys: no read need wait for it."""
    _only_read.set(True)


def has_only_read() -> bool:
    """Whether this request was answered by `from_standby`, or said so itself."""
    return _only_read.get()


def _choose(topic_id: int | None) -> Standby | None:
    """A standby that is up to date for the topic, after a short wait for one where none is."""
    watching = watch()
    fit = [standby for standby in watching.standbys if not watching.trouble(standby)]
    least = required_position(topic_id) if fit else None
    if least is None:
        return None
    random.shuffle(fit)
    for standby in fit:
        if standby.has(least):
            return standby
    for standby in fit:
        if standby.behind_until <= time.monotonic():
            return standby if _comes_to(standby, least) else None
    return None


def _comes_to(standby: Standby, least: Position) -> bool:
    """Whether the standby has replayed as much as that. It is waited for, up to `WAIT_S`."""
    ends = time.monotonic() + WAIT_S
    try:
        with connections[standby.alias].cursor() as cursor:
            while time.monotonic() < ends:
                cursor.execute(LOOK)
                standby.seen(cursor.fetchone())
                if standby.has(least):
                    return True
                time.sleep(LOOK_EVERY_S)
    except Error as error:
        _note_failure(standby, error)
    finally:
        connections[standby.alias].close()  # the reader may wait for a turn first
    standby.behind_until = time.monotonic() + NOT_WAITED_AGAIN_S
    return False


def _note_failure(standby: Standby, error: BaseException) -> None:
    """Have nobody read a standby that was lost, until it answers again."""
    if not isinstance(error, Error):
        return
    state = getattr(error.__cause__, "sqlstate", None)
    if not isinstance(error, ReadElsewhere) and (state is None or state.startswith(LOST)):
        standby.failed()
    connections[standby.alias].close()
    logger.warning("Read from the primary, as %s failed: %s %s", standby.alias, type(error).__name__, state or "")
