"""Checks of rows against the file store: no file is missing, changed or stray."""

import re
from collections.abc import Iterable, Iterator
from datetime import timedelta
from itertools import chain, islice

from django.utils import timezone
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from ingest.job_states import UNFINISHED
from ingest.models import Job
from kb_project.database.rows import fetch
from kb_project.errors import Conflict
from kb_project.operations.integrity.registry import CheckProgress, Finding, IntegrityCheck, query, register
from sources.files import storage
from sources.files.storage import Area, StoredFile
from sources.kinds import SourceKind
from sources.models import Source

YOUNG = timedelta(hours=1)  # a file is stored before the row that names it
KEYS_AT_ONCE = 5000
UPLOAD_AGAIN = _(
    "No repair can make a file: put it back under its key from a backup of the file store, "
    "or delete the source (discard the job) and upload the document again."
)
# Files that people put into the legacy inbox are for the scan, whatever lies there and however deep. A topic may
# have a kind's name as its slug: then its files lie here too, and begin with the id of their job.
_LEGACY = re.compile(rf"{Area.INBOX}/(?:{'|'.join(SourceKind.values)})/(?![^/]+/[0-9a-f]{{8}}(?:-[0-9a-f]{{4}}){{3}}-)")

HASHED = """
SELECT type, id, file_key, content_sha256 FROM (
    SELECT 'source' AS type, id::text, file_key, content_sha256 FROM kb_source
    UNION ALL
    SELECT 'job', id::text, file_key, content_sha256 FROM kb_ingest_job
    WHERE status IN ('queued', 'processing', 'awaiting_review')
) AS named WHERE file_key <> '' AND content_sha256 <> ''
"""
NAMED = """
SELECT 'source', id::text, file_key FROM kb_source WHERE file_key <> ''
UNION ALL
SELECT 'job', id::text, file_key FROM kb_ingest_job
WHERE file_key <> '' AND status IN ('queued', 'processing', 'awaiting_review')
"""
UNNAMED = """
SELECT stored.key FROM unnest(%(keys)s::text[]) AS stored(key)
WHERE NOT EXISTS (SELECT FROM kb_source s WHERE s.file_key = stored.key)
    AND NOT EXISTS (SELECT FROM kb_trashed_source t WHERE t.file_key = stored.key)
    AND NOT EXISTS (SELECT FROM kb_ingest_job j WHERE j.file_key = stored.key)
    AND NOT EXISTS (SELECT FROM kb_file_deletion d WHERE d.key = stored.key)
"""


def find_missing_files() -> Iterator[Finding]:
    stored = {file.key for file in _every_file()}
    for type_, id_, key in query(NAMED):
        # Listed before the rows were read: a file that moved meanwhile is looked for once more, then its row is.
        if key not in stored and not storage.exists(key) and _still_named(type_, id_, key):
            yield Finding(f"{type_} {id_}", gettext_noop("Its stored file %(key)s is not there."), {"key": key})


def find_changed_files() -> Iterator[Finding | CheckProgress]:
    """Files whose bytes are not those that were uploaded. Every file is read."""
    [(total,)] = query(f"SELECT count(*) FROM ({HASHED}) AS hashed")
    for done, (type_, id_, key, sha256) in enumerate(query(HASHED), start=1):
        finding = _changed(f"{type_} {id_}", key, sha256=sha256)
        if finding and _still_named(type_, id_, key):
            yield finding
        yield CheckProgress(done, max(done, total))


def _changed(object_: str, key: str, *, sha256: str) -> Finding | None:
    try:
        found = storage.sha256(key)
    except FileNotFoundError:  # for `missing_files` to tell
        return None
    except OSError as error:
        detail = gettext_noop("Its stored file %(key)s cannot be read: %(error)s.")
        return Finding(object_, detail, {"key": key, "error": error.strerror or str(error)})
    if found == sha256:
        return None
    detail = gettext_noop("Its stored file %(key)s is not what was uploaded: its SHA-256 is another one.")
    return Finding(object_, detail, {"key": key})


def find_stray_files(*, young: timedelta = YOUNG) -> Iterator[Finding]:
    """Files that no row names. A file younger than `young` may get its row yet."""
    old = timezone.now() - young
    candidates = (file for file in _every_file() if file.modified_at < old and not _LEGACY.match(file.key))
    while files := list(islice(candidates, KEYS_AT_ONCE)):
        unnamed = set(_unnamed(file.key for file in files))
        for file in files:
            if file.key in unnamed:
                yield Finding(
                    f"file {storage.printable(file.key)}",
                    gettext_noop("Nothing names it; %(size)d bytes, written on %(written)s."),
                    {"size": file.size, "written": f"{file.modified_at:%Y-%m-%d %H:%M}"},
                    key=file.key,
                )


def delete_stray_file(finding: Finding) -> None:
    if not _unnamed([finding.key]):
        raise Conflict(_now("Something names this file now."))
    storage.delete(finding.key)  # no key is written twice, so the file is still stray


def _every_file() -> Iterator[StoredFile]:
    return chain.from_iterable(storage.files_under(area) for area in Area)


def _unnamed(keys: Iterable[str]) -> list[str]:
    """Those of the keys that no source, job or pending deletion names. One that is not text no row can name."""
    text: list[str] = []
    unnamed: list[str] = []
    for key in keys:
        (text if storage.printable(key) == key else unnamed).append(key)
    return unnamed + [key for (key,) in fetch(UNNAMED, {"keys": text})]


def _still_named(type_: str, id_: str, key: str) -> bool:
    if type_ == "source":
        return Source.objects.filter(pk=id_, file_key=key).exists()
    return Job.objects.filter(pk=id_, file_key=key, status__in=UNFINISHED).exists()


register(
    IntegrityCheck(
        name="missing_files",
        meaning=_("The stored file of each source, and of each job under way, is there."),
        find=find_missing_files,
        advice=UPLOAD_AGAIN,
    ),
    IntegrityCheck(
        name="file_contents",
        meaning=_("The stored file of each source, and of each job under way, is byte for byte what was uploaded."),
        find=find_changed_files,
        advice=UPLOAD_AGAIN,
        deep=True,
    ),
    IntegrityCheck(
        name="stray_files",
        meaning=_("Each stored file older than an hour is named by a source, a job or a pending deletion."),
        find=find_stray_files,
        repair=delete_stray_file,
        advice=_("Look whether a person put it there; `manage.py check_integrity --repair` deletes it."),
    ),
)
