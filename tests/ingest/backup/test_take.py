"""Making a backup: never over another, whole or not at all, of one moment while the service goes on."""

import stat
import threading
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.db import connection

from answers.models import TextCheck
from ingest.backup.archive import BackupRefused, Manifest
from ingest.backup.tables import model_tables
from ingest.backup.take import take
from ingest.decide.discard import discard
from ingest.documents.edit import delete
from ingest.models import Job
from sources.files import deletions, storage
from sources.files.deletions import deletions_are_paused, deletions_held
from sources.models import FileDeletion, Source
from tests.ingest.backup.conftest import Installation

pytestmark = pytest.mark.django_db(transaction=True)


FORMS = ("backup", "backup.tar")


@pytest.mark.parametrize("name", FORMS)
def test_a_backup_makes_the_folder_it_goes_to_or_says_why_not(used: Installation, tmp_path: Path, name: str) -> None:
    call_command("backup", str(tmp_path / "not" / "there" / name), stdout=StringIO())
    assert (tmp_path / "not" / "there" / name).exists()
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(CommandError, match="The backup could not be made, and nothing of it is left"):
        call_command("backup", str(tmp_path / "file" / name), stdout=StringIO())


def test_a_backup_is_private_without_secrets_and_never_replaced(
    used: Installation, tmp_path: Path, settings: Any, client: Any
) -> None:
    client.force_login(User.objects.get(username="noa"))
    dropped = tmp_path / "dropped.txt"
    dropped.write_text("not scanned yet")
    storage.save("inbox/law/dropped.txt", dropped)
    for name in FORMS:
        target = tmp_path / name
        manifest = take(target)
        assert stat.S_IMODE(target.stat().st_mode) & 0o077 == 0
        assert "django_session" not in {table.name for table in manifest.tables}
        assert "inbox/law/dropped.txt" in {file.key for file in manifest.files}, "no scan has met it"
        size = target.stat().st_size
        with pytest.raises(CommandError, match="never overwrites"):
            call_command("backup", str(target))
        assert target.stat().st_size == size
    assert settings.SECRET_KEY not in (tmp_path / "backup" / "manifest.json").read_text()


def test_a_backup_that_fails_leaves_nothing_behind(used: Installation, tmp_path: Path) -> None:
    Job.objects.filter(status="queued").update(file_key="inbox/" + "x" * 5000)  # no file system takes such a name
    (tmp_path / "kept").mkdir()
    for name in FORMS:
        with pytest.raises(OSError, match="name too long"):
            take(tmp_path / "kept" / name)
        assert list((tmp_path / "kept").iterdir()) == []


def test_files_that_are_missing_are_named_and_the_rest_is_kept(used: Installation, tmp_path: Path) -> None:
    source = Source.objects.earliest("pk")
    storage.delete(source.file_key)
    with pytest.raises(CommandError, match=r"made, but 1 files that the database names are not in the storage"):
        call_command("backup", str(tmp_path / "backup"), stdout=StringIO())
    manifest = Manifest.from_json((tmp_path / "backup" / "manifest.json").read_text())
    assert manifest.missing == [source.file_key]
    assert len(manifest.files) == 8


def test_what_is_deleted_while_a_backup_is_made_is_in_it_whole(used: Installation, tmp_path: Path) -> None:
    """As if between the rows and the files: the source and the job go, and their files stay until it is made."""
    source = Source.objects.earliest("pk")
    failed = Job.objects.exclude(file_key="").get(status="failed")
    keys = {source.file_key, failed.file_key}

    def meanwhile() -> None:
        try:
            delete(source.pk, by="test")
            discard(failed.pk, by="test")
        finally:
            connection.close()

    told: list[str] = []

    def say(line: str) -> None:
        if line.startswith("kb_topic:"):  # the last tables are being read
            thread = threading.Thread(target=meanwhile)
            thread.start()
            thread.join()
        told.append(line)

    manifest = take(tmp_path / "backup", say=say)
    assert not Source.objects.filter(pk=source.pk).exists()
    assert keys <= {file.key for file in manifest.files}
    assert manifest.missing == []
    assert next(table for table in manifest.tables if table.name == "kb_source").rows == 5
    assert {row.key for row in FileDeletion.objects.all()} == keys
    assert not deletions_are_paused()
    FileDeletion.objects.update(requested_at="2026-01-01T00:00:00Z")
    assert deletions.retry_failed() == 2
    assert not any(storage.exists(key) for key in keys)


def test_deletions_wait_only_while_they_are_held() -> None:
    seen: list[bool] = []

    def look() -> None:
        seen.append(deletions_are_paused())
        connection.close()

    with deletions_held():
        thread = threading.Thread(target=look)
        thread.start()
        thread.join()
    assert (seen, deletions_are_paused()) == ([True], False)


def test_a_database_without_tables_is_refused(fresh: Installation, tmp_path: Path) -> None:
    refused = fresh.manage("backup", str(tmp_path / "backup"))
    assert (refused.returncode, "run `manage.py prepare` first" in refused.stderr) == (1, True)
    assert not (tmp_path / "backup").exists()


def test_a_manifest_of_another_format_is_refused() -> None:
    with pytest.raises(BackupRefused, match="format 99"):
        Manifest.from_json('{"format": 99}')


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"format": 1}', '{"format": 1, "tables": [{}], "files": []}', "null"]
)
def test_a_manifest_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(BackupRefused, match="cannot be read"):
        Manifest.from_json(text)


@pytest.mark.django_db
def test_drafts_that_people_had_checked_are_in_no_backup() -> None:
    assert "kb_source" in model_tables()
    assert TextCheck._meta.db_table not in model_tables()
