"""Headers of the parts of a form, as programs write the names of files in them: in windows-1255, or with `%22`."""

import re

from django.http import multipartparser

LEGACY = "cp1255"
_END = b"\r\n\r\n"
# What browsers write for the characters that would end a name, and for no others (HTML, "multipart/form-data").
_ESCAPED = re.compile(rb"%(?:22|0[Dd]|0[Aa])")
_NAME = re.compile(rb'name="[^"\r\n]*"', re.I)  # also at the end of `filename`. `filename*` is written in another way.
_WRITTEN = {b"%22": b'\\"', b"%0D": b"", b"%0A": b""}
_read_part = multipartparser.parse_boundary_stream  # type: ignore[attr-defined]  # the stubs leave it out


def read_legacy_headers() -> None:
    """Have the forms of Django and of DRF read such headers: Django's own passes over the whole part."""
    multipartparser.parse_boundary_stream = _read_part_in_utf8  # type: ignore[attr-defined]


def _read_part_in_utf8(
    stream: multipartparser.LazyStream, max_header_size: int
) -> tuple[str, dict[str, object], object]:
    start = stream.read(max_header_size)
    header, end, content = start.partition(_END)
    stream.unget(unescaped(in_utf8(header)) + end + content if end else start)
    part: tuple[str, dict[str, object], object] = _read_part(stream, 2 * max_header_size)  # UTF-8 may be twice as long
    return part


def in_utf8(header: bytes) -> bytes:
    """The header as it is if it is UTF-8, else read as windows-1255."""
    try:
        header.decode()
    except UnicodeDecodeError:
        return header.decode(LEGACY, "replace").encode()
    return header


def unescaped(header: bytes) -> bytes:
    """The header with quotation marks in names as its grammar has them, and without line ends in them."""
    return _NAME.sub(lambda name: _ESCAPED.sub(lambda found: _WRITTEN[found[0].upper()], name[0]), header)
