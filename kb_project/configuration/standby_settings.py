"""What `DATABASE_REPLICA_URLS` makes of `DATABASES`, and what it may not hold."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit

import environ

MAX_STANDBYS = 8
POSTGRES = ("postgres", "postgresql")
POOL_TIMEOUT_S = 0.5  # in which a standby lets a connection in, or the primary is read


def standby_databases(primary: Mapping[str, Any], urls: Sequence[str]) -> dict[str, dict[str, Any]]:
    """`replica1` and so on for the URLs, with the options of the primary. For those that can be read."""
    readable = [url for url in urls if urlsplit(url).scheme in POSTGRES][:MAX_STANDBYS]
    return {f"replica{number}": _standby(primary, url) for number, url in enumerate(readable, 1)}


def _standby(primary: Mapping[str, Any], url: str) -> dict[str, Any]:
    named = environ.Env.db_url_config(url)
    own = named.pop("OPTIONS", {})
    inherited = {name: value for name, value in primary["OPTIONS"].items() if name != "target_session_attrs"}
    options = {**inherited, "connect_timeout": 2, **own}
    if "pool" in options:
        options["pool"] = {**options["pool"], "min_size": 0, "timeout": POOL_TIMEOUT_S}
    return {**primary, **named, "ENGINE": primary["ENGINE"], "OPTIONS": options}


def configuration_errors(primary_url: str, urls: Sequence[str]) -> Iterator[str]:
    """What is wrong with the URLs of standbys, in sentences. `primary_url` is "" where the database is embedded."""
    if not urls:
        return
    if not primary_url:
        yield "DATABASE_REPLICA_URLS needs DATABASE_URL: the embedded database has no standbys."
        return
    if len(urls) > MAX_STANDBYS:
        yield f"DATABASE_REPLICA_URLS names {len(urls)} servers; it can be {MAX_STANDBYS} at most."
    primary, seen = urlsplit(primary_url), set[str]()
    for number, url in enumerate(urls, 1):
        parts, which = urlsplit(url), f"URL {number} of DATABASE_REPLICA_URLS"
        host = _host(parts.netloc)
        if parts.scheme not in POSTGRES or not parts.hostname:
            yield f"{which} must begin with postgres:// and name a host."
        elif host == _host(primary.netloc):
            yield f"{which} is the server of DATABASE_URL."
        elif host in seen:
            yield f"{which} names the same server as another."
        elif parts.path != primary.path:
            yield f"{which} must name the database that DATABASE_URL names."
        seen.add(host)


def _host(netloc: str) -> str:
    host = netloc.rpartition("@")[2].lower()
    return host if "," in host or ":" in host.rpartition("]")[2] else f"{host}:5432"
