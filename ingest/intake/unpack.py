"""What a received file holds: itself, the documents in an archive, or a message or PDF and what is attached to it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.conf import settings
from django.utils.translation import gettext as _

from extraction.containers.members import Member, format_of_container
from extraction.document import ExtractionFailed
from extraction.formats import Format
from extraction.isolation import unpack
from ingest.intake.upload import ReceivedFile, receive_path
from ingest.models import Job
from kb_project.errors import ApiError, Invalid, NotFound, TooLarge, UnsupportedType
from kb_project.processes import scratch
from sources.files import storage

BLOCK = 1024 * 1024
_REFUSALS = {"too_large": TooLarge, "unsupported_type": UnsupportedType}


@dataclass(frozen=True, slots=True)
class UploadedDocument:
    """A document in a received file. `within` is the path of what it was in, "" if it is the file itself.

    `attached_to` is the place among the documents of the message or PDF that it came with. One that cannot be taken in
    has `refused`.
    """

    filename: str
    received: ReceivedFile | None = None
    within: str = ""
    attached_to: int | None = None
    refused: ApiError | None = None

    @property
    def name(self) -> str:
        """Its name with the path of what it was in."""
        return f"{self.within}/{self.filename}" if self.within else self.filename

    def accepted(self) -> ReceivedFile:
        """The file. Raises `ApiError`."""
        if self.received is None:
            raise self.refused or NotFound("The file is not there.")
        return self.received

    def part_of(self, jobs: Mapping[int, Job]) -> dict[str, Any] | None:
        """The value of `Job.part_of`. `jobs` are those of the documents before, by their places."""
        if not self.within:
            return None
        message = jobs.get(self.attached_to) if self.attached_to is not None else None
        return {"filename": self.within, "job_id": str(message.pk) if message else None}


@contextmanager
def unpack_upload(received: ReceivedFile) -> Iterator[Sequence[UploadedDocument]]:
    """The documents in the file, on local disk until the context ends.

    Raises `ApiError` for an archive of which nothing can be taken in: `encrypted`, `corrupt`, `empty` and
    `unsupported_type`, or `too_large`. A PDF whose files cannot be had is one document.
    """
    format = format_of_container(received.path, received.filename)
    if format is None:
        yield [UploadedDocument(received.filename, received)]
        return
    with scratch.directory("unpack") as directory:
        try:
            members = unpack(
                received.path,
                directory,
                filename=received.filename,
                most_bytes=settings.KB_MAX_BATCH_MB * BLOCK,
                memory_mb=settings.KB_EXTRACTION_MEMORY_MB,
            )
        except ExtractionFailed as failure:
            if format is not Format.PDF:
                raise _refusal(failure.code, failure.message) from failure
            members = [Member(received.filename)]
        yield [_document(member, received, directory) for member in members]


def raise_if_several(received: ReceivedFile) -> None:
    """Raise `UnsupportedType` for an archive, or a message with attachments: these are several documents.

    A PDF is one, and it is told which files in it are left out.
    """
    if format_of_container(received.path, received.filename) in (None, Format.PDF):
        return
    with unpack_upload(received) as documents:
        if len(documents) > 1 or documents[0].within:
            raise UnsupportedType(
                _("This file holds several documents. Send it to the upload of batches, which takes each by itself.")
            )


def _document(member: Member, received: ReceivedFile, directory: Path) -> UploadedDocument:
    if not (member.file or member.code):
        return UploadedDocument(received.filename, received)
    name, within = storage.display_name(member.name), storage.display_path(member.within)
    refused = _refusal(member.code, member.detail) if member.code else None
    try:
        inner = None if refused else receive_path(directory / member.file, filename=name)
    except TooLarge as refusal:
        inner, refused = None, refusal
    return UploadedDocument(name, inner, within, member.attached_to, refused)


def _refusal(code: str, sentence: str) -> ApiError:
    return _REFUSALS.get(code, Invalid)(sentence, code=code)
