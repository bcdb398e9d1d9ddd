"""What the first bytes of a file show: a PDF, text, or neither, or a file that no reader takes."""

import codecs
import re
from collections.abc import Collection
from pathlib import Path

_ZIP_END, _ZIP_END_BYTES, _ZIP_COMMENT_BYTES = b"PK\x05\x06", 22, 65_536
_ZIP64_LOCATOR, _ZIP64_BYTES = b"PK\x06\x07", 56 + 20  # the record and its locator, before the end of a large archive
RTF = b"{\\rtf"
TEXTS = (
    (b"%!PS", "a PostScript file"),
    (RTF, "an RTF file that was saved as a text file in Unicode"),  # an RTF file itself is known by then
)
BINARIES = (
    (b"MZ", "a Windows program"),
    (b"\x7fELF", "a program"),
    (b"GIF8", "a GIF image"),
    (b"RIFF", "a media file"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"7z\xbc\xaf", "a 7-Zip archive"),
    (b"Rar!", "a RAR archive"),
    (b"\x78\x9f\x3e\x22", "what Outlook packs text and attachments into for itself (winmail.dat)"),
)
# A stream by whose name the old file of a program is known.
OLD_OFFICE = (
    ("Workbook", "an old Excel workbook (.xls). Save it as XLSX"),
    ("Book", "an old Excel workbook (.xls). Save it as XLSX"),
    ("PowerPoint Document", "an old PowerPoint presentation (.ppt). Save it as PPTX"),
)
# XML by an address in its outermost element.
XML = (
    (
        "www.legislation.gov.uk/namespaces/legislation",
        "This is XML of legislation.gov.uk. Upload what is there as Akoma Ntoso instead (data.akn).",
    ),
    (
        "formex.publications.europa.eu",
        "This is XML of EUR-Lex (Formex). Upload what is there as HTML or PDF instead.",
    ),
)
ARCHIVES = {
    "xlsb": "This is a binary Excel workbook (.xlsb). Save it as XLSX and upload it again.",
    "epub": "This is an electronic book (EPUB). Save it as PDF and upload it again.",
    "apple": (
        "This is a file of Apple's Pages, Numbers or Keynote. Export it as DOCX, XLSX, PPTX or PDF and upload that."
    ),
    "xps": "This is an XPS document. Print it to PDF and upload it again.",
    "visio": "This is a Visio drawing. Save it as PDF and upload it again.",
}
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


def archive_refused(names: Collection[str], mimetype: bytes) -> str:
    """What an archive is that is no document and holds none, as sentences. "" for any other. `names` are small."""
    signs = {
        "xlsb": "xl/workbook.bin" in names,
        "epub": mimetype.startswith(b"application/epub"),
        "apple": "index.apxl" in names or any(name.endswith(".iwa") for name in names),
        "xps": any(name.endswith(".fdseq") for name in names),
        "visio": any(name.startswith("visio/") for name in names),
    }
    return next((ARCHIVES[kind] for kind, found in signs.items() if found), "")


def directory_bytes(path: Path) -> int:
    """The size of the archive's list of entries as `zipfile` finds it. 0 if the archive does not say.

    It is measured before the list is read, as each entry takes memory.
    """
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
