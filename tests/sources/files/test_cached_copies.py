"""Copies of stored files: none where the storage is local, one download elsewhere, and not for ever."""

import os
import stat
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from django.core.files.storage import default_storage

from sources.files import cached_copies, storage
from sources.files.cached_copies import cached_copy

KEY = "inbox/topic/law/ferry.pdf"


@pytest.fixture(autouse=True)
def directory(settings: Any, tmp_path: Path) -> Path:
    settings.DATA_DIR = tmp_path / "data"
    return tmp_path / "data" / "copies"


def store(content: bytes, tmp_path: Path, key: str = KEY) -> None:
    path = tmp_path / "content"
    path.write_bytes(content)
    storage.save(key, path)


def copies(directory: Path) -> list[Path]:
    return [path for path in directory.iterdir() if path.suffix == ".pdf"]


def test_a_local_file_is_not_copied(tmp_path: Path, directory: Path) -> None:
    store(b"ferry", tmp_path)
    with cached_copy(KEY) as path:
        assert path == Path(default_storage.path(KEY))
    assert not directory.exists()
    storage.delete(KEY)


def test_a_file_elsewhere_is_downloaded_once_for_all_who_look(s3_storage: Any, tmp_path: Path, directory: Path) -> None:
    store(b"ferry", tmp_path)
    seen = []

    def look() -> None:
        with cached_copy(KEY) as path:
            seen.append(path.read_bytes())

    lookers = [threading.Thread(target=look) for _ in range(4)]
    for looker in lookers:
        looker.start()
    for looker in lookers:
        looker.join()
    store(b"changed", tmp_path)
    look()
    assert seen == [b"ferry"] * 5
    assert len(copies(directory)) == 1


def test_nobody_else_can_read_a_copy(s3_storage: Any, tmp_path: Path, directory: Path) -> None:
    store(b"ferry", tmp_path)
    with cached_copy(KEY) as path:
        modes = [stat.S_IMODE(one.stat().st_mode) for one in (directory, path.parent, path, *copies(directory))]
    assert modes == [0o700, 0o700, 0o600, 0o600]


def test_what_nobody_looked_at_and_what_was_left_goes(s3_storage: Any, tmp_path: Path, directory: Path) -> None:
    store(b"ferry", tmp_path)
    store(b"harbour", tmp_path, "inbox/topic/law/harbour.pdf")
    with cached_copy(KEY):
        pass
    left = directory / "look-left"
    left.mkdir()
    long_ago = time.time() - cached_copies.KEPT_S - 1
    for path in (left, *copies(directory)):
        os.utime(path, (long_ago, long_ago))
    with cached_copy("inbox/topic/law/harbour.pdf") as path:
        assert path.read_bytes() == b"harbour"
    assert len(copies(directory)) == 1
    assert not left.exists()


def test_the_longest_unseen_makes_room(
    s3_storage: Any, tmp_path: Path, directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cached_copies, "MAX_BYTES", 15)
    for number in range(3):
        store(b"ten bytes.", tmp_path, f"inbox/topic/law/{number}.pdf")
        with cached_copy(f"inbox/topic/law/{number}.pdf") as path:
            assert path.read_bytes() == b"ten bytes."
    assert len(copies(directory)) == 2


def test_a_copy_thrown_out_stays_for_whoever_is_looking(s3_storage: Any, tmp_path: Path, directory: Path) -> None:
    store(b"ferry", tmp_path)
    with cached_copy(KEY) as path:
        for copy in copies(directory):
            copy.unlink()
        assert path.read_bytes() == b"ferry"


def test_a_file_that_is_gone_says_so_and_leaves_nothing(s3_storage: Any, directory: Path) -> None:
    with pytest.raises(FileNotFoundError), cached_copy(KEY):
        pass
    assert [path.name[:5] for path in directory.iterdir()] == ["lock-"]
