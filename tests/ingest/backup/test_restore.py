"""What was backed up comes back: into an empty installation, the same to the last byte."""

import json
from io import StringIO
from pathlib import Path

import psycopg
import pytest
from django.core.management import call_command

from ingest.models import Job
from search.models import Chunk
from sources import storage
from sources.storage import Area
from tests.ingest.backup.asked import questions
from tests.ingest.backup.conftest import Installation

pytestmark = pytest.mark.django_db(transaction=True)


def backed_up(target: Path) -> Path:
    call_command("backup", str(target), stdout=StringIO())
    return target


def stored() -> dict[str, bytes]:
    """Every file of the current storage by its key."""
    found = {}
    for area in Area:
        for file in storage.files_under(area):
            with storage.open_stored(file.key) as stream:
                found[file.key] = stream.read()
    return found


def restored_files(installation: Installation) -> dict[str, bytes]:
    paths = [path for path in installation.files.rglob("*") if path.is_file()]
    return {path.relative_to(installation.files).as_posix(): path.read_bytes() for path in paths}


@pytest.mark.parametrize("name", ["backup", "backup.tar"])
def test_an_empty_installation_becomes_the_same_as_the_one_backed_up(
    used: Installation, fresh: Installation, tmp_path: Path, name: str
) -> None:
    backup = backed_up(tmp_path / "kept" / name)
    rows, files = used.rows(), stored()
    assert {job.status for job in Job.objects.all()} == {"queued", "processing", "awaiting_review", "done", "failed"}
    done = fresh.manage("restore", str(backup))
    assert done.returncode == 0, done.stderr
    assert fresh.rows() == rows
    assert restored_files(fresh) == files
    assert len(rows["kb_source"]) == 5
    assert f"kb_chunk: {len(rows['kb_chunk'])} rows" in done.stdout


def test_a_hundred_questions_find_the_same_ten_passages_as_before(
    used: Installation, fresh: Installation, tmp_path: Path
) -> None:
    asked = questions(list(Chunk.objects.order_by("pk").values_list("text", flat=True)))
    assert len(set(asked)) == 100
    found = used.found(asked)
    assert fresh.manage("restore", str(backed_up(tmp_path / "backup.tar"))).returncode == 0
    assert fresh.found(asked) == found
    # The comparison would show a difference: the questions find something, half of them ten passages, almost each
    # its own, and what a restore could leave out shows in them.
    assert all(found)
    assert sum(len(passages) == 10 for passages in found) >= 50
    assert len({json.dumps(passages) for passages in found}) > 80
    for lost in ("kb_source_key", "kb_chunk_embedding"):
        with psycopg.connect(fresh.database_url) as connection:
            connection.execute(f"DELETE FROM {lost}")
        assert (before := found) != (found := fresh.found(asked)), lost
        assert len(before) == len(found)


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


def test_work_goes_on_where_it_stopped(used: Installation, fresh: Installation, tmp_path: Path) -> None:
    assert fresh.manage("restore", str(backed_up(tmp_path / "backup"))).returncode == 0
    checked = fresh.manage("check_integrity", "--json")
    found = {check["name"]: check["remaining"] for check in json.loads(checked.stdout)["checks"] if check["remaining"]}
    assert not set(found) - {"stuck_jobs"}  # no worker runs here
    made = fresh.manage("create_api_key", "after", "--admin")  # takes the next number of its sequence
    assert made.returncode == 0, made.stderr


def test_an_installation_in_use_is_refused_without_force_and_replaced_with_it(
    used: Installation, fresh: Installation, tmp_path: Path
) -> None:
    backup = backed_up(tmp_path / "backup")
    assert fresh.manage("restore", str(backup)).returncode == 0
    with psycopg.connect(fresh.database_url) as connection:
        connection.execute("UPDATE kb_source SET title = 'changed since'")
    refused = fresh.manage("restore", str(backup))
    assert refused.returncode == 1
    assert "in use (kb_source: 5 rows" in refused.stderr
    assert all("changed since" in row for row in fresh.rows()["kb_source"])
    assert fresh.manage("restore", str(backup), "--force").returncode == 0
    assert fresh.rows() == used.rows()


def test_a_backup_of_an_older_version_is_migrated(used: Installation, fresh: Installation, tmp_path: Path) -> None:
    backup = backed_up(tmp_path / "backup")
    rows = used.rows()
    # As a version without the last migration would have made it.
    last, made_by_it = ["kb_project", "013_audit_and_roles"], ["kb_audit", "kb_integrity_run"]
    manifest = json.loads((backup / "manifest.json").read_text())
    manifest["migrations"].remove(last)
    manifest["tables"] = [table for table in manifest["tables"] if table["name"] not in made_by_it]
    (backup / "manifest.json").write_text(json.dumps(manifest))
    done = fresh.manage("restore", str(backup))
    assert done.returncode == 0, done.stderr
    assert f"migrations: {len(manifest['migrations'])} as in the backup, 1 since then" in done.stdout
    assert rows["kb_audit"]
    assert fresh.rows() == {**rows, "kb_audit": [], "kb_integrity_run": []}


def test_a_running_service_is_refused(used: Installation, fresh: Installation, tmp_path: Path) -> None:
    backup = backed_up(tmp_path / "backup")
    with psycopg.connect(fresh.database_url, application_name="kb"):
        refused = fresh.manage("restore", str(backup))
    assert (refused.returncode, "stop it first" in refused.stderr) == (1, True)


@pytest.mark.parametrize("harm", ["a changed file", "a missing file", "changed rows", "a newer version", "no manifest"])
def test_a_damaged_or_newer_backup_is_refused_before_anything_is_changed(
    used: Installation, fresh: Installation, tmp_path: Path, harm: str
) -> None:
    backup = backed_up(tmp_path / "backup")
    manifest = backup / "manifest.json"
    stored_copy = next(path for path in (backup / "files").rglob("*") if path.is_file())
    if harm == "a changed file":
        stored_copy.write_bytes(b"x" + stored_copy.read_bytes()[1:])
    elif harm == "a missing file":
        stored_copy.unlink()
    elif harm == "changed rows":
        (backup / "tables" / "kb_source.copy.gz").write_bytes(b"")
    elif harm == "a newer version":
        manifest.write_text(manifest.read_text().replace("002_ingest_jobs", "902_ingest_jobs"))
    else:
        manifest.unlink()
    refused = fresh.manage("restore", str(backup))
    expected = {"a changed file": "checksum", "changed rows": "checksum", "a newer version": "newer version"}
    assert refused.returncode == 1
    assert expected.get(harm, "not whole") in refused.stderr
    assert not fresh.rows()
    assert not restored_files(fresh)


@pytest.mark.parametrize("key", ["../outside.txt", "/etc/passwd", "inbox/../../outside.txt", "elsewhere/a.txt", ""])
def test_a_manifest_that_names_a_path_outside_the_storage_is_refused(
    used: Installation, fresh: Installation, tmp_path: Path, key: str
) -> None:
    backup = backed_up(tmp_path / "backup")
    manifest = json.loads((backup / "manifest.json").read_text())
    manifest["files"][0]["key"] = key
    (backup / "manifest.json").write_text(json.dumps(manifest))
    refused = fresh.manage("restore", str(backup))
    assert (refused.returncode, "no key of this storage" in refused.stderr) == (1, True)
