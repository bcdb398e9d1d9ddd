"""The two commands on a machine that has nothing but the program: the embedded database is started for them."""

import json
import os
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command

from kb_project.operations.local_stack.directory import DataDirectory
from tests.ingest.backup.conftest import Installation

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.deep]


def test_empty_machine_takes_backup_in_and_gives_same_one_out(used: Installation, tmp_path: Path) -> None:
    call_command("backup", str(tmp_path / "first.tar"), stdout=StringIO())
    call_command("backup", str(tmp_path / "first"), stdout=StringIO())
    data = tmp_path / "machine"
    machine = Installation(
        {
            **{name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "REDIS_URL")},
            "DJANGO_SETTINGS_MODULE": "kb_project.settings",
            "KB_DATA_DIR": str(data),
        }
    )
    done = machine.manage("restore", str(tmp_path / "first.tar"))
    assert done.returncode == 0, done.stderr
    assert "restored: " in done.stdout
    assert not (data / "postgres" / "data" / "postmaster.pid").exists()  # stopped again
    done = machine.manage("backup", str(tmp_path / "second"))
    assert done.returncode == 0, done.stderr
    first, second = (json.loads((tmp_path / name / "manifest.json").read_text()) for name in ("first", "second"))
    for part in ("migrations", "sequences", "files"):
        assert first[part] == second[part]
    assert rows(first) == rows(second)
    with DataDirectory(data).locked():  # as a stack that is only just starting has it
        refused = machine.manage("backup", str(tmp_path / "third"))
    assert (refused.returncode, "already running" in refused.stderr) == (1, True)


def rows(manifest: dict) -> dict[str, int]:
    return {table["name"]: table["rows"] for table in manifest["tables"]}
