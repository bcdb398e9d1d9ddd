"""Packages come in with a word of how far they are, and what fails is told."""

import os
import subprocess
import sys
from pathlib import Path

import psutil

PROJECT = Path(__file__).resolve().parent.parent
HASH = f"--hash=sha256:{'0' * 64}"


def installed(lock: Path, text: str) -> subprocess.CompletedProcess[str]:
    lock.write_text(text, encoding="utf-8")
    return subprocess.run(
        [sys.executable, ".ci/install.py", str(lock)],
        cwd=PROJECT,
        env={**os.environ, "PIP_NO_INDEX": "1"},
        capture_output=True,
        text=True,
        timeout=120,
    )


def test_what_is_there_is_not_fetched(tmp_path: Path) -> None:
    run = installed(tmp_path / "lock.txt", f"psutil=={psutil.__version__} \\\n    {HASH}\n")
    assert (run.returncode, run.stderr) == (0, "")


def test_what_cannot_be_had_is_told(tmp_path: Path) -> None:
    run = installed(tmp_path / "lock.txt", f"psutil=={psutil.__version__}.99 \\\n    {HASH}\n")
    assert run.returncode == 1
    assert f"psutil=={psutil.__version__}.99" in run.stderr
