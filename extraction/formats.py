"""Tells the format of a file by its content, and refuses what cannot be read."""

import enum
import errno
import re
import zipfile
import zlib
from collections.abc import Collection
from pathlib import Path

from extraction import libreoffice, signatures
from extraction.document import ExtractionFailed
from extraction.mail.parts import SEPARATOR
from extraction.signatures import HTML_START, directory_bytes, is_binary, is_pdf
from extraction.text.encodings import in_utf8

MIN_PADDING = 8  # NUL bytes at the end of a text, of which something is said
HEAD_BYTES = 65_536

_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ZIP_STARTS = (b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")
_ODT = b"application/vnd.oasis.opendocument.text"
_ZIP_HEADER_BYTES = 30
_IMAGE_STARTS = (
    (b"\x89PNG\r\n\x1a\n", "png"),
    (b"\xff\xd8\xff", "jpeg"),
    (b"II*\x00", "tiff"),
    (b"MM\x00*", "tiff"),
    (b"II+\x00", "tiff"),  # larger than 4 GB can be
    (b"MM\x00+", "tiff"),
)
# The name of the first entries of the archive. A Word file has a folder of its own.
_OFFICE_ENTRY = re.compile(rb"PK\x03\x04.{26}[/\\]?(xl|ppt)[/\\]", re.DOTALL)
MIN_WORDS = 4  # of a text behind which a file is padded: `SQLite format 3` is none
_BYTE_ORDER = re.compile(rb"^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)")
_SVG_START = re.compile(r"(?:<\?xml[^>]*>|<!--.*?-->|\s)*+<(?:!doctype\s+(?:\w+:)?svg|(?:\w+:)?svg)\b", re.I | re.S)
_AKOMA_NTOSO_START = re.compile(
    r"(?:<\?xml[^>]*>|<!--.*?-->|<!doctype[^>\[]*(?:\[[^\]]*\]\s*)?>|\s)*+<(?:[\w-]+:)?akomaNtoso\b", re.I | re.S
)
_HEADER = re.compile(r"(?P<name>[!-9;-~]+):[ \t][^\n]*\n(?:[ \t]+[^\n]*\n)*")
_XML_ROOT = re.compile(
    r"(?:<\?[^>]*>|<!--.*?-->|<!doctype[^>\[]*(?:\[[^\]]*\]\s*)?>|\s)*+<(?P<name>[\w.:-]+)(?P<attributes>[^>]*)",
    re.I | re.S,
)
_XML_SUFFIXES = frozenset({".xml", ".fodt"})
_FLAT_ODF = "urn:oasis:names:tc:opendocument:"
_MAILBOX_LINE = re.compile(rf"\s*{SEPARATOR}.*\n")
_LENGTH_LINE = re.compile(r"\s*\d+[ \t]*\n")  # before a message of Apple Mail
_MAIL_HEADERS = frozenset({"from", "to", "date", "subject", "cc", "sender"})
_MAIL_SUFFIXES = frozenset({".eml", ".emlx"})
_TRANSPORT_HEADERS = frozenset({"received", "return-path", "message-id", "mime-version", "delivered-to"})
_HTML_ELEMENT = re.compile(r"</?[a-z][a-z0-9]*(?:\s[^<>]*)?/?>", re.I)
_WORD_XML = re.compile(
    rb"<\?mso-application|<w:wordDocument|schemas\.microsoft\.com/office/(?:word/2003|2006/xmlPackage)", re.I
)
_WORD_MAIN = re.compile(r"word/document\d*\.xml")
_WORD_TYPE = re.compile(rb"(?:wordprocessingml\.(?:document|template)|ms-word\.\w+\.macroenabled\w*)\.main\+xml", re.I)
_WEB_ARCHIVE = re.compile(  # not a message, which says to whom or when
    rb"\A(?:From: <?Saved by |MIME-Version:(?!.{0,2000}^(?:To|Date):).{0,2000}multipart/related)", re.I | re.S | re.M
)
_ZIP_DIRECTORY_LIMIT = 4 << 20  # bytes: tens of thousands of entries, when a Word file has a few hundred at most
_OLE_HEADER_BYTES = 512
_WORD_STREAM, _WORD_FLAGS, _WORD_ENCRYPTED = b"\xec\xa5", _OLE_HEADER_BYTES + 11, 1  # how Word's stream begins
_OFFICE_SUFFIXES = frozenset({".docx", ".xlsx", ".xlsm", ".pptx", ".pptm"})
_LOCKED = "The Office file needs a password. Save it without a password and upload it again."


class Format(enum.StrEnum):
    """The formats that are taken in. All but ZIP, which holds files of the others, have a reader."""

    PDF = "pdf"
    DOCX = "docx"
    DOC = "doc"
    ODT = "odt"
    RTF = "rtf"
    HTML = "html"
    TXT = "txt"
    MD = "md"
    EML = "eml"
    MBOX = "mbox"
    MSG = "msg"
    AKN = "akn"
    XLSX = "xlsx"
    PPTX = "pptx"
    TIFF = "tiff"
    JPEG = "jpeg"
    PNG = "png"
    ZIP = "zip"


CONTAINERS = frozenset({Format.ZIP, Format.EML, Format.MBOX, Format.MSG})
"""Those in which there may be other documents."""
IMAGES = frozenset({Format.TIFF, Format.JPEG, Format.PNG})
"""Those in which there are pictures alone."""
AS_TEXT = frozenset({Format.TXT, Format.MD, Format.HTML, Format.EML, Format.MBOX})
"""Those that are text as they are, and of any length."""
DRAWN = IMAGES | {Format.PDF}
"""Those whose pages can be drawn."""
_DRAWN_SUFFIXES = (".pdf", ".png", ".jpg", ".jpeg", ".tif", ".tiff")
_NAMES = {Format.MD: "Markdown", Format.AKN: "Akoma Ntoso"}
NAMES = ", ".join(_NAMES.get(format, format.upper()) for format in Format)
"""The formats as people are told them, in every language."""
_READABLE = f"These can be read: {NAMES}."


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
    if not _BYTE_ORDER.sub(b"", head).strip(b"\0 \t\n\r\f\v") and len(head) < HEAD_BYTES:
        raise ExtractionFailed("empty", "There is no text in the file.")
    begun = begins_as(head, filename=filename or path.name)
    if begun in (Format.DOCX, Format.XLSX, Format.PPTX):
        return _inside_zip(path, head, suffix)
    if begun in (Format.DOC, Format.MSG):
        return _inside_ole(path, head)
    return begun or _text_format(head, suffix)


def is_padded(path: Path) -> bool:
    """Whether a text ends in NUL bytes: of a record that is filled up, or of a write that was cut off."""
    with path.open("rb") as file:
        file.seek(max(0, path.stat().st_size - MIN_PADDING))
        return file.read(MIN_PADDING) == bytes(MIN_PADDING)


def begins_as(head: bytes, *, filename: str) -> Format | None:
    """The format if a file with these first `HEAD_BYTES` can be no other that is read and stored. None for text.

    Of zip archives those with an Office document in them are stored, of old Office files Word's, which the beginning
    does not tell, and Outlook's by name. An archive whose beginning does not tell is Word's.
    """
    if is_pdf(head, named_so=filename.lower().endswith(".pdf")):
        return Format.PDF
    if head.startswith(_ZIP_STARTS):
        if head.startswith(b"mimetype" + _ODT, _ZIP_HEADER_BYTES):
            return Format.ODT
        entry = _OFFICE_ENTRY.search(head)
        return Format.DOCX if entry is None else Format.XLSX if entry[1] == b"xl" else Format.PPTX
    if head.startswith(_OLE):
        return Format.MSG if filename.lower().endswith(".msg") else Format.DOC
    return Format.RTF if head.startswith(signatures.RTF) else begins_as_image(head)


def is_named_drawn(filename: str) -> bool:
    """Whether the file is named as one whose pages can be drawn."""
    return filename.lower().endswith(_DRAWN_SUFFIXES)


def begins_as_image(head: bytes) -> Format | None:
    """The format of an image that is read, None if it is none."""
    return next((Format(name) for start, name in _IMAGE_STARTS if head.startswith(start)), None)


def _text_format(head: bytes, suffix: str) -> Format:
    head = in_utf8(head)
    _refuse_other_formats(head, suffix)
    start = head.decode("latin-1")  # tags are ASCII in every encoding that is left
    if _AKOMA_NTOSO_START.match(start):
        return Format.AKN
    if mail := _mail(start, suffix):
        return mail
    if _SVG_START.match(start):
        raise _unsupported(f"This is an SVG image. {_READABLE}")
    if suffix == ".pdf":
        raise _unsupported(f"The file is named .pdf but is not a PDF. {_READABLE}")
    if HTML_START.match(start):
        return Format.HTML
    is_xml = suffix in _XML_SUFFIXES or start.lstrip().startswith("<?xml")
    if is_xml and (root := _XML_ROOT.match(start)):
        return _inside_xml(root)
    if suffix in {".html", ".htm", ".xhtml"} and _HTML_ELEMENT.search(start):
        return Format.HTML
    return Format.MD if suffix in {".md", ".markdown"} else Format.TXT


def _inside_xml(root: re.Match[str]) -> Format:
    """The format of XML, told by its outermost element."""
    if _FLAT_ODF in root["attributes"]:
        if _ODT.decode() in root["attributes"]:
            return Format.ODT
        raise _unsupported(f"This is an OpenDocument file that is no text. {_READABLE}")
    for address, sentence in signatures.XML:
        if address in root["attributes"]:
            raise _unsupported(sentence)
    raise _unsupported(f"This is XML of a kind that is not read (<{root['name'][:50]}>). {_READABLE}")


def _mail(start: str, suffix: str) -> Format | None:
    """The format if it begins with the headers of a message.

    Among them are those that only programs write, or the line before them or the file's name says so.
    """
    start = start.replace("\r\n", "\n").replace("\r", "\n")
    in_mailbox = _MAILBOX_LINE.match(start)
    before = in_mailbox or _LENGTH_LINE.match(start)
    place = before.end() if before else len(start) - len(start.lstrip("\n"))
    names: set[str] = set()
    while header := _HEADER.match(start, place):
        names.add(header["name"].lower())
        place = header.end()
    sure = names & _TRANSPORT_HEADERS or in_mailbox or suffix in _MAIL_SUFFIXES
    if not (sure and len(names & _MAIL_HEADERS) > 1):
        return None
    return Format.MBOX if in_mailbox else Format.EML


def _refuse_other_formats(head: bytes, suffix: str) -> None:
    binary = is_binary(head)
    for magic, what in signatures.BINARIES if binary else signatures.TEXTS:
        if head.startswith(magic):
            raise _unsupported(f"This is {what}. {_READABLE}")
    begun = head.rstrip(b"\0")
    if binary and (len(begun.split()) < MIN_WORDS or is_binary(begun)):  # else a text that is filled up to a length
        name = "The file is named .pdf but is not a PDF." if suffix == ".pdf" else "This is a binary file."
        raise _unsupported(f"{name} {_READABLE}")
    if _WORD_XML.search(head) or _WEB_ARCHIVE.search(head):
        raise _unsupported("This is an old Word or web archive file. Save it as DOCX and upload it again.")


def _inside_zip(path: Path, head: bytes, suffix: str) -> Format:
    if directory_bytes(path) > _ZIP_DIRECTORY_LIMIT:  # this runs where uploads come in, and each entry takes memory
        raise _unsupported(f"This is an archive of very many files. {_READABLE}")
    try:
        with zipfile.ZipFile(path) as archive:
            names = {name.replace("\\", "/").lstrip("/").lower() for name in archive.namelist()}
            types = _read_start(archive, "[Content_Types].xml", 1 << 20)
            mimetype = _read_start(archive, "mimetype", len(_ODT))
    except (zipfile.BadZipFile, zlib.error, ValueError, OSError, RuntimeError, NotImplementedError) as error:
        if isinstance(error, OSError) and error.errno != errno.EINVAL:  # no place to read from that the file named
            raise
        if suffix in _OFFICE_SUFFIXES or b"word/" in head or b"[Content_Types].xml" in head:
            raise ExtractionFailed(
                "corrupt", "The Office file is damaged or was cut off on its way. Upload it again."
            ) from error
        raise _unsupported(f"This is a damaged archive. {_READABLE}") from error
    return _of_names(names, types, mimetype)


def _of_names(names: Collection[str], types: bytes, mimetype: bytes) -> Format:
    """The format of a ZIP archive by what is in it."""
    if any(map(_WORD_MAIN.fullmatch, names)) or _WORD_TYPE.search(types):
        return Format.DOCX
    if sentence := signatures.archive_refused(names, mimetype):
        raise _unsupported(sentence)
    if any(name.startswith("xl/") for name in names):
        return Format.XLSX
    if any(name.startswith("ppt/") for name in names):
        return Format.PPTX
    if mimetype == _ODT:
        return Format.ODT
    if mimetype and "content.xml" in names:
        raise _unsupported(f"This is an OpenDocument file that is no text. {_READABLE}")
    return Format.ZIP


def _read_start(archive: zipfile.ZipFile, name: str, most: int) -> bytes:
    return archive.open(name).read(most) if name in archive.NameToInfo else b""


def _inside_ole(path: Path, head: bytes) -> Format:
    if head.startswith(_WORD_STREAM, _OLE_HEADER_BYTES) and head[_WORD_FLAGS] & _WORD_ENCRYPTED:
        raise ExtractionFailed("encrypted", _LOCKED)
    sector = 1 << min(int.from_bytes(head[0x1E:0x20], "little"), 12)
    place = (int.from_bytes(head[0x30:0x34], "little") + 1) * sector
    with path.open("rb") as file:
        file.seek(min(place, file.seek(0, 2)))
        directory = file.read(4 * sector)
    if "EncryptedPackage".encode("utf-16-le") in directory:
        raise ExtractionFailed("encrypted", _LOCKED)
    if "__substg1.0_".encode("utf-16-le") in directory:
        return Format.MSG
    if "WordDocument".encode("utf-16-le") not in directory:
        for stream, what in signatures.OLD_OFFICE:
            if stream.encode("utf-16-le") + b"\0\0" in directory:
                raise _unsupported(f"This is {what} and upload it again.")
        raise _unsupported(f"This is an old Office file. {_READABLE}")
    if libreoffice.program() is None:
        raise libreoffice.missing()
    return Format.DOC


def _unsupported(message: str) -> ExtractionFailed:
    return ExtractionFailed("unsupported_type", message)
