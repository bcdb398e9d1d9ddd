"""Takes the files out of a ZIP archive, a message or a PDF, and those out of them, before any of it is taken in.

Runs in a reader's process. Members are written under numbers, so that no name in the file says where.
"""

from __future__ import annotations

import zipfile
from collections.abc import Iterable
from dataclasses import replace
from itertools import islice
from pathlib import Path

from extraction.containers.entries import leads_out, name_of, passed_over, why_not
from extraction.containers.holding import format_of_container
from extraction.containers.members import Member, write_members
from extraction.document import ExtractionFailed
from extraction.formats import Format, detect
from extraction.mail.mailbox import messages
from extraction.mail.outlook import message_of
from extraction.mail.parts import attachments, header
from extraction.mail.reader import parse, parsed
from extraction.packages import encrypted, open_package
from extraction.pdf.embedded_files import files_in

DEEPEST = 3  # archives and messages, one in another
MAX_MEMBERS = 500
# Looked at in all that lies in the outermost archive: also those that are passed over, and those of an archive that
# fails after them. Otherwise archives in archives would cost the square of what is taken in.
MAX_ENTRIES = 10_000
BLOCK = 1 << 20


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
