"""Answers of text go out compressed, where the client takes that."""

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware

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
