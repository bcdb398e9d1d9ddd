"""What every log line of a request or a task carries: the request's id, the task's, and the job's.

The ids are context variables, so they go along into the threads that Django and asyncio run a request in. A thread
made by hand starts without them, unless it is given `contextvars.copy_context().run` as its target.
"""

import re
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar, Token

HEADER = "X-Request-Id"
_SANE = re.compile(r"[A-Za-z0-9._-]{8,64}")

_ids: ContextVar[dict[str, str] | None] = ContextVar("kb_log_ids", default=None)


def request_id_from(given: str | None) -> str:
    """The id that a caller gave, if it is 8 to 64 letters, digits, dots, hyphens or underscores, else a new one."""
    return given if given and _SANE.fullmatch(given) else uuid.uuid4().hex


def current() -> dict[str, str]:
    """The ids of this moment by name: `request_id`, `task_id`, `job_id`, those that there are."""
    return dict(_ids.get() or {})


def current_request_id() -> str:
    """The id of the request that is being answered, empty outside one."""
    return (_ids.get() or {}).get("request_id", "")


def begin(**ids: str) -> Token[dict[str, str] | None]:
    """From now on, in this context, log lines carry these ids and no others."""
    return _ids.set({name: value for name, value in ids.items() if value})


def end(token: Token[dict[str, str] | None] | None = None) -> None:
    """No ids any more, or, with the token of `begin`, those that there were before it."""
    if token is None:
        _ids.set(None)
    else:
        _ids.reset(token)


@contextmanager
def also(**ids: str) -> Iterator[None]:
    """Within the block, log lines carry these ids too."""
    token = _ids.set({**current(), **{name: value for name, value in ids.items() if value}})
    try:
        yield
    finally:
        _ids.reset(token)
