"""Takes the files out of a ZIP archive, a message or a PDF, and those out of them, before any of it is taken in.

Runs in a reader's process. Members are written under numbers, so that no name in the file says where.
"""

from __future__ import annotations

import re
import stat
import zipfile
from collections.abc import Iterable
from dataclasses import replace
from itertools import islice
from pathlib import Path

from extraction.containers.members import Member, format_of_container, write_members
from extraction.document import ExtractionFailed
from extraction.formats import Format, detect
from extraction.mail.outlook import message_of
from extraction.mail.parts import attachments, header, messages
from extraction.mail.reader import parse, parsed
from extraction.packages import encrypted, open_package
from extraction.pdf.opening import files_in

_OF_SYSTEMS = re.compile(r"(?:^|/)(?:__MACOSX/|\._|\.DS_Store$|Thumbs\.db$|desktop\.ini$|~\$)", re.I)
_HIDDEN = re.compile(r"(?:^|/)\.(?!\.)")
_A_DOCUMENT = re.compile(r"\.(?:pdf|docx?|odt|rtf|txt|html?|eml|msg|xls[xm]|ppt[xm]|tiff?|jpe?g|png)$", re.I)
_HERE = re.compile(r"(?:^|(?<=/))(?:\./+)+")
_LEADS_OUT = re.compile(r"[/\\]|[A-Za-z]:|(?:.*[/\\])?\.\.(?:[/\\]|$)", re.DOTALL)
# Hebrew letters do not stand beside Latin ones. A letter that does is the accented one of another code page.
_HEBREW_BY_CODE_PAGE = {
    "cp862": re.compile(rb"(?:[\x00-\x7f]|(?<![A-Za-z])[\x80-\x9a]+(?![A-Za-z]))*"),
    "cp1255": re.compile(rb"(?:[\x00-\x7f\x91-\x97\xa0-\xbf]|(?<![A-Za-z])[\xe0-\xfa]+(?![A-Za-z]))*"),
}
_UNICODE_NAME, _BEFORE_NAME = 0x7075, 5  # the extra field of Info-ZIP, its version and checksum
_IS_UTF8 = 0x800
_UNPACKED = frozenset({zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA})
_PACKINGS = {1: "Shrink", 6: "Implode", 9: "Deflate64", 93: "Zstandard", 95: "XZ", 97: "WavPack", 98: "PPMd"}
DEEPEST = 3  # archives and messages, one in another
MAX_MEMBERS = 500
# Looked at in all that lies in the outermost archive: also those that are passed over, and those of an archive that
# fails after them. Otherwise archives in archives would cost the square of what is taken in.
MAX_ENTRIES = 10_000
BLOCK = 1 << 20


def passed_over(info: zipfile.ZipInfo, name: str) -> bool:
    """Whether nobody would miss it: folders, what systems and Office keep beside documents, and hidden files.

    Hidden files that are named as documents are not passed over: on Windows nothing hides them.
    """
    if info.is_dir() or name.endswith("/") or _OF_SYSTEMS.search(name):
        return True
    return bool(_HIDDEN.search(name)) and not _A_DOCUMENT.search(name)


def leads_out(name: str) -> bool:
    """Whether an entry of this name would be unpacked outside of the archive's folder."""
    return _LEADS_OUT.match(name) is not None


def why_not(info: zipfile.ZipInfo, name: str) -> str:
    """Why a file in the archive is not taken in, as a sentence. "" if it is."""
    if stat.S_ISLNK(info.external_attr >> 16):
        return "It is a link to another file. Put the file itself into the archive."
    if _HIDDEN.search(name):
        return "It is hidden: its name or that of its folder begins with a full stop. Rename it and upload it again."
    if info.compress_type not in _UNPACKED:
        packing = _PACKINGS.get(info.compress_type, f"method {info.compress_type}")
        return f"It is compressed by {packing}, which is not read. Pack it as an ordinary ZIP (Deflate)."
    return ""


def name_of(info: zipfile.ZipInfo) -> str:
    """The name in the archive. One that is not marked as UTF-8 may be that all the same, or in a Hebrew code page."""
    return _HERE.sub("", _decoded_name(info).replace("\\", "/"))


def _decoded_name(info: zipfile.ZipInfo) -> str:
    if info.flag_bits & _IS_UTF8 or info.filename.isascii():
        return info.filename
    if name := _unicode_name(info.extra):
        return name
    raw = info.orig_filename.encode("cp437", "replace")  # as zipfile has read it
    encodings = ["utf-8", *(page for page, letters in _HEBREW_BY_CODE_PAGE.items() if letters.fullmatch(raw))]
    for encoding in encodings:
        try:
            return raw.decode(encoding)
        except UnicodeDecodeError:
            continue
    return info.filename


def _unicode_name(extra: bytes) -> str:
    """The name in the extra field that is there for it. "" if there is none."""
    while len(extra) >= 4:
        kind, length = (int.from_bytes(extra[at : at + 2], "little") for at in (0, 2))
        if kind == _UNICODE_NAME:
            return extra[4 + _BEFORE_NAME : 4 + length].decode("utf-8", "ignore")
        extra = extra[4 + length :]
    return ""


def unpack(path: Path, directory: Path, *, filename: str, most_bytes: int) -> None:
    """Write what a container holds to `directory`, and which they are (`read_members`).

    An archive or message inside that cannot be opened is one member, and nothing of it is among them. So is a PDF: the
    files in it are left out that have no reader, too, as the document's own reader names them all. Raises
    ExtractionFailed for the whole: unsupported_type, encrypted, corrupt or too_large.
    """
    unpacker = _Unpacker(directory, most_bytes=most_bytes)
    unpacker.open(path, filename, depth=1)
    write_members(unpacker.members, directory)


class _Unpacker:
    def __init__(self, directory: Path, *, most_bytes: int) -> None:
        self._directory = directory
        self._bytes_left = most_bytes
        self._files = 0
        self._entries = 0
        self.members: list[Member] = []

    def open(self, path: Path, shown: str, *, depth: int, member: Member | None = None) -> None:
        """Add the members of a container. `shown` is its whole name. It is `member` itself, if it was in another."""
        if depth > DEEPEST:
            raise ExtractionFailed("unsupported_type", f"Archives and messages lie more than {DEEPEST} deep in it.")
        match format := detect(path, filename=shown):
            case Format.ZIP:
                self._open_archive(path, shown, depth=depth, attached_to=member.attached_to if member else None)
            case Format.MBOX if len(list(islice(messages(path), 2))) > 1:
                for content in messages(path):
                    self._count(1)
                    name = f"{header(parsed(content), 'Subject') or 'message'}.eml"
                    self._add(Member(name, shown, self._written([content]).name), depth)
            case _:
                place = len(self.members)
                self._take(member or Member(shown))
                for name, content in _held(path, format):
                    self._count(1)
                    file = self._written([content])
                    if format is Format.PDF and not _is_read(file, name):
                        file.unlink()
                    else:
                        self._add(Member(name, shown, file.name, attached_to=place), depth)

    def _open_archive(self, path: Path, shown: str, *, depth: int, attached_to: int | None) -> None:
        with open_package(path, name="ZIP") as archive:
            if depth > 1:
                self._count(len(archive.infolist()))
            for info, name in _checked(archive, most_bytes=self._bytes_left):
                folder, _, last = name.rpartition("/")
                member = Member(last, f"{shown}/{folder}" if folder else shown, attached_to=attached_to)
                if sentence := why_not(info, name):
                    self._take(replace(member, code="unsupported_type", detail=sentence))
                    continue
                with archive.open(info) as file:
                    inner = self._written(iter(lambda: file.read(BLOCK), b""))
                self._add(replace(member, file=inner.name), depth)

    def _add(self, member: Member, depth: int) -> None:
        """A member, or what is in it."""
        path, before = self._directory / member.file, len(self.members)
        format = format_of_container(path, member.name)
        if format is None:
            self._take(member)
            return
        try:
            self.open(path, f"{member.within}/{member.name}", depth=depth + 1, member=member)
        except ExtractionFailed as failure:
            if failure.code == "too_large":
                raise
            del self.members[before:]
            if format is not Format.PDF:  # that is a document, whatever is in it
                member = replace(member, code=failure.code, detail=failure.message)
            self._take(member)

    def _take(self, member: Member) -> None:
        if len(self.members) >= MAX_MEMBERS:
            raise ExtractionFailed("too_large", f"The file holds more than {MAX_MEMBERS} documents. Send it in parts.")
        self.members.append(member)

    def _count(self, entries: int) -> None:
        self._entries += entries
        if self._entries > MAX_ENTRIES:
            raise ExtractionFailed("too_large", f"The file holds more than {MAX_ENTRIES} entries. Send it in parts.")

    def _written(self, blocks: Iterable[bytes]) -> Path:
        self._files += 1
        path = self._directory / str(self._files)
        with path.open("wb") as file:
            for block in blocks:
                self._bytes_left -= len(block)
                if self._bytes_left < 0:
                    raise _too_large()
                file.write(block)
        return path


def _held(path: Path, format: Format) -> Iterable[tuple[str, bytes]]:
    """Names and contents of the files in a document."""
    match format:
        case Format.PDF:
            return files_in(path)
        case Format.MSG:
            return attachments(message_of(path))
    return attachments(parse(path))


def _is_read(path: Path, name: str) -> bool:
    try:
        return bool(detect(path, filename=name))
    except ExtractionFailed:
        return False


def _checked(archive: zipfile.ZipFile, *, most_bytes: int) -> list[tuple[zipfile.ZipInfo, str]]:
    """The files of an archive with their names. Raises ExtractionFailed before any of them is unpacked."""
    found = [(info, name) for info in archive.infolist() if not passed_over(info, name := name_of(info))]
    for info, name in found:
        if leads_out(name):
            sentence = f"The archive has a file that would lie outside of it: “{name[:100]}”. Nothing was taken in."
            raise ExtractionFailed("unsupported_type", sentence)
        if info.flag_bits & 1:
            raise encrypted("ZIP")
    if len(found) > MAX_MEMBERS:
        raise ExtractionFailed("too_large", f"The archive holds more than {MAX_MEMBERS} files. Send it in parts.")
    if sum(info.file_size for info, _ in found) > most_bytes:  # zipfile never unpacks more than a member says it has
        raise _too_large()
    if not found:
        raise ExtractionFailed("empty", "There is no file in the archive.")
    return found


def _too_large() -> ExtractionFailed:
    return ExtractionFailed("too_large", "What is in it is larger than may be sent at once. Nothing was taken in.")
