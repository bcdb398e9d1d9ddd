"""A request's body as it comes in: so many bytes, in what time, and files only from who may upload."""

import asyncio
import contextlib
import gzip
import io
import tempfile
import zlib
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import IO, Any, TypeVar

from django.conf import settings
from django.contrib.auth import get_user
from django.contrib.sessions.middleware import SessionMiddleware
from django.core.exceptions import RequestAborted
from django.http import HttpRequest, HttpResponse
from django.urls import Resolver404, resolve
from rest_framework.exceptions import APIException
from rest_framework.request import Request
from rest_framework.settings import api_settings

from kb_project.configuration.roles import holds

ORDINARY_BYTES = 1024 * 1024
ORDINARY_WITHIN_S = 30.0
# A client that has sent nothing but what is refused reads the answer only when it has sent all: so long it may.
LINGER_S = 5.0
_OF_TRANSFER = (b"content-length", b"transfer-encoding", b"content-encoding")
_ENCODINGS = {b"": False, b"identity": False, b"gzip": True, b"x-gzip": True}  # whether the body is packed
_BLOCK = 256 * 1024
Receive = Callable[[], Awaitable[Mapping[str, Any]]]
V = TypeVar("V", bound=Callable[..., Any])


class BodyRefused(Exception):
    """The body is not taken in, and the connection ends with the answer. `detail` says why to a program."""

    def __init__(self, status: int, detail: str) -> None:
        super().__init__(detail)
        self.status = status
        self.detail = detail


@dataclass(frozen=True, slots=True)
class Allowance:
    """How many bytes are taken from a caller, and how many seconds they may take."""

    size: int
    seconds: float


ORDINARY = Allowance(ORDINARY_BYTES, ORDINARY_WITHIN_S)
Admit = Callable[[], Awaitable[Allowance]]


async def read_body(scope: Mapping[str, Any], receive: Receive, *, admit: Admit) -> IO[bytes]:
    """The body as a file at its start. What is larger than an ordinary one is only taken in once `admit` allows it.

    Raises BodyRefused, also when the body has not arrived in time, and RequestAborted when the client left.
    """
    with contextlib.ExitStack() as unfinished:
        body = unfinished.enter_context(tempfile.SpooledTemporaryFile(settings.FILE_UPLOAD_MAX_MEMORY_SIZE))
        encoding = _header(scope, b"content-encoding").strip().lower()
        try:
            if encoding not in _ENCODINGS:
                raise BodyRefused(415, "A body is sent as it is, or with Content-Encoding: gzip.")
            allowance = await _receive(_declared_size(scope), receive, body, admit)
        except BodyRefused:
            await _linger(receive)
            raise
        body.seek(0)
        if _ENCODINGS[encoding]:
            plain = unfinished.enter_context(tempfile.SpooledTemporaryFile(settings.FILE_UPLOAD_MAX_MEMORY_SIZE))
            if not await asyncio.to_thread(_decompress, body, plain, allowance.size):
                allowance = await _room_for(allowance.size + 1, allowance, admit)
                if not await asyncio.to_thread(_decompress, body, plain, allowance.size):
                    raise _too_large(allowance)
            body.close()
            body = plain
        unfinished.pop_all()  # the caller closes it
        return body


def _decompress(packed: IO[bytes], plain: IO[bytes], most: int) -> bool:
    """Write what was packed, at its start. False if that is more than so many bytes. Raises BodyRefused."""
    packed.seek(0)
    plain.seek(0)
    try:
        with gzip.GzipFile(fileobj=packed, mode="rb") as unpacked:
            while most >= 0 and (block := unpacked.read(min(_BLOCK, most + 1))):
                most -= len(block)
                plain.write(block)
    except (OSError, EOFError, zlib.error) as error:
        raise BodyRefused(400, "The body is not sound gzip.") from error
    plain.seek(0)
    return most >= 0


async def _receive(declared: int, receive: Receive, body: IO[bytes], admit: Admit) -> Allowance:
    """Write the body, and say how much is taken from its sender. Raises BodyRefused and RequestAborted."""
    received, more = 0, True
    started = asyncio.get_running_loop().time()
    allowance = await _room_for(declared, ORDINARY, admit)
    while more:
        try:
            async with asyncio.timeout_at(started + allowance.seconds):
                message = await receive()
        except TimeoutError:
            raise BodyRefused(408, f"The body did not arrive within {allowance.seconds:.0f} seconds.") from None
        if message["type"] == "http.disconnect":
            raise RequestAborted
        piece, more = message.get("body", b""), message.get("more_body", False)
        received += len(piece)
        allowance = await _room_for(received, allowance, admit)
        body.write(piece)
    return allowance


async def _room_for(size: int, allowance: Allowance, admit: Admit) -> Allowance:
    """The allowance, or the one of a caller who may send files, that holds so many bytes."""
    if size > allowance.size and allowance is ORDINARY:
        allowance = await admit()
    if size > allowance.size:
        raise _too_large(allowance)
    return allowance


def _too_large(allowance: Allowance) -> BodyRefused:
    return BodyRefused(413, f"The body is larger than {allowance.size // (1024 * 1024)} MB.")


async def _linger(receive: Receive) -> None:
    """Let the client send on for a moment, and keep nothing of it."""
    try:
        async with asyncio.timeout(LINGER_S):
            while True:
                message = await receive()
                if message["type"] == "http.disconnect" or not message.get("more_body", False):
                    return
    except TimeoutError:
        return


def _declared_size(scope: Mapping[str, Any]) -> int:
    """What the header Content-Length says, or 0 where there is none, or no number."""
    value = _header(scope, b"content-length")
    return int(value) if value.isdigit() else 0


def _header(scope: Mapping[str, Any], wanted: bytes) -> bytes:
    """The value of a header, empty where there is none."""
    return next((bytes(value) for name, value in scope["headers"] if name == wanted), b"")


def with_length(scope: Mapping[str, Any], body: IO[bytes]) -> Mapping[str, Any]:
    """The scope as if the client had sent its whole body as it is, and announced its length. `body` is at its start.

    A body that comes in chunks has no Content-Length, and Django and its like take a request without one for empty.
    """
    length = str(body.seek(0, io.SEEK_END)).encode()
    body.seek(0)
    headers = [(name, value) for name, value in scope["headers"] if name not in _OF_TRANSFER]
    return {**scope, "headers": [*headers, (b"content-length", length)]}


def takes_files(setting: str) -> Callable[[V], V]:
    """Mark a view, function or class, that takes files: as many MB in a request as the setting of this name says."""

    def mark(view: V) -> V:
        view.takes_files = setting  # type: ignore[attr-defined]
        return view

    return mark


def allowance_for(request: HttpRequest) -> Allowance:
    """What a request without its body may send. Raises BodyRefused for other paths, and for who may not upload.

    A view whose refusal must be an answer to what was sent says up to how many bytes it gives one.
    """
    view = _view(request)
    if size := getattr(view, "refuses_by_itself_up_to", None):
        return Allowance(size, ORDINARY_WITHIN_S)
    setting = getattr(view, "takes_files", None)
    if setting is None:
        raise BodyRefused(413, f"This address takes at most {ORDINARY_BYTES // 1024} KB.")
    needs: Mapping[str, str] = getattr(view, "needs", {})
    permission = needs.get(request.method or "")
    if permission is None:
        raise BodyRefused(405, "This address takes no files by this method.")
    user = _caller(request)
    if not user.is_authenticated:
        raise BodyRefused(401, "Files are taken from staff alone: sign in, or send an admin key.")
    if not holds(user, permission):
        raise BodyRefused(403, f"This needs the permission {permission}, which you do not have.")
    megabytes = getattr(settings, setting)
    return Allowance(megabytes * 1024 * 1024 + ORDINARY_BYTES, settings.KB_UPLOAD_TIMEOUT_S)


def _view(request: HttpRequest) -> Any:
    try:
        view = resolve(request.path_info).func
    except Resolver404:
        return None
    return getattr(view, "cls", view)  # of DRF's views the class


def _caller(request: HttpRequest) -> Any:
    """The user or key of the headers. The CSRF token, which may be in the body, is looked at later, by the view."""
    SessionMiddleware(lambda _: HttpResponse()).process_request(request)
    classes: Any = api_settings.DEFAULT_AUTHENTICATION_CLASSES  # the stubs say names
    authenticators = [authenticator() for authenticator in classes]
    for authenticator in authenticators:
        authenticator.enforce_csrf = lambda _: None
    request.user = get_user(request)
    try:
        return Request(request, authenticators=authenticators).user
    except APIException as refusal:
        raise BodyRefused(refusal.status_code, str(refusal.detail)) from refusal
