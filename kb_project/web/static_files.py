"""Static files as they lie in the apps: no step collects them. The hash in their addresses lets browsers keep them."""

import gzip
import hashlib
import mimetypes
import posixpath
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.staticfiles import finders
from django.contrib.staticfiles.storage import StaticFilesStorage
from django.core.exceptions import SuspiciousFileOperation
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware
from django.utils.cache import get_conditional_response, patch_vary_headers

_APPLICATION_TEXT = frozenset(
    f"application/{name}"
    for name in ("javascript", "json", "ld+json", "problem+json", "vnd.oai.openapi", "vnd.oai.openapi+json", "xml")
)


def is_compressible(content_type: str) -> bool:
    """Whether content of the type becomes smaller: text, and no picture, PDF or archive."""
    media_type = content_type.partition(";")[0].strip().lower()
    return media_type.startswith("text/") or media_type == "image/svg+xml" or media_type in _APPLICATION_TEXT


class Compression(GZipMiddleware):
    """GZip for whole answers of text.

    Streams are left alone: events would wait in the compressor, and files are sent as they are stored. What a
    compressed length could tell of a page is in docs/security.md.
    """

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        if response.streaming or not is_compressible(response.headers.get("Content-Type", "")):
            return response
        return super().process_response(request, response)


MAX_KEPT = 512  # files in the memory of a process
A_YEAR_S = 365 * 24 * 3600
A_MINUTE_S = 60  # for an address without the hash, or with that of another version
HASH_CHARACTERS = 12
_ADDRESS_IN_SHEET = re.compile(rb"""(url\(["']?)([^"'():#?]+)""")
_HASHED = re.compile(rf"(?P<stem>.+)\.(?P<hash>[0-9a-f]{{{HASH_CHARACTERS}}})(?P<suffix>(\.[^./]+)?)", re.ASCII)


@dataclass(frozen=True, slots=True)
class StaticFile:
    """A file's content. `gzipped` is empty where it would be no smaller."""

    content: bytes
    gzipped: bytes
    media_type: str
    hash: str


class HashedStorage(StaticFilesStorage):
    """Gives `kb/kb.css` the address `/static/kb/kb.0123456789ab.css`, and with DEBUG its plain one."""

    def url(self, name: str | None) -> str:
        """The address of a file. Of one that is not there, the plain one."""
        name = name or ""
        try:
            hashed = name if settings.DEBUG else _with_hash(name, static_file(name).hash)
        except FileNotFoundError:
            hashed = name
        return super().url(hashed)


class StaticFiles:
    """Middleware that answers what lies below `STATIC_URL`. What is no file there goes on to Django."""

    sync_capable, async_capable = True, False

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response
        self._prefix = urlsplit(settings.STATIC_URL).path

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if not request.path_info.startswith(self._prefix):
            return self._get_response(request)
        try:
            file, kept_s = _find(request.path_info.removeprefix(self._prefix))
        except FileNotFoundError:
            return self._get_response(request)
        return _answer(request, file, kept_s)


@lru_cache(MAX_KEPT)
def static_file(name: str) -> StaticFile:
    """The file as it was when it was first asked for. Raises FileNotFoundError."""
    try:
        path = finders.find(name) if name == posixpath.normpath(name) else None
    except SuspiciousFileOperation:
        path = None
    if not isinstance(path, str) or not Path(path).is_file():
        raise FileNotFoundError(name)
    content = Path(path).read_bytes()
    media_type = mimetypes.guess_type(name)[0] or "application/octet-stream"
    if media_type == "text/css" and not settings.DEBUG:
        content = _ADDRESS_IN_SHEET.sub(lambda found: found[1] + _address_in_sheet(name, found[2].decode()), content)
    gzipped = gzip.compress(content, mtime=0) if is_compressible(media_type) else b""
    return StaticFile(
        content=content,
        gzipped=gzipped if len(gzipped) < len(content) else b"",
        media_type=f"{media_type}; charset=utf-8" if is_compressible(media_type) else media_type,
        hash=hashlib.sha256(content).hexdigest()[:HASH_CHARACTERS],
    )


def _address_in_sheet(sheet: str, address: str) -> bytes:
    """The address with the hash: a browser keeps a font for a year, and fetches once what a page preloads."""
    try:
        found = static_file(posixpath.normpath(posixpath.join(posixpath.dirname(sheet), address)))
    except FileNotFoundError:
        return address.encode()
    return _with_hash(address, found.hash).encode()


def _with_hash(name: str, hash: str) -> str:
    stem, suffix = posixpath.splitext(name)
    return f"{stem}.{hash}{suffix}"


def _find(name: str) -> tuple[StaticFile, int]:
    """The file, and how many seconds it may be kept. Raises FileNotFoundError.

    While a service is upgraded, a page of one version asks the other for its files: it gets those that there are.
    """
    if settings.DEBUG:  # who develops sees a change at once
        return static_file.__wrapped__(name), 0
    if hashed := _HASHED.fullmatch(name):
        try:
            file = static_file(hashed["stem"] + hashed["suffix"])
        except FileNotFoundError:
            pass  # a name that only looks like it
        else:
            return file, A_YEAR_S if file.hash == hashed["hash"] else A_MINUTE_S
    return static_file(name), A_MINUTE_S


def _answer(request: HttpRequest, file: StaticFile, kept_s: int) -> HttpResponseBase:
    if request.method not in ("GET", "HEAD"):
        return HttpResponseNotAllowed(["GET", "HEAD"])
    as_gzip = bool(file.gzipped) and "gzip" in request.headers.get("Accept-Encoding", "")
    response = HttpResponse(file.gzipped if as_gzip else file.content, content_type=file.media_type)
    if as_gzip:
        response.headers["Content-Encoding"] = "gzip"
    if file.gzipped:
        patch_vary_headers(response, ("Accept-Encoding",))
    response.headers["Cache-Control"] = f"public, max-age={kept_s}" + (", immutable" if kept_s == A_YEAR_S else "")
    response.headers["Content-Length"] = str(len(response.content))
    response.headers["ETag"] = f'W/"{file.hash}"'  # weak: it names the content, compressed or not
    return get_conditional_response(request, etag=response.headers["ETag"], response=response) or response
