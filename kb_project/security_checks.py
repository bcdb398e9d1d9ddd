"""System checks of security: the addresses that the service calls, and what `check --deploy` adds to Django's own."""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Iterator, Sequence
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.auth.password_validation import validate_password
from django.core.checks import CheckMessage, Error, Tags, Warning, register
from django.core.exceptions import ValidationError

from kb_project.api.throttles import parse_rate

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
# Where clouds tell a machine its credentials, besides the link-local networks that most of them use.
METADATA_ADDRESSES = frozenset({"100.100.100.200", "192.0.0.192", "168.63.129.16", "fd00:ec2::254"})
METADATA_NAMES = frozenset({"metadata", "metadata.google.internal", "metadata.goog", "instance-data"})
LOOPBACK_NAMES = frozenset({"localhost", "localhost.localdomain", "ip6-localhost"})
# Of docker-compose.yml, for a trial.
KNOWN_PASSWORDS = frozenset({"change-me", "changeme", "password", "kb", "postgres", "admin", "minioadmin"})


def called_addresses() -> dict[str, str]:
    """The addresses that the settings have the service call, by the name of the variable; those that are set."""
    addresses = {
        "ANTHROPIC_BASE_URL": settings.ANTHROPIC_BASE_URL,
        "KB_EMBEDDING_BASE_URL": settings.KB_EMBEDDING_BASE_URL,
        "KB_S3_ENDPOINT_URL": str(_storage_options().get("endpoint_url") or ""),
    }
    return {name: url for name, url in addresses.items() if url}


@register(Tags.security)
def provider_addresses(app_configs: Any, **kwargs: Any) -> Sequence[CheckMessage]:
    """Each address is one of HTTP, without a password in it, and not that of a cloud's metadata service."""
    return [
        Error(f"{name} {sentence}", id=f"kb.E{number:03}")
        for name, url in called_addresses().items()
        for number, sentence in _wrong(url)
    ]


@register(Tags.security)
def login_limits(app_configs: Any, **kwargs: Any) -> Sequence[CheckMessage]:
    """The limits of failed sign-ins are rates, and there is one for each."""
    found: list[CheckMessage] = []
    for name, rate in settings.KB_LOGIN_FAILURES.items():
        try:
            limit, _ = parse_rate(rate)
        except ValueError:
            limit = None
        if not limit:
            found.append(
                Error(f"KB_LOGIN_FAILURES ({name}) is {rate!r}; it must be a rate such as 10/h.", id="kb.E022")
            )
    return found


@register(Tags.security, deploy=True)
def deployment(app_configs: Any, **kwargs: Any) -> Sequence[CheckMessage]:
    """What is well for a trial on one's own machine and not for a service of others."""
    return [Warning(sentence, id=f"kb.W{number:03}") for number, sentence in _unfit()]


def is_loopback(host: str) -> bool:
    address = _address(host)
    return address.is_loopback if address is not None else host.lower().rstrip(".") in LOOPBACK_NAMES


def is_metadata(host: str) -> bool:
    """Whether the host is, by its number in any spelling or by its name, what tells a machine its credentials."""
    address = _address(host)
    if address is None:
        return host.lower().rstrip(".") in METADATA_NAMES
    return address.is_link_local or str(address) in METADATA_ADDRESSES


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


def _unfit() -> Iterator[tuple[int, str]]:
    for name, url in called_addresses().items():
        parts = urlsplit(url)
        if parts.scheme == "http" and parts.hostname and not is_loopback(parts.hostname):
            yield 1, f"{name} is http:// to another machine: the key and the documents cross the network readable."
    if not settings.KB_HTTPS:
        yield 2, "KB_HTTPS is not set: cookies, passwords and keys may cross the network readable."
    for name, url in (("DATABASE_URL", settings.DATABASE_URL), ("REDIS_URL", settings.REDIS_URL)):
        if (urlsplit(url).password or "") in KNOWN_PASSWORDS:
            yield 3, f"The password in {name} is one that everybody knows."
    if _storage_options().get("secret_key") in KNOWN_PASSWORDS:
        yield 3, "AWS_SECRET_ACCESS_KEY is one that everybody knows."
    if settings.KB_ADMIN_PASSWORD:
        try:
            validate_password(settings.KB_ADMIN_PASSWORD)
        except ValidationError as error:
            yield 4, f"KB_ADMIN_PASSWORD: {' '.join(error.messages)}"


def _storage_options() -> dict[str, Any]:
    storage: dict[str, Any] = settings.STORAGES["default"]  # type: ignore[assignment]  # the stubs say objects
    return dict(storage.get("OPTIONS", {}))


def _address(host: str) -> Address | None:
    """The number that the host is, however written: `2852039166` and `0xa9fea9fe` are numbers too. None for a name."""
    try:
        address: Address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        try:
            return ipaddress.IPv4Address(socket.inet_aton(host))
        except OSError:
            return None
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return mapped or address
