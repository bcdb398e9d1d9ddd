"""Scan the legacy inbox, `inbox/<kind>/<file>`: each file becomes a job of the initial topic, exactly once.

Several scans may run at a time: each key is locked by a session lock of the database, and locked files are skipped.
The file is copied to its job's own key. The deletion of the original is requested in the transaction that makes the
job, and its key is skipped until then. Files of topics lie one folder deeper and are never scanned, also when a
topic's slug is the name of a kind. Every other file of the inbox is listed as skipped.
"""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from uuid import UUID

from django.core.files import File
from django.db import connection

from ingest.intake.unpack import unpack_upload
from ingest.intake.upload import Metadata, accept_upload, raise_if_unreadable, receive
from ingest.models import Job
from ingest.similar.duplicates import DuplicateDocument, find_duplicate, raise_if_duplicate
from kb_project.errors import ApiError, Conflict
from sources.files import storage
from sources.files.storage import Area
from sources.kinds import SourceKind
from sources.models import FileDeletion
from topics.models import INITIAL_TOPIC_ID, Topic

log = logging.getLogger(__name__)

FOLDERS = {f"{Area.INBOX}/{kind}": kind for kind in SourceKind.values}
MAX_MISPLACED = 1_000  # named in one answer
LOOKED_UP_AT_ONCE = 1_000


class FileInUse(Conflict):
    """The file is being taken in by another scan, was just taken in, or is still being written."""

    code = "in_hand"


@dataclass(frozen=True, slots=True)
class QueuedFile:
    """A file that was queued. In a dry run it has no job."""

    key: str
    kind: str
    job_id: UUID | None


@dataclass(frozen=True, slots=True)
class SkippedFile:
    """A file that was not queued, with a stable code and a sentence."""

    key: str
    code: str
    reason: str


@dataclass(slots=True)
class ScanResult:
    queued: list[QueuedFile] = field(default_factory=list)
    skipped: list[SkippedFile] = field(default_factory=list)


def scan_inbox(*, by: str, dry_run: bool = False) -> ScanResult:
    """Queue every file of the legacy inbox. With `dry_run`, only list what would be done."""
    topic = Topic.objects.get(pk=INITIAL_TOPIC_ID)
    scan = ScanResult()
    met: set[str] = set()
    for kind, key in legacy_files():
        shown = storage.printable(key)
        try:
            with _locked(key):
                job_id = _take_in(key, kind=kind, topic=topic, by=by, met=met if dry_run else None)
            scan.queued.append(QueuedFile(shown, kind, job_id))
        except ApiError as refusal:
            scan.skipped.append(SkippedFile(shown, refusal.code, refusal.detail))
        except FileNotFoundError:
            scan.skipped.append(SkippedFile(shown, FileInUse.code, "The file is not there any more."))
        except Exception:
            log.exception("The file %r could not be taken in", key)
            scan.skipped.append(SkippedFile(shown, "unavailable", "The file could not be read or stored."))
    scan.skipped.extend(_misplaced())
    return scan


def legacy_files() -> Iterator[tuple[str, str]]:
    """The kind and the key of each file directly in a folder of a kind."""
    for folder, kind in FOLDERS.items():
        for name in storage.names_in(folder):
            yield kind, f"{folder}/{name}"


def _misplaced() -> Iterator[SkippedFile]:
    """Files outside the folders of kinds that belong to no job, and the number of those left out of the list."""
    reason = "Only files directly in a folder of a kind are taken: inbox/law/, inbox/regulation/ and so on."
    keys = (file.key for file in storage.files_under(Area.INBOX) if file.key.rpartition("/")[0] not in FOLDERS)
    found = 0
    while some := list(islice(keys, LOOKED_UP_AT_ONCE)):
        owned = _owned(some)
        for key in sorted(set(some) - owned):
            found += 1
            if found <= MAX_MISPLACED:
                yield SkippedFile(storage.printable(key), "misplaced", reason)
    if found > MAX_MISPLACED:
        yield SkippedFile(str(Area.INBOX), "misplaced", f"And {found - MAX_MISPLACED} more files. {reason}")


def _owned(keys: list[str]) -> set[str]:
    """Those that a job names or that are to be deleted, which a file becomes before it is stored. One statement: a
    file goes from the one to the other in one transaction.
    """
    shown = {storage.printable(key): key for key in keys}  # the database stores text only
    jobs = Job.objects.filter(file_key__in=shown).values_list("file_key", flat=True)
    deletions = FileDeletion.objects.filter(key__in=shown).values_list("key", flat=True)
    return {shown[key] for key in jobs.union(deletions)}


def _take_in(key: str, *, kind: str, topic: Topic, by: str, met: set[str] | None) -> UUID | None:
    """Queue one file. `met` is for a dry run, which only refuses: the contents seen so far."""
    name = key.rpartition("/")[2]
    if name.startswith("."):
        raise Conflict("A hidden file is no document.", code="hidden")
    if FileDeletion.objects.filter(key=key).exists():
        raise FileInUse("The file was taken in already and is about to be deleted.")
    before = storage.describe(key)
    with (
        storage.local_copy(key) as path,
        path.open("rb") as stream,
        receive(File(stream).chunks(), filename=name) as received,
    ):
        if storage.describe(key) != before or received.size != before.size:
            raise FileInUse("The file is still being written.")
        with unpack_upload(received) as documents:
            files = [document.accepted() for document in documents]  # all of an archive, or nothing of it
            for file in files:
                raise_if_unreadable(file)
            # Of an archive some files may be there, as of a scan that was killed.
            new = [place for place, file in enumerate(files) if find_duplicate(topic=topic, sha256=file.sha256) is None]
            if not new:
                raise_if_duplicate(topic=topic, sha256=files[0].sha256)
            if met is not None:
                if met.issuperset(files[place].sha256 for place in new):
                    raise Conflict("The same bytes are in the inbox under another name.", code=DuplicateDocument.code)
                met.update(file.sha256 for file in files)
                return None
            accept = partial(accept_upload, topic=topic, kind=kind, metadata=Metadata(), by=by)
            jobs: dict[int, Job] = {}
            for place in new:
                last = key if place == new[-1] else ""
                jobs[place] = accept(files[place], part_of=documents[place].part_of(jobs), taken_from=last)
        return jobs[new[0]].pk


@contextmanager
def _locked(key: str) -> Iterator[None]:
    """Lock the key against other scans, without a transaction. The lock ends with the connection."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(hashtextextended(%s, 0))", [f"scan_inbox:{key}"])
        if not cursor.fetchone()[0]:
            raise FileInUse("Another scan is taking the file in.")
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_unlock(hashtextextended(%s, 0))", [f"scan_inbox:{key}"])
