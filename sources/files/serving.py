"""Serve stored files inline, with a content type that no browser executes."""

import codecs
import hashlib
import io
import re
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import closing
from typing import IO, Any

from asgiref.sync import sync_to_async
from django.core.handlers.asgi import ASGIRequest
from django.http import HttpRequest, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import get_conditional_response
from django.utils.http import content_disposition_header, quote_etag
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse

from extraction.formats import HEAD_BYTES, Format, begins_as
from extraction.text.encodings import by_mark, code_page
from kb_project.api.openapi import problems
from kb_project.api.problem import problem_of
from kb_project.database.connections import release
from kb_project.errors import ApiError, NotFound
from kb_project.web.streams import to_its_end
from sources.files import storage

BLOCK = 256 * 1024
PDF = "application/pdf"
_HANDED_OUT = {
    Format.DOCX: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    Format.DOC: "application/msword",
    Format.MSG: "application/vnd.ms-outlook",
    Format.ODT: "application/vnd.oasis.opendocument.text",
    Format.RTF: "application/rtf",
    Format.XLSX: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    Format.PPTX: "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    Format.TIFF: "image/tiff",
    Format.JPEG: "image/jpeg",
    Format.PNG: "image/png",
}
MEDIA_TYPES = (PDF, *_HANDED_OUT.values(), "text/plain")
"""All types under which files are handed out."""

_RANGE = re.compile(r"bytes\s*=\s*(\d{0,18})\s*-\s*(\d{0,18})\s*")
NOWHERE_ELSE = "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
TEXT_POLICY = f"default-src 'none'; sandbox; {NOWHERE_ELSE}"
# A sandbox would keep the browser's own viewer out, which brings styles in its page; scripts it needs none of ours.
PDF_POLICY = f"default-src 'none'; object-src 'self'; style-src 'unsafe-inline'; {NOWHERE_ELSE}"


class RangeNotSatisfiable(ApiError):
    """The bytes that are asked for lie beyond the end."""

    code = "range_not_satisfiable"
    status = 416
    title = "No such bytes"


def described(sentence: str, media_types: Sequence[str] = MEDIA_TYPES) -> dict[Any, OpenApiResponse]:
    """The responses of `stream`, for `extend_schema(responses=…)`."""
    of_file = {
        (status, media_type): OpenApiResponse(OpenApiTypes.BINARY, text)
        for media_type in media_types
        for status, text in ((200, sentence), (206, "The part that the header Range asks for."))
    }
    return {**of_file, 304: OpenApiResponse(description="It is what the caller has."), **problems(416)}


def file_response(request: HttpRequest, *, key: str, filename: str) -> HttpResponseBase:
    """The stored file. HTML and Markdown go out as plain text: a document is read, never run.

    Raises `NotFound` when there is no such file.
    """
    release()  # the storage may take its time
    try:
        stored = storage.open_stored(key) if key else None
        head = stored.read(HEAD_BYTES) if stored else b""
    except FileNotFoundError:
        stored = None
    if stored is None:
        raise NotFound(_("The file is not there any more."))
    etag = quote_etag(hashlib.sha256(key.encode()).hexdigest()[:32])  # what a key names never changes
    if unchanged := get_conditional_response(request, etag=etag):
        stored.close()
        return unchanged
    content_type, inline = _content_type(head, filename=filename)
    return stream(request, stored, etag=etag, content_type=content_type, filename=filename, inline=inline)


def stream(
    request: HttpRequest, file: IO[Any], *, etag: str, content_type: str, filename: str, inline: bool = False
) -> HttpResponseBase:
    """An open file, or the part of it that is asked for, block by block. It is closed at the end."""
    size = file.seek(0, io.SEEK_END)
    try:
        part = _wanted(request, size=size, etag=etag)
    except RangeNotSatisfiable as refusal:
        file.close()
        response: HttpResponseBase = problem_of(refusal)
        response.headers["Content-Range"] = f"bytes */{size}"
        return response
    start, end = part or (0, size)
    file.seek(start)
    # On the event loop a plain iterator would be read into memory whole.
    blocks = (_blocks if isinstance(request, ASGIRequest) else _blocks_of_thread)(file, end - start)
    response = StreamingHttpResponse(blocks, status=206 if part else 200, content_type=content_type)
    if part:
        response.headers["Content-Range"] = f"bytes {start}-{end - 1}/{size}"
    response.headers["Content-Length"] = str(end - start)
    response.headers["Accept-Ranges"] = "bytes"
    response.headers["ETag"] = etag
    response.headers["Content-Disposition"] = content_disposition_header(not inline, filename) or "inline"
    response.headers["X-Content-Type-Options"] = "nosniff"
    response.headers["Content-Security-Policy"] = PDF_POLICY if content_type == PDF else TEXT_POLICY
    return response


def _wanted(request: HttpRequest, *, size: int, etag: str) -> tuple[int, int] | None:
    """Start and end of what is asked for (RFC 9110, section 14), of so many bytes. None: all, as for several ranges.

    A client that has part of another version (`If-Range`) gets all. Raises RangeNotSatisfiable.
    """
    found = _RANGE.fullmatch(request.headers.get("Range", ""))
    if found is None or request.method != "GET" or request.headers.get("If-Range", etag) != etag:
        return None
    first, last = found.groups()
    if not first and not last:
        return None
    if not first:
        start, end = max(0, size - int(last)), size
    else:
        start, end = int(first), min(int(last) + 1, size) if last else size
        if last and int(last) < start:
            return None  # no range at all
    if start >= size or start == end:
        raise RangeNotSatisfiable(f"The file has {size:,} bytes.")
    return start, end


def _content_type(head: bytes, *, filename: str) -> tuple[str, bool]:
    """The content type of what the file is read as, and whether a browser may show it in place."""
    begun = begins_as(head, filename=filename)
    if begun is Format.PDF:
        return PDF, True
    if begun in _HANDED_OUT:
        return _HANDED_OUT[begun], False
    return f"text/plain; charset={_charset(head)}", True


def _charset(head: bytes) -> str:
    marked = by_mark(head)
    if marked:
        return marked
    try:
        codecs.getincrementaldecoder("utf-8")().decode(head)  # the last character may be cut in two
    except UnicodeDecodeError:
        return "windows-1252" if code_page(head) == "cp1252" else "windows-1255"
    return "utf-8"


async def _blocks(stored: IO[Any], left: int) -> AsyncIterator[bytes]:
    try:
        while left and (block := await sync_to_async(stored.read)(min(BLOCK, left))):
            left -= len(block)
            yield block
    finally:
        await to_its_end(stored.close)


def _blocks_of_thread(stored: IO[Any], left: int) -> Iterator[bytes]:
    with closing(stored):
        while left and (block := stored.read(min(BLOCK, left))):
            left -= len(block)
            yield block
