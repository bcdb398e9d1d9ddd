"""What a model does not take of a request: learned from its refusals, left out for an hour, told on the status page.

Models of one API differ: some refuse `thinking`, some a JSON schema, some a name for the longest answer. The first
refusal costs a call or two, and nothing is paid for a request that was refused.
"""

import json
import logging
import re
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping
from typing import Any, TypeVar

import redis

from kb_project.clients.redis_client import shared_memory
from kb_project.llm.protocol import BadRequest, ModelKey

logger = logging.getLogger(__name__)

T = TypeVar("T")
LeftOut = frozenset[str]
KEPT_S = 3600  # a server may be replaced, and a refusal misread: then it is tried anew
_STATUS = "kb:llm:left-out-until"


_left_out: dict[ModelKey, tuple[LeftOut, float]] = {}
"""What is left out, and until when, of `time.time()`."""


async def with_options(
    key: ModelKey, refusable: Callable[[LeftOut], Mapping[str, str]], call: Callable[[LeftOut], Awaitable[T]]
) -> T:
    """Call with what of the options the model takes. `call` is given those to leave out, and raises BadRequest.

    `refusable` gives the options that are sent when some are left out, each with the pattern by which a refusal names
    it, the likeliest to be refused first. A refusal that names none may be for another reason, such as an account
    without credit: the request goes out once more without that option, and nothing is remembered of it. Nor is anything
    of a request that is refused all the same.
    """
    known, until = _left_out.get(key, (frozenset(), 0.0))
    left_out = known = known if time.time() < until else frozenset()
    learned: LeftOut = frozenset()
    while True:
        try:
            result = await call(left_out)
        except BadRequest as refusal:
            sent = refusable(left_out)
            if not sent:
                raise
            named = {name for name, pattern in sent.items() if re.search(pattern, refusal.message, re.IGNORECASE)}
            learned |= named
            left_out |= named or {next(iter(sent))}
        else:
            if learned:
                _learn(key, known | learned)
            return result


def _learn(key: ModelKey, left_out: LeftOut) -> None:
    until = time.time() + KEPT_S
    _left_out[key] = left_out, until
    names = sorted(left_out)
    logger.warning("%s does not take %s, so it is asked without", key.model, ", ".join(names))
    try:
        client = shared_memory()
        client.hset(_STATUS, json.dumps([key.provider, key.model]), json.dumps([names, until]))
        client.expire(_STATUS, KEPT_S)
    except (redis.RedisError, OSError):
        logger.warning("Redis does not answer, so the status page cannot say so")


def known_refusals() -> dict[tuple[str, str], list[str]]:
    """What any process of the service leaves out now, by provider and model, or {} while Redis does not answer."""
    try:
        kept = shared_memory().hgetall(_STATUS)
    except (redis.RedisError, OSError):
        return {}
    return dict(_read(kept))


def _read(kept: Mapping[Any, Any]) -> Iterator[tuple[tuple[str, str], list[str]]]:
    for field, said in kept.items():
        provider, model = json.loads(field)
        names, until = json.loads(said)
        if time.time() < until:
            yield (provider, model), names
