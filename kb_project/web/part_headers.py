"""Headers of the parts of a form in windows-1255, as older Hebrew programs send the names of files."""

from django.http import multipartparser

LEGACY = "cp1255"
_END = b"\r\n\r\n"
_read_part = multipartparser.parse_boundary_stream  # type: ignore[attr-defined]  # the stubs leave it out


def read_legacy_headers() -> None:
    """Have the forms of Django and of DRF read such headers: Django's own passes over the whole part."""
    multipartparser.parse_boundary_stream = _read_part_in_utf8  # type: ignore[attr-defined]


def _read_part_in_utf8(
    stream: multipartparser.LazyStream, max_header_size: int
) -> tuple[str, dict[str, object], object]:
    start = stream.read(max_header_size)
    header, end, content = start.partition(_END)
    stream.unget(in_utf8(header) + end + content if end else start)
    part: tuple[str, dict[str, object], object] = _read_part(stream, 2 * max_header_size)  # UTF-8 may be twice as long
    return part


def in_utf8(header: bytes) -> bytes:
    """The header as it is if it is UTF-8, else read as windows-1255."""
    try:
        header.decode()
    except UnicodeDecodeError:
        return header.decode(LEGACY, "replace").encode()
    return header
