"""Which bytes of a file a request asks for (RFC 9110, section 14)."""

import re

from django.http import HttpRequest

from kb_project.errors import ApiError

_ONE = re.compile(r"bytes\s*=\s*(\d{0,18})\s*-\s*(\d{0,18})\s*")


class RangeNotSatisfiable(ApiError):
    """The bytes that are asked for lie beyond the end."""

    code = "range_not_satisfiable"
    status = 416
    title = "No such bytes"


def wanted(request: HttpRequest, *, size: int, etag: str) -> tuple[int, int] | None:
    """Start and end of what is asked for, of a file of so many bytes. None: all of it, as for several ranges.

    A client that has part of another version (`If-Range`) gets all. Raises RangeNotSatisfiable.
    """
    found = _ONE.fullmatch(request.headers.get("Range", ""))
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
