"""Tells the format of a file by its content, and refuses what cannot be read."""

import codecs
import enum
import errno
import re
import zipfile
from pathlib import Path

from sources.extraction.document import ExtractionFailed

HEAD_BYTES = 65_536
PDF_HEADER_WITHIN = 1_024

_PDF_START = re.compile(rb"(?:\xef\xbb\xbf)?\s*+%PDF-")
_PDF_VERSION = re.compile(rb"\d\.\d[ \t]*(?:[\r\n]|\Z)")
_PDF_HEADER_LINE = re.compile(rb"[\r\n]%PDF-" + _PDF_VERSION.pattern)
_PDF_OBJECT = re.compile(rb"\b\d{1,10}\s+\d{1,5}\s+obj\b")

_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_UTF16_BOMS = (b"\xff\xfe", b"\xfe\xff")
_ZIP_STARTS = (b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")
_REFUSED_TEXT = ((b"{\\rtf", "an RTF document"), (b"%!PS", "a PostScript file"))
_REFUSED_BINARY = (
    (b"MZ", "a Windows program"),
    (b"\x7fELF", "a program"),
    (b"\x89PNG", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"GIF8", "a GIF image"),
    (b"II*\x00", "a TIFF image"),
    (b"MM\x00*", "a TIFF image"),
    (b"RIFF", "a media file"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"7z\xbc\xaf", "a 7-Zip archive"),
    (b"Rar!", "a RAR archive"),
)
_HTML_START = re.compile(r"(?:<\?xml[^>]*>|<!--.*?-->|\s)*+<(?:!doctype\s+html|html|head|body)\b", re.I | re.S)
_SVG_START = re.compile(r"(?:<\?xml[^>]*>|<!--.*?-->|\s)*+<(?:!doctype\s+(?:\w+:)?svg|(?:\w+:)?svg)\b", re.I | re.S)
_HTML_ELEMENT = re.compile(r"</?[a-z][a-z0-9]*(?:\s[^<>]*)?/?>", re.I)
_WORD_XML = re.compile(rb"<\?mso-application|<w:wordDocument|schemas\.microsoft\.com/office/word/2003", re.I)
_WEB_ARCHIVE = re.compile(rb"MIME-Version:.{0,2000}multipart/related", re.I | re.S)
_CONTROL = bytes([*range(9), 11, *range(14, 27), *range(28, 32), 127])
_ZIP_END, _ZIP_END_BYTES, _ZIP_COMMENT_BYTES = b"PK\x05\x06", 22, 65_536
_ZIP64_LOCATOR, _ZIP64_BYTES = b"PK\x06\x07", 56 + 20  # the record and its locator, before the end of a large archive
_ZIP_DIRECTORY_LIMIT = 4 << 20  # bytes: tens of thousands of entries, when a Word file has a few hundred at most
_SHORT_BINARY, _CONTROL_SHARE = 8, 0.01

_READABLE = "PDF, DOCX, HTML, text and Markdown files can be read."


class Format(enum.StrEnum):
    """The formats that have a reader."""

    PDF = "pdf"
    DOCX = "docx"
    HTML = "html"
    TXT = "txt"
    MD = "md"


def detect(path: str | Path, *, filename: str = "") -> Format:
    """The format by content. The name only tells Markdown, HTML fragments and a torn PDF from plain text.

    Raises ExtractionFailed with code empty, corrupt, encrypted or unsupported_type.
    """
    path = Path(path)
    suffix = Path(filename or path.name).suffix.lower()
    with path.open("rb") as file:
        head = file.read(HEAD_BYTES)
    if not head:
        raise ExtractionFailed("empty", "The file is empty: it has 0 bytes.")
    begun = begins_as(head, filename=filename or path.name)
    if begun is Format.DOCX:
        return _inside_zip(path, head, suffix)
    if begun is not None:
        return begun
    if head.startswith(_OLE):
        raise _ole_refusal(path, head)
    return _text_format(head, suffix)


def begins_as(head: bytes, *, filename: str) -> Format | None:
    """PDF or DOCX if a file with these first `HEAD_BYTES` can be no other format that is read. None for text.

    Of zip archives only those with a Word document in them are read, which the beginning does not tell.
    """
    if _is_pdf(head, named_so=filename.lower().endswith(".pdf")):
        return Format.PDF
    return Format.DOCX if head.startswith(_ZIP_STARTS) else None


def _is_pdf(head: bytes, *, named_so: bool) -> bool:
    """Whether all of the beginning fits a PDF: words about `%PDF-`, and pages with it in them, do not.

    The mark is first, and is alone in its line, has an object behind it, or the file is named so. Or it is in a line
    of its own a little later, as where a printer's commands or an HTTP header were saved along; then objects follow,
    among bytes that no text has.
    """
    if start := _PDF_START.match(head):
        return named_so or bool(_PDF_VERSION.match(head, start.end()) or _PDF_OBJECT.search(head))
    header = _PDF_HEADER_LINE.search(head, 0, PDF_HEADER_WITHIN)
    if header is None or not _PDF_OBJECT.search(head, header.end()):
        return False
    return not _is_text(head) and not _HTML_START.match(head[: header.start()].decode("latin-1").lstrip("ï»¿"))


def _is_text(head: bytes) -> bool:
    """UTF-8 without control characters. The last character may be incomplete."""
    if len(head.translate(None, _CONTROL)) != len(head):
        return False
    try:
        codecs.getincrementaldecoder("utf-8")().decode(head)
    except UnicodeDecodeError:
        return False
    return True


def _text_format(head: bytes, suffix: str) -> Format:
    if head.startswith(_UTF16_BOMS):
        start = head.decode("utf-16", "ignore")
    else:
        _refuse_other_formats(head, suffix)
        start = head.decode("latin-1").lstrip("ï»¿")  # tags are ASCII in every encoding that is left
    if _SVG_START.match(start):
        raise _unsupported(f"This is an SVG image. {_READABLE}")
    if suffix == ".pdf":
        raise _unsupported(f"The file is named .pdf but is not a PDF. {_READABLE}")
    if _HTML_START.match(start):
        return Format.HTML
    if suffix in {".html", ".htm", ".xhtml"} and _HTML_ELEMENT.search(start):
        return Format.HTML
    return Format.MD if suffix in {".md", ".markdown"} else Format.TXT


def _refuse_other_formats(head: bytes, suffix: str) -> None:
    binary = _is_binary(head)
    for magic, what in _REFUSED_BINARY if binary else _REFUSED_TEXT:
        if head.startswith(magic):
            raise _unsupported(f"This is {what}. {_READABLE}")
    if binary:
        name = "The file is named .pdf but is not a PDF." if suffix == ".pdf" else "This is a binary file."
        raise _unsupported(f"{name} {_READABLE}")
    if _WORD_XML.search(head) or _WEB_ARCHIVE.match(head):
        raise _unsupported("This is an old Word or web archive file. Save it as DOCX and upload it again.")


def _is_binary(head: bytes) -> bool:
    control = len(head) - len(head.translate(None, _CONTROL))
    share = control / len(head)
    return share > _CONTROL_SHARE and (control > _SHORT_BINARY or share > 10 * _CONTROL_SHARE)


def _inside_zip(path: Path, head: bytes, suffix: str) -> Format:
    if (
        _zip_directory_bytes(path) > _ZIP_DIRECTORY_LIMIT
    ):  # this runs where uploads come in, and each entry takes memory
        raise _unsupported(f"This is an archive of very many files. {_READABLE}")
    try:
        with zipfile.ZipFile(path) as archive:
            names = set(archive.namelist())
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError) as error:
        if isinstance(error, OSError) and error.errno != errno.EINVAL:  # no place to read from that the file named
            raise
        if suffix == ".docx" or b"word/" in head or b"[Content_Types].xml" in head:
            raise ExtractionFailed(
                "corrupt", "The Word file is damaged or was cut off on its way. Upload it again."
            ) from error
        raise _unsupported(f"This is a damaged archive. {_READABLE}") from error
    if "word/document.xml" in names:
        return Format.DOCX
    if any(name.startswith("xl/") for name in names):
        raise _unsupported(f"This is an Excel workbook. {_READABLE}")
    if any(name.startswith("ppt/") for name in names):
        raise _unsupported(f"This is a PowerPoint presentation. {_READABLE}")
    if "mimetype" in names and "content.xml" in names:
        raise _unsupported("This is an OpenDocument file. Save it as DOCX or PDF and upload it again.")
    raise _unsupported(f"This is a zip archive without a Word document in it. {_READABLE}")


def _zip_directory_bytes(path: Path) -> int:
    """The size of the archive's list of entries as `zipfile` finds it. 0 if the archive does not say."""
    with path.open("rb") as file:
        size = file.seek(0, 2)
        file.seek(max(0, size - _ZIP64_BYTES - _ZIP_END_BYTES - _ZIP_COMMENT_BYTES))
        tail = file.read()
    end = len(tail) - _ZIP_END_BYTES
    if not (tail.startswith(_ZIP_END, max(0, end)) and tail.endswith(b"\0\0")):
        end = tail.rfind(_ZIP_END)
    if end < 0:
        return 0
    length = int.from_bytes(tail[end + 12 : end + 16], "little")
    large = end - _ZIP64_BYTES
    if large >= 0 and tail[end - 20 : end].startswith(_ZIP64_LOCATOR):
        return max(length, int.from_bytes(tail[large + 40 : large + 48], "little"))
    return length


def _ole_refusal(path: Path, head: bytes) -> ExtractionFailed:
    sector = 1 << min(int.from_bytes(head[0x1E:0x20], "little"), 12)
    with path.open("rb") as file:
        file.seek((int.from_bytes(head[0x30:0x34], "little") + 1) * sector)
        directory = file.read(4 * sector)
    if "EncryptedPackage".encode("utf-16-le") in directory:
        return ExtractionFailed("encrypted", "The Word file needs a password. Remove it and upload the file again.")
    if "WordDocument".encode("utf-16-le") in directory:
        return _unsupported("This is an old Word file (.doc). Save it as DOCX or PDF and upload it again.")
    return _unsupported(f"This is an old Office file. {_READABLE}")


def _unsupported(message: str) -> ExtractionFailed:
    return ExtractionFailed("unsupported_type", message)
