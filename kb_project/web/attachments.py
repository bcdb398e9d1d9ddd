"""Files that are made for a request and kept by whoever asked."""

from django.http import HttpResponse
from django.utils.http import content_disposition_header


def attachment(content: bytes | str, *, content_type: str, filename: str) -> HttpResponse:
    """The file, to be stored under a name in any script. No browser shows it in place, and no cache keeps it."""
    disposition = content_disposition_header(as_attachment=True, filename=filename)
    headers = {
        "Content-Disposition": disposition or "attachment",
        "Cache-Control": "no-store",
        "X-Content-Type-Options": "nosniff",
    }
    return HttpResponse(content, content_type=content_type, headers=headers)
