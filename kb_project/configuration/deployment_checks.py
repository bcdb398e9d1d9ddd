"""What `check --deploy` adds to Django's own checks of a service that others reach."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.checks import CheckMessage, Tags, Warning, register

from kb_project.configuration.address_checks import called_addresses, is_loopback, storage_options

# Of docker-compose.yml, for a trial.
KNOWN_PASSWORDS = frozenset({"change-me", "changeme", "password", "kb", "postgres", "admin", "minioadmin"})


@register(Tags.security, deploy=True)
def deployment(app_configs: Any, **kwargs: Any) -> Sequence[CheckMessage]:
    """What is well for a trial on one's own machine and not for a service of others."""
    return [Warning(sentence, id=f"kb.W{number:03}") for number, sentence in _unfit()]


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
    if storage_options().get("secret_key") in KNOWN_PASSWORDS:
        yield 3, "AWS_SECRET_ACCESS_KEY is one that everybody knows."
