"""The login form, and how often a sign-in may fail: by account from one address, by account, and by address.

All web processes count together. Attempts are counted before the password is looked at, so that parallel ones cannot
slip through, and a right one gives its count back. Names are counted alike whether or not there is such an account. Who
has signed in from an address within a month is not shut out there by failures elsewhere: nobody can lock another's
account. When Redis is away each process counts by itself.
"""

import hashlib
import ipaddress
import logging
import math
import threading
import time
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import redis
from django import forms
from django.conf import settings
from django.contrib.auth.forms import AuthenticationForm
from django.http import HttpRequest
from django.utils.translation import gettext_lazy, ngettext
from rest_framework.throttling import BaseThrottle

from kb_project.api.rates import parse_rate
from kb_project.clients.redis_client import quick_client

logger = logging.getLogger(__name__)

PREFIX = "kb:login:"
KNOWN_FOR_S = 30 * 24 * 3600
MAX_LOCAL_KEYS = 10_000
# A count whose period ended meanwhile is gone: taking one off would make a new one, which never ends.
GIVE_BACK = """
for _, key in ipairs(KEYS) do
    if redis.call('EXISTS', key) == 1 then
        redis.call('DECR', key)
    end
end
"""
log = logging.getLogger("kb.security")


class TooManyLogins(Exception):
    """No attempt is looked at now. `wait_s` is the number of seconds until one would be."""

    def __init__(self, wait_s: int) -> None:
        super().__init__(f"Too many failed sign-ins; wait {wait_s} s.")
        self.wait_s = wait_s


@dataclass(frozen=True, slots=True)
class Count:
    """Attempts in the running period, this one included, and the seconds until the period ends."""

    attempts: int
    ends_in_s: int


class RedisStore:
    """Attempts by key, in Redis. Raises redis.RedisError when it does not answer."""

    def __init__(self) -> None:
        self._client = quick_client(settings.REDIS_URL, timeout_s=1)

    def count(self, periods: Mapping[str, int]) -> dict[str, Count]:
        """One more attempt under each key. A period, in seconds, begins with its first attempt."""
        with self._client.pipeline(transaction=True) as pipeline:
            for key, period in periods.items():
                pipeline.set(key, 0, ex=period, nx=True)
                pipeline.incr(key)
                pipeline.ttl(key)
            answers = pipeline.execute()
        return {
            key: Count(attempts=int(answers[3 * n + 1]), ends_in_s=max(1, int(answers[3 * n + 2])))
            for n, key in enumerate(periods)
        }

    def give_back(self, keys: Iterable[str]) -> None:
        """One attempt less under each key whose period still runs."""
        self._client.register_script(GIVE_BACK)(keys=list(keys))

    def forget(self, key: str) -> None:
        self._client.delete(key)

    def remember(self, key: str, seconds: int) -> None:
        self._client.set(key, 1, ex=seconds)

    def knows(self, key: str) -> bool:
        return bool(self._client.exists(key))


class LocalStore:
    """The same within one process, for as long as Redis is away. The oldest go when there are too many."""

    def __init__(self) -> None:
        self._counts: dict[str, tuple[int, float]] = {}
        self._lock = threading.Lock()

    def count(self, periods: Mapping[str, int]) -> dict[str, Count]:
        now = time.monotonic()
        found = {}
        with self._lock:
            for key, period in periods.items():
                attempts, ends_at = self._counts.pop(key, (0, 0.0))
                if ends_at <= now:
                    attempts, ends_at = 0, now + period
                self._counts[key] = (attempts + 1, ends_at)
                found[key] = Count(attempts + 1, max(1, round(ends_at - now)))
            while len(self._counts) > MAX_LOCAL_KEYS:
                del self._counts[next(iter(self._counts))]
        return found

    def give_back(self, keys: Iterable[str]) -> None:
        with self._lock:
            for key in keys:
                if key in self._counts:
                    attempts, ends_at = self._counts[key]
                    self._counts[key] = (attempts - 1, ends_at)

    def forget(self, key: str) -> None:
        with self._lock:
            self._counts.pop(key, None)

    def remember(self, key: str, seconds: int) -> None:
        self.count({key: seconds})

    def knows(self, key: str) -> bool:
        with self._lock:
            return self._counts.get(key, (0, 0.0))[1] > time.monotonic()


_local = LocalStore()


class Attempt:
    """One attempt to sign in. It counts as failed until `succeeded` is called.

    Making one raises TooManyLogins. `account` is the name as it was typed.
    """

    def __init__(self, *, account: str, address: str) -> None:
        name = unicodedata.normalize("NFKC", account).casefold()
        self._pair, self._known = _key("account_and_address", name, address), _key("known", name, address)
        self._keys = {
            "account_and_address": self._pair,
            "account": _key("account", name),
            "address": _key("address", address),
        }
        try:
            self._store: RedisStore | LocalStore = RedisStore()
            self._begin()
        except (redis.RedisError, OSError) as error:
            logger.warning("Redis does not answer, so this process counts failed sign-ins by itself: %s", error)
            self._store = _local
            self._begin()

    def succeeded(self) -> None:
        """Take the attempt back, and the failures of this account from this address with it."""
        try:
            self._store.give_back(key for key in self._counted if key != self._pair)
            self._store.forget(self._pair)
            self._store.remember(self._known, KNOWN_FOR_S)
        except (redis.RedisError, OSError) as error:
            logger.warning("Redis does not answer, so a right sign-in stays counted: %s", error)

    def take_back(self) -> None:
        """It was no guess. Failures before it stay counted."""
        try:
            self._store.give_back(self._counted)
        except (redis.RedisError, OSError) as error:
            logger.warning("Redis does not answer, so what was no guess stays counted: %s", error)

    def _begin(self) -> None:
        limits = {self._keys[name]: parse_rate(rate) for name, rate in settings.KB_LOGIN_FAILURES.items()}
        if self._store.knows(self._known):
            del limits[self._keys["account"]]
        self._counted = list(limits)
        counts = self._store.count({key: period for key, (_, period) in limits.items()})
        full = [counts[key].ends_in_s for key, (most, _) in limits.items() if counts[key].attempts > (most or 0)]
        if full:
            self._store.give_back(self._counted)  # a refused attempt uses nothing up
            raise TooManyLogins(max(full))


def address_of(request: HttpRequest) -> str:
    """Where the request comes from, as the API's throttles see it. Of IPv6 the network, which one machine has whole."""
    address = BaseThrottle().get_ident(request)  # type: ignore[arg-type]  # it reads META alone
    try:
        number = ipaddress.ip_address(address)
    except ValueError:
        return str(address)
    if number.version == 6 and number.ipv4_mapped is None:
        return str(ipaddress.ip_network((number, 64), strict=False))
    return str(number)


def _key(*parts: str) -> str:
    """No name of an account stands in Redis in clear."""
    digest = hashlib.sha256("\0".join(parts).encode("utf-8", "replace")).hexdigest()
    return f"{PREFIX}{parts[0]}:{digest[:32]}"


class LoginForm(AuthenticationForm):
    """`wait_s` is set when too many attempts had failed: the password was then not looked at."""

    wait_s: int | None = None
    error_messages = {
        "invalid_login": gettext_lazy("The user name or the password is not right. Check both: capitals count."),
        "inactive": gettext_lazy("This account is switched off. Ask a manager to switch it on."),
    }

    def clean(self) -> dict[str, Any]:
        name, password = self.cleaned_data.get("username"), self.cleaned_data.get("password")
        if not name or not password or self.request is None:
            return super().clean()
        address = address_of(self.request)
        try:
            attempt = Attempt(account=name, address=address)
        except TooManyLogins as refusal:
            log.warning("sign-in from %s: not looked at, too many have failed", address)
            self.wait_s = refusal.wait_s
            minutes = math.ceil(refusal.wait_s / 60)
            sentence = ngettext(
                "Too many attempts to sign in have failed. Try again in %d minute.",
                "Too many attempts to sign in have failed. Try again in %d minutes.",
                minutes,
            )
            raise forms.ValidationError(sentence % minutes, code="throttled") from refusal
        try:
            cleaned = super().clean()
        except forms.ValidationError:
            # Without the name: a password typed into the wrong box would stand in the log.
            log.warning("sign-in from %s: failed", address)
            raise
        attempt.succeeded()
        log.info("sign-in from %s: %s", address, name)
        return cleaned
