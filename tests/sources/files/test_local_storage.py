"""Stored files are on disk before anything says so, and nobody else may read them.

The system's own `fsync` is called and written down; the rows are looked at from another connection.
"""

import os
import stat
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection

from ingest.models import Job
from tests.factories import LAW
from tests.topics.keys import client_with_key


@dataclass(frozen=True, slots=True)
class Sync:
    """One call of `fsync`: what was put on disk, how many bytes it had, how many jobs others could see then."""

    path: Path
    size: int
    jobs: int


@pytest.fixture
def syncs(transactional_db: None, monkeypatch: pytest.MonkeyPatch) -> Any:
    seen: list[Sync] = []
    really: Callable[[int], None] = os.fsync
    settings = connection.settings_dict
    with psycopg.connect(
        host=settings["HOST"],
        port=settings["PORT"],
        user=settings["USER"],
        password=settings["PASSWORD"],
        dbname=settings["NAME"],
        autocommit=True,
    ) as other:

        def fsync(descriptor: int) -> None:
            really(descriptor)
            jobs = other.execute("SELECT count(*) FROM kb_ingest_job").fetchone()
            path = Path(os.readlink(f"/proc/self/fd/{descriptor}"))
            seen.append(Sync(path, os.fstat(descriptor).st_size, jobs[0] if jobs else -1))

        monkeypatch.setattr(os, "fsync", fsync)
        yield seen


def upload() -> Path:
    """Where the file of an accepted upload lies."""
    answer = client_with_key(admin=True).post(
        "/admin/kb/upload", {"file": SimpleUploadedFile("law.txt", LAW.encode()), "kind": "law"}
    )
    assert answer.status_code == 202, answer.content
    return Path(default_storage.path(Job.objects.get().file_key)).resolve()


def test_file_and_folders_are_on_disk_before_the_row_is_there(syncs: list[Sync]) -> None:
    path = upload()
    root = Path(default_storage.path("")).resolve()
    written = [sync for sync in syncs if sync.path == path]
    assert [(sync.size, sync.jobs) for sync in written] == [(len(LAW.encode()), 0)]
    after = syncs[syncs.index(written[0]) + 1 :]
    folders = [folder for folder in path.parents if folder.is_relative_to(root)]
    assert [sync.path for sync in after] == [*folders, root.parent]
    assert {sync.jobs for sync in after} == {0}


def test_only_the_service_may_read_a_stored_file(transactional_db: None) -> None:
    assert stat.S_IMODE(upload().stat().st_mode) == 0o600


def test_a_file_that_is_written_over_is_closed_to_others_too() -> None:
    key = "inbox/law/written-over.txt"
    path = Path(default_storage.path(key))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("what was there before", encoding="utf-8")
    path.chmod(0o644)
    try:
        assert default_storage.save(key, ContentFile(b"new")) == key
        assert (path.read_bytes(), stat.S_IMODE(path.stat().st_mode)) == (b"new", 0o600)
    finally:
        path.unlink()
