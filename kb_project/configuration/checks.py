"""System checks: a mistake in the environment is said in a sentence at start, not found in production."""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.auth.password_validation import validate_password
from django.core.checks import CheckMessage, Error, register
from django.core.exceptions import ValidationError

from kb_project.api.throttles import parse_rate

STORAGES = ("filesystem", "s3")
BROKERS = ("redis", "rediss")
EMBEDDERS = ("hashing", "openai", "voyage", "sentence-transformers")
POSITIVE = (
    "KB_MAX_UPLOAD_MB",
    "KB_MAX_BATCH_MB",
    "KB_MAX_PAGES",
    "KB_UPLOAD_TIMEOUT_S",
    "KB_WORKER_CONCURRENCY",
    "KB_WEB_PROCESSES",
    "KB_DB_POOL_SIZE",
    "KB_HEARTBEAT_S",
    "KB_STALLED_AFTER_S",
    "KB_EXTRACTION_MEMORY_MB",
    "KB_EXTRACTION_TIMEOUT_S",
    "KB_CLASSIFY_TIMEOUT_S",
    "KB_CLASSIFY_CONCURRENCY",
    "KB_EXPANSION_TIMEOUT_S",
    "KB_ANSWER_TIMEOUT_S",
    "KB_ANSWER_STALL_S",
    "KB_TRACE_DAYS",
)
LOGIN_LIMITS = {
    "account_and_address": "KB_LOGIN_FAILURES_PAIR",
    "account": "KB_LOGIN_FAILURES_ACCOUNT",
    "address": "KB_LOGIN_FAILURES_ADDRESS",
}
CLASSIFIERS = ("", "anthropic", "rules")
ANSWERERS = ("", "anthropic", "extractive")


@register
def environment(app_configs: Any, **kwargs: Any) -> Sequence[CheckMessage]:
    """What the variables of the environment may hold."""
    return [Error(sentence, id=f"kb.E{number:03}") for number, sentence in _mistakes()]


def _mistakes() -> Sequence[tuple[int, str]]:
    found = [(10, sentence) for sentence in settings.ENVIRONMENT_MISTAKES]
    if settings.KB_STORAGE not in STORAGES:
        found.append((1, f"KB_STORAGE is {settings.KB_STORAGE!r}; it can be {' or '.join(STORAGES)}."))
    if settings.KB_EMBEDDER not in EMBEDDERS:
        found.append((2, f"KB_EMBEDDER is {settings.KB_EMBEDDER!r}; it can be {', '.join(EMBEDDERS)}."))
    if settings.KB_CLASSIFIER not in CLASSIFIERS:
        found.append((7, f"KB_CLASSIFIER is {settings.KB_CLASSIFIER!r}; it can be anthropic or rules."))
    if settings.KB_ANSWERER not in ANSWERERS:
        found.append((8, f"KB_ANSWERER is {settings.KB_ANSWERER!r}; it can be anthropic or extractive."))
    if settings.KB_ANSWERER == "anthropic" and not settings.ANTHROPIC_API_KEY:
        found.append((9, "KB_ANSWERER is 'anthropic', which needs ANTHROPIC_API_KEY."))
    for name in POSITIVE:
        if getattr(settings, name) <= 0:
            found.append((3, f"{name} is {getattr(settings, name)}; it must be more than 0."))
    rates: Mapping[str, str] = settings.REST_FRAMEWORK["DEFAULT_THROTTLE_RATES"]  # type: ignore[assignment]
    for scope, rate in rates.items():
        if rate and not _is_limit(rate):  # without one there is no limit
            found.append((4, f"KB_THROTTLE_{scope.upper()} is {rate!r}; it must be a rate such as 300/min, or empty."))
    for limit, name in LOGIN_LIMITS.items():
        if not _is_limit(rate := settings.KB_LOGIN_FAILURES[limit]):
            found.append((22, f"{name} is {rate!r}; it must be a rate such as 10/h."))
    if settings.KB_STALLED_AFTER_S < 3 * settings.KB_HEARTBEAT_S:
        found.append((5, "KB_STALLED_AFTER_S must be at least three times KB_HEARTBEAT_S, or busy jobs look dead."))
    if urlsplit(settings.REDIS_URL).scheme not in BROKERS:
        found.append((11, f"REDIS_URL must begin with {' or '.join(f'{scheme}://' for scheme in BROKERS)}."))
    found += [
        (13, f"KB_TRUSTED_PROXIES names {proxy!r}; it must be an address or a network such as 10.0.0.0/8.")
        for proxy in settings.KB_TRUSTED_PROXIES
        if not _is_network(proxy)
    ]
    if settings.KB_ADMIN_PASSWORD:
        try:
            validate_password(settings.KB_ADMIN_PASSWORD, get_user_model()(username=settings.KB_ADMIN_USER))
        except ValidationError as error:
            found.append((12, f"KB_ADMIN_PASSWORD: {' '.join(error.messages)}"))
    return found


def _is_network(text: str) -> bool:
    try:
        ipaddress.ip_network(text)
    except ValueError:
        return False
    return True


def _is_limit(rate: str) -> bool:
    """Whether it is a rate that lets something through, but not everything."""
    try:
        limit, _ = parse_rate(rate)
    except ValueError:
        return False
    return limit is not None and limit > 0
