"""Secrets and signatures as Standard Webhooks has them (https://www.standardwebhooks.com), version `v1`."""

import base64
import hashlib
import hmac
import secrets
from collections.abc import Sequence

PREFIX = "whsec_"
SECRET_BYTES = 32


def new_secret() -> str:
    """`whsec_` and 32 random bytes in base64."""
    return PREFIX + base64.b64encode(secrets.token_bytes(SECRET_BYTES)).decode()


def headers(*, message: str, timestamp: int, body: bytes, secrets: Sequence[str]) -> dict[str, str]:
    """The three headers of a message. `timestamp` is in seconds since 1970, and each secret gives a signature."""
    signed = b"%s.%d.%s" % (message.encode(), timestamp, body)
    return {
        "webhook-id": message,
        "webhook-timestamp": str(timestamp),
        "webhook-signature": " ".join(_signature(signed, secret) for secret in secrets),
    }


def _signature(signed: bytes, secret: str) -> str:
    key = base64.b64decode(secret.removeprefix(PREFIX))
    return "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
