"""What clients of outside services share: the trusted certificates, and patience with a service that is busy."""

from __future__ import annotations

import random
import ssl
import time
from email.utils import parsedate_to_datetime
from functools import cache

MAX_WAIT_S = 60.0


@cache
def trusted_certificates() -> ssl.SSLContext:
    """Read once for the process: it takes longer than all else in opening a client."""
    import httpx2

    return httpx2.create_ssl_context()


def is_retryable(status: int) -> bool:
    """Whether the same request may be answered later."""
    return status in (408, 409, 425, 429) or status >= 500


def wait_s(tries: int, retry_after: str) -> float:
    """Seconds until the next try: what the service asks for, else doubling with jitter from a second on."""
    if retry_after.isdecimal():
        return min(float(retry_after), MAX_WAIT_S)
    try:
        at = parsedate_to_datetime(retry_after)
        return min(max(0.0, at.timestamp() - time.time()), MAX_WAIT_S)
    except (TypeError, ValueError):  # it asks for nothing that can be understood
        pass
    return min(2.0**tries, MAX_WAIT_S) * random.uniform(0.5, 1.0)
