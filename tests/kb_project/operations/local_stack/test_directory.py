"""The data directory: one stack at a time, and notes that only their owner reads."""

import os
from pathlib import Path

import pytest

from kb_project.operations.local_stack import CannotStart
from kb_project.operations.local_stack.directory import DataDirectory


def test_directory_is_made_with_those_it_holds(tmp_path: Path) -> None:
    directory = DataDirectory(tmp_path / "deep" / "var")
    with directory.locked():
        assert directory.log("web").parent.is_dir()


def test_a_second_stack_is_told_where_the_first_is(tmp_path: Path) -> None:
    first, second = DataDirectory(tmp_path), DataDirectory(tmp_path)
    with first.locked():
        first.note(url="http://127.0.0.1:8000", pid="4711")
        with pytest.raises(CannotStart) as refusal, second.locked():
            pass
    sentence = str(refusal.value)
    assert "already running at http://127.0.0.1:8000 (process 4711)" in sentence
    assert "\n" not in sentence


def test_lock_ends_with_its_holder(tmp_path: Path) -> None:
    directory = DataDirectory(tmp_path)
    with directory.locked():
        pass
    with directory.locked():
        pass


def test_note_is_read_back_and_forgotten(tmp_path: Path) -> None:
    directory = DataDirectory(tmp_path)
    assert directory.noted() == {}
    directory.note(database_url="postgres://secret")
    assert directory.noted() == {"database_url": "postgres://secret"}
    assert (tmp_path / "stack.json").stat().st_mode & 0o077 == 0
    directory.forget_note()
    directory.forget_note()
    assert directory.noted() == {}


def test_damaged_note_counts_as_none(tmp_path: Path) -> None:
    (tmp_path / "stack.json").write_text("{")
    assert DataDirectory(tmp_path).noted() == {}


def test_place_where_nothing_can_be_written_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with (
        pytest.raises(CannotStart, match="Cannot write in KB_DATA_DIR="),
        DataDirectory(tmp_path / "file" / "var").locked(),
    ):
        pass


def test_directory_of_another_user_is_refused(tmp_path: Path) -> None:
    if os.geteuid() == 0:
        pytest.skip("root may write everywhere")
    tmp_path.chmod(0o500)
    with pytest.raises(CannotStart, match="Permission denied"), DataDirectory(tmp_path / "var").locked():
        pass
