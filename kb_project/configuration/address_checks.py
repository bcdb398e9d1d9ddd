"""A system check of the addresses that the service calls, and what kind of address one is."""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Iterator, Sequence
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, register

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
# Where clouds tell a machine its credentials, besides the link-local networks that most of them use.
METADATA_ADDRESSES = frozenset({"100.100.100.200", "192.0.0.192", "168.63.129.16", "fd00:ec2::254"})
METADATA_NAMES = frozenset({"metadata", "metadata.google.internal", "metadata.goog", "instance-data"})
LOOPBACK_NAMES = frozenset({"localhost", "localhost.localdomain", "ip6-localhost"})


def called_addresses() -> dict[str, str]:
    """The addresses that the settings have the service call, by the name of the variable; those that are set."""
    addresses = {
        "ANTHROPIC_BASE_URL": settings.ANTHROPIC_BASE_URL,
        "KB_EMBEDDING_BASE_URL": settings.KB_EMBEDDING_BASE_URL,
        "KB_S3_ENDPOINT_URL": str(storage_options().get("endpoint_url") or ""),
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


def storage_options() -> dict[str, Any]:
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
