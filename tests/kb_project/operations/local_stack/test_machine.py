"""What the embedded servers take from the machine: memory, secrets and rights on files."""

import sys
from pathlib import Path

import psutil
import pytest

from kb_project.operations.local_stack import CannotStart, machine


def rights(path: Path) -> str:
    return oct(path.stat().st_mode & 0o777)


def test_memory_is_at_most_that_of_the_machine() -> None:
    assert 0 < machine.memory_bytes() <= psutil.virtual_memory().total


def test_secret_is_made_once_and_only_its_owner_reads_it(tmp_path: Path) -> None:
    first = machine.kept_secret(tmp_path / "password")
    assert machine.kept_secret(tmp_path / "password") == first
    assert machine.kept_secret(tmp_path / "other") != first
    assert rights(tmp_path / "password") == "0o600"


def test_private_file_is_replaced_whole(tmp_path: Path) -> None:
    machine.write_private(tmp_path / "note", "longer than the next")
    machine.write_private(tmp_path / "note", "short")
    assert (tmp_path / "note").read_text() == "short"
    assert [path.name for path in tmp_path.iterdir()] == ["note"]


def test_another_system_is_told_so_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    machine.require_linux()
    monkeypatch.setattr(sys, "platform", "darwin")
    with pytest.raises(CannotStart, match="runs on Linux"):
        machine.require_linux()
