"""Serve stored files inline, with a content type that no browser executes."""

import codecs
from collections.abc import AsyncIterator
from typing import IO, Any

from asgiref.sync import sync_to_async
from django.core.handlers.asgi import ASGIRequest
from django.http import FileResponse, HttpRequest, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _

from extraction.formats import HEAD_BYTES, Format, begins_as
from extraction.text.encodings import by_mark, code_page
from kb_project.database.connections import release
from kb_project.errors import NotFound
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

NOWHERE_ELSE = "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
TEXT_POLICY = f"default-src 'none'; sandbox; {NOWHERE_ELSE}"
# A sandbox would keep the browser's own viewer out, which brings styles in its page; scripts it needs none of ours.
PDF_POLICY = f"default-src 'none'; object-src 'self'; style-src 'unsafe-inline'; {NOWHERE_ELSE}"


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
    content_type, inline = _content_type(head, filename=filename)
    return stream(request, stored, content_type=content_type, filename=filename, inline=inline)


def stream(
    request: HttpRequest, file: IO[Any], *, content_type: str, filename: str, inline: bool = False
) -> HttpResponseBase:
    """An open file from its start, block by block. It is closed at the end."""
    file.seek(0)
    response: HttpResponseBase
    if isinstance(request, ASGIRequest):  # a sync iterator would be read into memory whole
        response = StreamingHttpResponse(_blocks(file), content_type=content_type)
    else:
        response = FileResponse(file, content_type=content_type)
    response.headers["Content-Disposition"] = content_disposition_header(not inline, filename) or "inline"
    response.headers["X-Content-Type-Options"] = "nosniff"
    response.headers["Content-Security-Policy"] = PDF_POLICY if content_type == PDF else TEXT_POLICY
    return response


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


async def _blocks(stored: IO[Any]) -> AsyncIterator[bytes]:
    try:
        while block := await sync_to_async(stored.read)(BLOCK):
            yield block
    finally:
        await to_its_end(stored.close)
