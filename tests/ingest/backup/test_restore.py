"""What was backed up comes back: into an empty installation, the same to the last byte."""

import gzip
import hashlib
import json
import shutil
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any

import boto3
import psycopg
import pytest
from django.core.management import call_command

from ingest.backup.archive import BackupRefused, Manifest
from ingest.models import Job
from sources.models import Chunk
from tests.ingest.backup.asked import questions
from tests.ingest.backup.conftest import Backup, Installation, stored

pytestmark = pytest.mark.django_db(transaction=True)


def backed_up(target: Path) -> Path:
    call_command("backup", str(target), stdout=StringIO())
    return target


def restored_files(installation: Installation) -> dict[str, bytes]:
    paths = [path for path in installation.files.rglob("*") if path.is_file()]
    return {path.relative_to(installation.files).as_posix(): path.read_bytes() for path in paths}


@pytest.mark.deep
def test_a_restore_replaces_a_used_installation_only_by_force(backup: Backup, fresh: Installation) -> None:
    done = fresh.manage("restore", str(backup.path))
    assert done.returncode == 0, done.stderr
    assert fresh.rows() == backup.rows
    assert restored_files(fresh) == backup.files
    assert len(backup.rows["kb_source"]) == 5
    assert f"kb_chunk: {len(backup.rows['kb_chunk'])} rows" in done.stdout

    # Work goes on where it stopped.
    assert not set(fresh.findings()) - {"stuck_jobs"}  # no worker runs here

    with psycopg.connect(fresh.database_url) as connection:
        connection.execute("UPDATE kb_source SET title = 'changed since'")
    refused = fresh.manage("restore", str(backup.path))
    assert refused.returncode == 1
    assert "in use (kb_source: 5 rows" in refused.stderr
    assert all("changed since" in row for row in fresh.rows()["kb_source"])
    assert fresh.manage("restore", str(backup.path), "--force").returncode == 0
    assert fresh.rows() == backup.rows


@pytest.mark.deep
def test_a_tar_finds_the_same_ten_passages_for_a_hundred_questions_as_before(
    used: Installation, fresh: Installation, tmp_path: Path
) -> None:
    assert {job.status for job in Job.objects.all()} == {"queued", "processing", "awaiting_review", "done", "failed"}
    asked = questions(list(Chunk.objects.order_by("pk").values_list("text", flat=True)))
    assert len(set(asked)) == 100
    [found] = used.found(asked)
    rows, files = used.rows(), stored()
    assert fresh.manage("restore", str(backed_up(tmp_path / "kept" / "backup.tar"))).returncode == 0
    assert fresh.rows() == rows
    assert restored_files(fresh) == files
    restored, without_keys, without_vectors = fresh.found(asked, losses=("kb_source_key", "kb_chunk_embedding"))
    assert restored == found
    # The comparison would show a difference: the questions find something, half of them ten passages, almost each
    # its own, and what a restore could leave out shows in them.
    assert all(found)
    assert sum(len(passages) == 10 for passages in found) >= 50
    assert len({json.dumps(passages) for passages in found}) > 80
    assert found != without_keys != without_vectors
    assert len(found) == len(without_keys) == len(without_vectors)


@pytest.mark.deep
def test_a_backup_from_s3_is_restored_to_local_files(
    used_on_s3: Installation, fresh: Installation, tmp_path: Path
) -> None:
    backup = backed_up(tmp_path / "backup.tar")
    files = stored()
    done = fresh.manage("restore", str(backup))
    assert done.returncode == 0, done.stderr
    assert restored_files(fresh) == files
    assert len(files) == 9
    assert fresh.rows() == used_on_s3.rows()


@pytest.mark.deep
def test_a_backup_is_restored_onto_s3_where_nothing_was_prepared(
    backup: Backup, fresh: Installation, s3_endpoint: str
) -> None:
    bucket = "kb-restored"
    of_bucket = {"KB_STORAGE": "s3", "KB_S3_BUCKET": bucket, "KB_S3_ENDPOINT_URL": s3_endpoint}
    known = {"AWS_ACCESS_KEY_ID": "tests", "AWS_SECRET_ACCESS_KEY": "tests", "KB_S3_REGION": "us-east-1"}
    fresh.environment.update(of_bucket | known)
    done = fresh.manage("restore", str(backup.path))
    assert done.returncode == 0, done.stderr
    client = boto3.client(
        "s3",
        endpoint_url=s3_endpoint,
        aws_access_key_id="tests",
        aws_secret_access_key="tests",
        region_name="us-east-1",
    )
    keys = [item["Key"] for item in client.list_objects_v2(Bucket=bucket)["Contents"]]
    assert {key: client.get_object(Bucket=bucket, Key=key)["Body"].read() for key in keys} == backup.files


def without_columns(folder: Path, table: dict[str, Any], first: int) -> None:
    """Take the columns from the `first` on away, which a migration has added."""
    path = folder / "tables" / f"{table['name']}.copy.gz"
    rows = gzip.decompress(path.read_bytes()).splitlines()
    path.write_bytes(gzip.compress(b"".join(b"\t".join(row.split(b"\t")[:first]) + b"\n" for row in rows)))
    table["columns"] = table["columns"][:first]
    table["sha256"] = hashlib.sha256(path.read_bytes()).hexdigest()


@pytest.mark.deep
def test_a_backup_of_an_older_version_is_migrated(backup: Backup, fresh: Installation, tmp_path: Path) -> None:
    # As a version without the last migrations of ingest would have made it.
    copied = tmp_path / "older"
    shutil.copytree(backup.path, copied)
    last = [["ingest", "015_jobs"], ["webhooks", "016_webhooks"], ["ingest", "043_consolidations"]]
    manifest = json.loads((copied / "manifest.json").read_text())
    named = {table["name"]: table for table in manifest["tables"]}
    made_by_them = [name for name in named if name.startswith(("kb_ingest_", "kb_webhook"))]
    made_by_them.remove("kb_ingest_job")
    manifest["migrations"] = [one for one in manifest["migrations"] if one not in last]
    manifest["tables"] = [table for name, table in named.items() if name not in made_by_them]
    without_columns(copied, named["kb_ingest_job"], named["kb_ingest_job"]["columns"].index("confirmed"))
    (copied / "manifest.json").write_text(json.dumps(manifest))
    done = fresh.manage("restore", str(copied))
    assert done.returncode == 0, done.stderr
    assert f"migrations: {len(manifest['migrations'])} as in the backup, {len(last)} since then" in done.stdout
    rows = fresh.rows()
    assert len(rows.pop("kb_ingest_job")) == len(backup.rows["kb_ingest_job"]) == 10
    assert all(backup.rows[key] for key in ("kb_ingest_event", "kb_webhook", "kb_source"))
    assert rows == {key: [] if key in made_by_them else own for key, own in backup.rows.items() if key in rows}


def test_a_running_service_is_refused(backup: Backup, fresh: Installation) -> None:
    with psycopg.connect(fresh.database_url, application_name="kb"):
        refused = fresh.manage("restore", str(backup.path))
    assert (refused.returncode, "stop it first" in refused.stderr) == (1, True)


def changed_file(folder: Path) -> None:
    path = stored_copy(folder)
    path.write_bytes(b"x" + path.read_bytes()[1:])


def stored_copy(folder: Path) -> Path:
    return next(path for path in (folder / "files").rglob("*") if path.is_file())


def newer_version(folder: Path) -> None:
    manifest = folder / "manifest.json"
    manifest.write_text(manifest.read_text().replace("002_ingest_jobs", "902_ingest_jobs"))


HARMS: dict[str, tuple[Callable[[Path], object], str]] = {
    "a changed file": (changed_file, "checksum"),
    "a missing file": (lambda folder: stored_copy(folder).unlink(), "not whole"),
    "changed rows": (lambda folder: (folder / "tables" / "kb_source.copy.gz").write_bytes(b""), "checksum"),
    "a newer version": (newer_version, "newer version"),
    "no manifest": (lambda folder: (folder / "manifest.json").unlink(), "not whole"),
}


def test_a_damaged_or_newer_backup_is_refused_at_first(backup: Backup, fresh: Installation, tmp_path: Path) -> None:
    for name, (harm, _) in HARMS.items():
        shutil.copytree(backup.path, tmp_path / name)
        harm(tmp_path / name)
    said = fresh.refusals([str(tmp_path / name) for name in HARMS])
    assert len(said) == len(HARMS)
    for (name, (_, sentence)), refusal in zip(HARMS.items(), said, strict=True):
        assert sentence in refusal, name
    assert not fresh.rows()
    assert not restored_files(fresh)


@pytest.mark.parametrize("key", ["../outside.txt", "/etc/passwd", "inbox/../../outside.txt", "elsewhere/a.txt", ""])
def test_manifest_that_names_path_outside_storage_is_refused(backup: Backup, key: str) -> None:
    manifest = json.loads((backup.path / "manifest.json").read_text())
    assert Manifest.from_json(json.dumps(manifest)).files
    manifest["files"][0]["key"] = key
    with pytest.raises(BackupRefused, match="no key of this storage"):
        Manifest.from_json(json.dumps(manifest))
