"""Background work of checks, and the wait for it: classifiers do them, whoever asked is told when one has ended."""

import logging
import time
from threading import BoundedSemaphore
from uuid import UUID

import redis
from django.conf import settings

from answers.checking import checks
from answers.checking.checks import CheckRequest
from answers.models import CheckStatus, TextCheck
from kb_project.celery import app
from kb_project.clients.redis_client import quick_client, shared_memory
from kb_project.database.connections import release
from kb_project.errors import Invalid
from kb_project.hints import send_hint

WAITED_FOR_S = 15.0
TOLD_FOR_S = 60
TURN_S = 20.0
HINT_EXPIRES_S = 60.0
logger = logging.getLogger(__name__)
_checkers = BoundedSemaphore(settings.KB_CHECKERS)


def begin(asked: CheckRequest) -> TextCheck:
    """The check: done, or left to classifiers where it is long or is not done in time.

    Raises ApiError as `checks.begin`, and where the text of a file cannot be read.
    """
    one = checks.begin(asked)
    if one.status == CheckStatus.QUEUED:
        _hint()
        if asked.is_short:
            _await(one)
    return one


def _hint() -> None:
    """Beat looks for what waits where the broker is away."""
    send_hint(settings.KB_CHECK_TASK, expires=HINT_EXPIRES_S)


def _await(one: TextCheck) -> None:
    """Wait for its end, without a connection to the database."""
    release()
    try:
        client = quick_client(settings.REDIS_URL, timeout_s=WAITED_FOR_S + 2)
        client.blpop([_key(one.pk)], timeout=WAITED_FOR_S)
    except redis.RedisError:
        logger.warning("Redis does not answer, so a check is not waited for")
    one.refresh_from_db()
    if one.status == CheckStatus.FAILED:
        one.delete()
        raise Invalid(one.error)


def _tell(check_id: UUID) -> None:
    """Tell whoever waits for its end."""
    try:
        client = shared_memory()
        client.rpush(_key(check_id), 1)
        client.expire(_key(check_id), TOLD_FOR_S)
    except redis.RedisError:
        logger.warning("Redis does not answer, so nobody is told of the end of a check")


def _key(check_id: UUID) -> str:
    return f"kb:check:{check_id}:ended"


@app.task(name=settings.KB_CHECK_TASK)
def run_checks() -> None:
    """Do the checks that wait, and go on. Only classifiers consume this task's queue.

    Whoever does not get a place or the turn leaves what waits to those who have them: they look again.
    """
    if not _checkers.acquire(blocking=False):
        return
    try:
        ends = time.monotonic() + TURN_S
        while checks.are_waiting() and (ended := checks.run_next(hint=_hint)):
            _tell(ended)
            if time.monotonic() > ends:
                _hint()
                return
    finally:
        _checkers.release()


@app.task
def tidy_checks() -> int:
    """Delete checks that have been kept for `KB_CHECK_DAYS`, and go on with those that nobody does."""
    gone = checks.forget_old()
    checks.give_up_lost()
    if checks.are_waiting():
        _hint()
    return gone
