"""System checks: a mistake in the environment is said in a sentence at start, and `check --deploy` says more."""

import os
from collections.abc import Iterator, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.auth.password_validation import validate_password
from django.core.checks import CheckMessage, Error, Tags, Warning, register
from django.core.exceptions import ValidationError

from kb_project.accounts import sign_in_options as oidc_options
from kb_project.api.rates import parse_rate
from kb_project.clients.addresses import is_loopback, is_metadata, is_network
from kb_project.configuration import standby_settings
from kb_project.configuration.startup import SETTINGS
from kb_project.llm import roles
from kb_project.observability import tracing
from kb_project.web import origins, security_txt

STORAGES = ("filesystem", "s3")
BROKERS = ("redis", "rediss")
INDEXES = ("postgres", "qdrant")
RERANKERS = ("none", "http", "sentence-transformers")
MAX_RERANKED = 100  # passages of a search, as many as it may give
EMBEDDERS = ("local", "hashing", "openai", "voyage", "sentence-transformers")
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
    "KB_TABLE_CONCURRENCY",
    "KB_EXPANSION_TIMEOUT_S",
    "KB_ANSWER_TIMEOUT_S",
    "KB_CHECKER_TIMEOUT_S",
    "KB_AMENDER_TIMEOUT_S",
    "KB_ANSWER_STALL_S",
    "KB_TRACE_DAYS",
    "KB_RERANKER_TIMEOUT_S",
    "KB_WEBHOOK_TIMEOUT_S",
    "KB_WEBHOOK_RETRY_HOURS",
    "KB_WEBHOOK_LOG_DAYS",
)
NETWORKS = ("KB_TRUSTED_PROXIES", "KB_WEBHOOK_NETWORKS", "KB_WATCH_WEBHOOK_NETWORKS")
NOT_NEGATIVE = (
    "KB_SESSION_IDLE_MINUTES",
    "KB_ADMIN_KEY_DAYS",
    "KB_LLM_DAILY_TOKENS",
    "KB_ANSWER_CACHE_S",
    "KB_CHECK_DAYS",
    "KB_TRASH_DAYS",
    "KB_WEB_LEAVE_S",
    "KB_WEB_GRACE_S",
    "KB_WORKER_GRACE_S",
)
LOGIN_LIMITS = {
    "account_and_address": "KB_LOGIN_FAILURES_PAIR",
    "account": "KB_LOGIN_FAILURES_ACCOUNT",
    "address": "KB_LOGIN_FAILURES_ADDRESS",
}
# Of docker-compose.yml, for a trial.
KNOWN_PASSWORDS = frozenset({"change-me", "changeme", "password", "kb", "postgres", "admin", "minioadmin"})


@register(SETTINGS)
def environment(app_configs: Any, **kwargs: Any) -> Sequence[CheckMessage]:
    """What the variables of the environment may hold."""
    return [Error(sentence, id=f"kb.E{number:03}") for number, sentence in _mistakes()]


def _mistakes() -> Sequence[tuple[int, str]]:
    found = [(10, sentence) for sentence in settings.ENVIRONMENT_MISTAKES]
    if settings.KB_STORAGE not in STORAGES:
        found.append((1, f"KB_STORAGE is {settings.KB_STORAGE!r}; it can be {' or '.join(STORAGES)}."))
    if settings.KB_EMBEDDER not in EMBEDDERS:
        found.append((2, f"KB_EMBEDDER is {settings.KB_EMBEDDER!r}; it can be {', '.join(EMBEDDERS)}."))
    found += [(9, sentence) for sentence in _of_reranker()]
    found += [(26, sentence) for sentence in _of_index()]
    found += [(28, sentence) for sentence in origins.configuration_errors()]
    found += [(29, sentence) for sentence in security_txt.configuration_errors()]
    found += [(23, sentence) for sentence in oidc_options.configuration_errors()]
    found += [(25, sentence) for sentence in tracing.configuration_errors()]
    found += [(7, sentence) for role in roles.ROLES for sentence in role.configuration_errors()]
    if settings.EMAIL_URL and not settings.DEFAULT_FROM_EMAIL:
        found.append((24, "DEFAULT_FROM_EMAIL must be set for EMAIL_URL: mail needs a sender."))
    if not 0 <= settings.KB_WATCH_MAIL_HOUR <= 23:
        found.append((27, f"KB_WATCH_MAIL_HOUR is {settings.KB_WATCH_MAIL_HOUR}; it must be an hour from 0 to 23."))
    found += _of_numbers()
    found += _of_rates()
    if settings.KB_STALLED_AFTER_S < 3 * settings.KB_HEARTBEAT_S:
        found.append((5, "KB_STALLED_AFTER_S must be at least three times KB_HEARTBEAT_S, or busy jobs look dead."))
    if urlsplit(settings.REDIS_URL).scheme not in BROKERS:
        found.append((11, f"REDIS_URL must begin with {' or '.join(f'{scheme}://' for scheme in BROKERS)}."))
    urls = settings.DATABASE_REPLICA_URLS
    found += [
        (25, sentence) for sentence in standby_settings.configuration_errors(settings.EXTERNAL_DATABASE_URL, urls)
    ]
    found += [
        (13, f"{name} names {network!r}; it must be an address or a network such as 10.0.0.0/8.")
        for name in NETWORKS
        for network in getattr(settings, name)
        if not is_network(network)
    ]
    found += [(12, sentence) for sentence in _of_password()]
    return found


def _of_numbers() -> Iterator[tuple[int, str]]:
    for name in POSITIVE:
        if getattr(settings, name) <= 0:
            yield 3, f"{name} is {getattr(settings, name)}; it must be more than 0."
    for name in NOT_NEGATIVE:
        if getattr(settings, name) < 0:
            yield 8, f"{name} is {getattr(settings, name)}; it must be 0 or more."


def _of_rates() -> Iterator[tuple[int, str]]:
    rates: Mapping[str, str] = settings.REST_FRAMEWORK["DEFAULT_THROTTLE_RATES"]  # type: ignore[assignment]
    for scope, rate in rates.items():
        if rate and not _is_limit(rate):  # without one there is no limit
            yield 4, f"KB_THROTTLE_{scope.upper()} is {rate!r}; it must be a rate such as 300/min, or empty."
    for limit, name in LOGIN_LIMITS.items():
        if not _is_limit(rate := settings.KB_LOGIN_FAILURES[limit]):
            yield 22, f"{name} is {rate!r}; it must be a rate such as 10/h."


def _of_password() -> Iterator[str]:
    if settings.KB_ADMIN_PASSWORD:
        try:
            validate_password(settings.KB_ADMIN_PASSWORD, get_user_model()(username=settings.KB_ADMIN_USER))
        except ValidationError as error:
            yield f"KB_ADMIN_PASSWORD: {' '.join(error.messages)}"


def _of_index() -> Iterator[str]:
    if settings.KB_INDEX not in INDEXES:
        yield f"KB_INDEX is {settings.KB_INDEX!r}; it can be {' or '.join(INDEXES)}."
    if settings.KB_INDEX == "qdrant" and not settings.KB_QDRANT_URL:
        yield "KB_QDRANT_URL must be set for KB_INDEX=qdrant."


def _of_reranker() -> Iterator[str]:
    if settings.KB_RERANKER not in RERANKERS:
        yield f"KB_RERANKER is {settings.KB_RERANKER!r}; it can be {', '.join(RERANKERS)}."
    if not 2 <= settings.KB_RERANKER_PASSAGES <= MAX_RERANKED:
        yield f"KB_RERANKER_PASSAGES is {settings.KB_RERANKER_PASSAGES}; it can be 2 to {MAX_RERANKED}."
    if settings.KB_RERANKER == "http" and not settings.KB_RERANKER_URL:
        yield "KB_RERANKER_URL must be set for KB_RERANKER=http."
    if settings.KB_RERANKER == "sentence-transformers":
        if not Path(settings.KB_RERANKER_MODEL or "-").is_dir():
            yield f"KB_RERANKER_MODEL is {settings.KB_RERANKER_MODEL!r}; it must be the folder of a CrossEncoder."
        if not find_spec("sentence_transformers"):
            yield "KB_RERANKER=sentence-transformers needs `pip install sentence-transformers`."


def _is_limit(rate: str) -> bool:
    """Whether it is a rate that lets something through, but not everything."""
    try:
        limit, _ = parse_rate(rate)
    except ValueError:
        return False
    return limit is not None and limit > 0


@register(Tags.security, deploy=True)
def deployment(app_configs: Any, **kwargs: Any) -> Sequence[CheckMessage]:
    """What is well for a trial on one's own machine and not for a service of others."""
    return [Warning(sentence, id=f"kb.W{number:03}") for number, sentence in _unfit()]


def _unfit() -> Iterator[tuple[int, str]]:
    for name, url in called_addresses().items():
        parts = urlsplit(url)
        if name in tracing.ENDPOINTS:  # spans have neither documents nor questions in them
            continue
        if parts.scheme == "http" and parts.hostname and not is_loopback(parts.hostname):
            yield 1, f"{name} is http:// to another machine: the key and the documents cross the network readable."
    if not settings.KB_HTTPS:
        yield 2, "KB_HTTPS is not set: cookies, passwords and keys may cross the network readable."
    urls = [("DATABASE_URL", settings.DATABASE_URL), ("REDIS_URL", settings.REDIS_URL)]
    urls += [("DATABASE_REPLICA_URLS", url) for url in settings.DATABASE_REPLICA_URLS]
    for name, url in urls:
        if (urlsplit(url).password or "") in KNOWN_PASSWORDS:
            yield 3, f"The password in {name} is one that everybody knows."
    if storage_options().get("secret_key") in KNOWN_PASSWORDS:
        yield 3, "AWS_SECRET_ACCESS_KEY is one that everybody knows."


def called_addresses() -> dict[str, str]:
    """The addresses that the settings have the service call, by the name of the variable. Those that are set."""
    addresses = {
        "ANTHROPIC_BASE_URL": settings.ANTHROPIC_BASE_URL,
        "KB_LLM_BASE_URL": settings.KB_LLM_BASE_URL,
        "KB_EMBEDDING_BASE_URL": settings.KB_EMBEDDING_BASE_URL,
        "KB_RERANKER_URL": settings.KB_RERANKER_URL,
        "KB_QDRANT_URL": settings.KB_QDRANT_URL,
        "KB_OIDC_ISSUER": settings.KB_OIDC_ISSUER,
        "KB_S3_ENDPOINT_URL": str(storage_options().get("endpoint_url") or ""),
        **({name: os.environ.get(name, "") for name in tracing.ENDPOINTS} if tracing.is_wanted() else {}),
    }
    return {name: url for name, url in addresses.items() if url}


@register(Tags.security, SETTINGS)
def provider_addresses(app_configs: Any, **kwargs: Any) -> Sequence[CheckMessage]:
    """Each address is one of HTTP, without a password in it, and not that of a cloud's metadata service."""
    return [
        Error(f"{name} {sentence}", id=f"kb.E{number:03}")
        for name, url in called_addresses().items()
        for number, sentence in _wrong(url)
    ]


def _wrong(url: str) -> Iterator[tuple[int, str]]:
    try:
        parts = urlsplit(url)
        host = parts.hostname
    except ValueError:
        yield 20, "is no address."
        return
    if parts.scheme not in ("http", "https") or not host:
        yield 20, "must begin with https:// or http:// and name a host."
    elif parts.username is not None or parts.password is not None:
        yield 20, "must not have a name or password in it; there is a variable for the key."
    elif is_metadata(host) and not settings.KB_ALLOW_LINK_LOCAL:
        yield 21, "leads to a link-local address or a cloud's metadata service; KB_ALLOW_LINK_LOCAL=1 allows that."


def storage_options() -> dict[str, Any]:
    storage: dict[str, Any] = settings.STORAGES["default"]  # type: ignore[assignment]  # the stubs say objects
    return dict(storage.get("OPTIONS", {}))
