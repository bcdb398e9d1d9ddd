"""Temporary files: gone at the end, and thrown out when their process was killed, but never while it lives."""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from kb_project.processes import scratch
from tests.servers import PROJECT

HOLD = """
import sys
from kb_project.processes import scratch
with scratch.directory("job") as directory, scratch.file("upload", suffix=".pdf") as file:
    (directory / "pages.jsonl").write_text("{}")
    print(directory, file.name, sep="\\n", flush=True)
    sys.stdin.read()
"""


@pytest.fixture(autouse=True)
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A directory of temporary files of the test's own."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


@contextmanager
def holder(directory: Path) -> Iterator[tuple[subprocess.Popen[str], list[Path]]]:
    """A process that holds a directory and a file, hours old to look at."""
    environment = {**os.environ, "TMPDIR": str(directory)}
    command = [sys.executable, "-c", HOLD]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, env=environment, cwd=PROJECT) as process:
        assert process.stdout
        held = [Path(process.stdout.readline().strip()) for _ in range(2)]
        for path in held:
            age(path)
        try:
            yield process, held
        finally:
            process.kill()


def age(path: Path) -> None:
    then = time.time() - scratch.LEFT_AFTER_S - 60
    os.utime(path, (then, then))


def test_what_is_made_is_private_and_gone_at_the_end(temporary: Path) -> None:
    with scratch.directory("job") as directory, scratch.file("upload", suffix=".pdf") as file:
        file.write(b"x")
        assert {path.stat().st_mode & 0o077 for path in (directory, Path(file.name))} == {0}
        assert {directory.parent, Path(file.name).parent} == {temporary}
        assert file.name.endswith(".pdf")
    assert not list(temporary.iterdir())


def test_what_a_killed_process_left_goes_and_what_lives_stays(temporary: Path) -> None:
    with holder(temporary) as (process, held):
        assert scratch.delete_stale() == []
        assert all(path.exists() for path in held)
        process.kill()
        process.wait()
        assert sorted(scratch.delete_stale()) == sorted(held)
    assert not list(temporary.iterdir())


def test_only_our_own_are_thrown_out_and_only_when_they_are_old(temporary: Path) -> None:
    old = [temporary / name for name in ("kb-notes-1", "report.upload.pdf", "kb-job", "tmp12345678")]
    django = temporary / "tmpa_b1c2d3.upload.pdf"
    young, linked, elsewhere = temporary / "kb-job-young", temporary / "kb-copy-link", temporary / "elsewhere"
    for path in (*old, django, young, elsewhere):
        path.write_text("x")
        age(path)
    linked.symlink_to(elsewhere)
    os.utime(young)
    assert scratch.delete_stale() == [django]
    assert {*temporary.iterdir()} == {*old, young, linked, elsewhere}


def test_next_process_that_makes_one_throws_out_what_was_left(temporary: Path) -> None:
    left = temporary / "kb-marks-left"
    left.mkdir()
    age(left)
    with holder(temporary):
        assert not left.exists()
