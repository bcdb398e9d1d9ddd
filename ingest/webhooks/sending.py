"""One request to a webhook: to permitted addresses alone, bounded in time, without redirects or an answer's body."""

import base64
import hashlib
import hmac
import http.client
import ipaddress
import logging
import re
import secrets
import socket
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import timedelta
from email.utils import parsedate_to_datetime
from functools import partial
from http import HTTPStatus
from threading import Timer
from typing import NamedTuple
from urllib.parse import urlsplit

from django.conf import settings
from django.db.models.functions import Now
from django.utils.translation import gettext as _

from ingest.webhooks.models import MAX_URL_LENGTH, DeliveryFault, Receiver
from kb_project.clients.addresses import Address, is_public, numeric
from kb_project.clients.http import trusted_certificates
from kb_project.database.connections import release

logger = logging.getLogger(__name__)

PORTS = {"https": 443, "http": 80}
FIRST_WAIT_S, MAX_WAIT_S = 10.0, 2 * 3600.0
MAX_ASKED_S = 24 * 3600.0
_ADDRESS = re.compile(r"[!-~]+")
_HEADERS = {"content-type": "application/json", "user-agent": "legal-kb", "connection": "close"}


def fault_of(url: str, setting: str) -> str:
    """The sentence that refuses an address, empty for a good one. Where a name leads is looked at when it is called.

    The setting names the networks where it may lead besides the public internet.
    """
    networks = getattr(settings, setting)
    try:
        parts = urlsplit(url)
        host, known = parts.hostname, parts.scheme in PORTS and parts.port != 0
    except ValueError:
        host, known = None, False
    if not (known and host and _ADDRESS.fullmatch(url) and len(url) <= MAX_URL_LENGTH):
        return _("Give an address that begins with https://, of at most %d characters.") % MAX_URL_LENGTH
    if parts.username is not None or parts.password is not None or parts.fragment:
        return _("The address must not have a name, a password or a # in it.")
    number = numeric(host)
    if number is not None and not is_permitted(number, encrypted=parts.scheme == "https", networks=networks):
        return _("This address is not one of the public internet. %s can allow it.") % setting
    if parts.scheme == "http" and not networks:
        return _("Only https:// is allowed outside of %s.") % setting
    return ""


class DeliveryOutcome(NamedTuple):
    """The status of the answer, None where none came, and what was wrong, None where nothing was.

    `retry_after_s` is how long the receiver asks to be left alone, at most `MAX_ASKED_S`.
    """

    status: int | None
    fault: DeliveryFault | None
    retry_after_s: float = 0.0

    @property
    def is_gone(self) -> bool:
        """Whether the receiver says that it wants nothing any more."""
        return self.status == HTTPStatus.GONE


class AddressRefused(OSError):
    """The host leads to no address that a webhook may have."""


def send(receiver: Receiver, *, message: str, body: bytes) -> DeliveryOutcome:
    """Send a message, signed, without a connection to the database meanwhile."""
    signed = headers(message=message, timestamp=int(time.time()), body=body, secrets=receiver.secrets)
    release()
    networks = getattr(settings, receiver.NETWORKS)
    return post(receiver.url, headers={**signed, **_HEADERS}, body=body, networks=networks)


def post(url: str, *, headers: Mapping[str, str], body: bytes, networks: Sequence[str]) -> DeliveryOutcome:
    """Post the body, within `KB_WEBHOOK_TIMEOUT_S` seconds in all. Whatever goes wrong is in the outcome.

    It may go to `networks` besides the public internet.
    """
    parts = urlsplit(url)
    permitted = partial(is_permitted, encrypted=parts.scheme == "https", networks=networks)
    connection = _Connection(
        parts.hostname or "", parts.port or PORTS[parts.scheme], encrypted=parts.scheme == "https", permitted=permitted
    )
    watchdog = Timer(settings.KB_WEBHOOK_TIMEOUT_S, connection.cut)
    watchdog.daemon = True
    watchdog.start()
    try:
        target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        connection.request("POST", target, body=body, headers=dict(headers))
        answer = connection.getresponse()  # nothing of its body is read
        status, asked_s = answer.status, _seconds_of(answer.getheader("Retry-After", ""))
    except Exception as error:
        logger.info("Nothing was delivered to %s: %s: %s", connection.host, type(error).__name__, error)
        return DeliveryOutcome(None, DeliveryFault.TIMEOUT if connection.is_cut else _fault_of(error))
    finally:
        watchdog.cancel()
        connection.close()
    if connection.is_cut:  # amid the headers, which end where the connection does
        return DeliveryOutcome(None, DeliveryFault.TIMEOUT)
    if 200 <= status < 300:
        return DeliveryOutcome(status, None)
    return DeliveryOutcome(status, DeliveryFault.STATUS, asked_s)


def _seconds_of(text: str) -> float:
    """What `Retry-After` asks for: seconds or a date. 0 for what is neither."""
    try:
        asked = float(text) if text.isdecimal() else parsedate_to_datetime(text).timestamp() - time.time()
    except (ValueError, TypeError, OverflowError):
        return 0.0
    return min(max(asked, 0.0), MAX_ASKED_S)


def _fault_of(error: Exception) -> DeliveryFault:
    if isinstance(error, AddressRefused):
        return DeliveryFault.REFUSED
    if isinstance(error, TimeoutError):
        return DeliveryFault.TIMEOUT
    if isinstance(error, http.client.HTTPException) and not isinstance(error, http.client.RemoteDisconnected):
        return DeliveryFault.PROTOCOL
    return DeliveryFault.UNREACHABLE


class _Connection(http.client.HTTPConnection):
    """To an address that was looked at itself, not to a name that may lead elsewhere a moment later."""

    def __init__(self, host: str, port: int, *, encrypted: bool, permitted: Callable[[Address], bool]) -> None:
        super().__init__(host, port, timeout=settings.KB_WEBHOOK_TIMEOUT_S)
        self.default_port = PORTS["https" if encrypted else "http"]
        self.is_cut = False
        self._encrypted = encrypted
        self._permitted = permitted

    def connect(self) -> None:
        ends = time.monotonic() + settings.KB_WEBHOOK_TIMEOUT_S
        self.sock = _open(self.host, self.port, permitted=self._permitted, ends=ends)
        if self._encrypted:
            context = trusted_certificates()
            # The handshake comes last, when `notify_shutdown` knows the socket.
            self.sock = context.wrap_socket(self.sock, server_hostname=self.host, do_handshake_on_connect=False)
            self.sock.do_handshake()
        if self.is_cut:
            raise TimeoutError

    def cut(self) -> None:
        """End whatever is under way, from another thread: a receiver may send a byte now and then without end."""
        self.is_cut = True
        if self.sock is not None:
            with suppress(OSError):  # it ended by itself
                # Not the TLS socket's own method: that one takes away what the other thread is reading from.
                socket.socket.shutdown(self.sock, socket.SHUT_RDWR)


def _open(host: str, port: int, *, permitted: Callable[[Address], bool], ends: float) -> socket.socket:
    """A connection to the first address of the host that may be called and that answers. Raises OSError."""
    failure: OSError = AddressRefused(f"{host} leads to no address that a webhook may have.")
    for address in _addresses(host):
        if permitted(address):
            try:
                return socket.create_connection((str(address), port), timeout=max(0.1, ends - time.monotonic()))
            except OSError as error:
                failure = error
    raise failure


def _addresses(host: str) -> Iterator[Address]:
    found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    return filter(None, map(numeric, dict.fromkeys(str(sockaddr[0]) for *_, sockaddr in found)))


def wait_s(failures: int, *, first_s: float = FIRST_WAIT_S, longest_s: float = MAX_WAIT_S) -> float:
    """Seconds until the next attempt after one that failed, and so many failures before it."""
    return min(first_s * 2 ** min(failures, 20), longest_s)


def is_permitted(address: Address, *, encrypted: bool, networks: Sequence[str]) -> bool:
    """Whether a webhook may have it: any of the networks, and with encryption all of the public internet."""
    opened = map(partial(ipaddress.ip_network, strict=False), networks)
    return any(address in network for network in opened) or (encrypted and is_public(address))


PREFIX = "whsec_"
SECRET_BYTES = 32
FORMER_SECRET_FOR = timedelta(days=1)


def new_secret() -> str:
    """`whsec_` and 32 random bytes in base64."""
    return PREFIX + base64.b64encode(secrets.token_bytes(SECRET_BYTES)).decode()


def renew_secret(receiver: Receiver) -> None:
    """Give it a new secret, in the caller's transaction. The former one signs too for `FORMER_SECRET_FOR`."""
    receiver.former_secret, receiver.secret = receiver.secret, new_secret()
    receiver.former_until = Now() + FORMER_SECRET_FOR
    receiver.save(update_fields=["secret", "former_secret", "former_until"])
    receiver.refresh_from_db(fields=["former_until"])


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
