"""What the first bytes of a file show: a PDF, text, or neither."""

import codecs
import re

PDF_HEADER_WITHIN = 1_024

_PDF_START = re.compile(rb"(?:\xef\xbb\xbf)?\s*+%PDF-")
_PDF_VERSION = re.compile(rb"\d\.\d[ \t]*(?:[\r\n]|\Z)")
_PDF_HEADER_LINE = re.compile(rb"[\r\n]%PDF-" + _PDF_VERSION.pattern)
_PDF_OBJECT = re.compile(rb"\b\d{1,10}\s+\d{1,5}\s+obj\b")
HTML_START = re.compile(r"(?:<\?xml[^>]*>|<!--.*?-->|\s)*+<(?:!doctype\s+html|html|head|body)\b", re.I | re.S)
_CONTROL = bytes([*range(9), 11, *range(14, 27), *range(28, 32), 127])
_SHORT_BINARY, _CONTROL_SHARE = 8, 0.01


def is_pdf(head: bytes, *, named_so: bool) -> bool:
    """Whether all of the beginning fits a PDF: words about `%PDF-`, and pages with it in them, do not.

    The mark is first, and is alone in its line, has an object behind it, or the file is named so. Or it is in a line
    of its own a little later, as where a printer's commands or an HTTP header were saved along. Then objects follow,
    among bytes that no text has.
    """
    if start := _PDF_START.match(head):
        return named_so or bool(_PDF_VERSION.match(head, start.end()) or _PDF_OBJECT.search(head))
    header = _PDF_HEADER_LINE.search(head, 0, PDF_HEADER_WITHIN)
    if header is None or not _PDF_OBJECT.search(head, header.end()):
        return False
    return not _is_text(head) and not HTML_START.match(head[: header.start()].decode("latin-1").lstrip("ï»¿"))


def _is_text(head: bytes) -> bool:
    """UTF-8 without control characters. The last character may be incomplete."""
    if len(head.translate(None, _CONTROL)) != len(head):
        return False
    try:
        codecs.getincrementaldecoder("utf-8")().decode(head)
    except UnicodeDecodeError:
        return False
    return True


def is_binary(head: bytes) -> bool:
    control = len(head) - len(head.translate(None, _CONTROL))
    share = control / len(head)
    return share > _CONTROL_SHARE and (control > _SHORT_BINARY or share > 10 * _CONTROL_SHARE)
