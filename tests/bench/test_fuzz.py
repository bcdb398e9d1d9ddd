"""`python -m bench.fuzz`: its tables, and what it ends with."""

import subprocess
import sys

import pytest

from tests.servers import PROJECT

pytestmark = pytest.mark.deep


def test_files_of_a_kind_are_read_without_a_fault() -> None:
    command = [sys.executable, "-m", "bench.fuzz", "--parallel", "1", "--kind", "text: bytes", "--files", "600"]
    done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "0 faults" in done.stdout
    assert "| text: bytes that are no text |" in done.stdout
