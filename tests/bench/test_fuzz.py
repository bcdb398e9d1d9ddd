"""`python -m bench.fuzz`: its table, and going on where it was broken off."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.servers import PROJECT

pytestmark = pytest.mark.deep


def fuzz(out: Path, *options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "bench.fuzz", "--out", str(out), "--parallel", "1", "--kind", "text: bytes"]
    return subprocess.run([*command, *options], cwd=PROJECT, capture_output=True, text=True, check=False)


def test_a_run_goes_on_after_the_last_whole_line(tmp_path: Path) -> None:
    out = tmp_path / "files.jsonl"
    whole = fuzz(out, "--files", "600")
    assert whole.returncode == 0, whole.stdout + whole.stderr
    lines = out.read_text().splitlines()
    assert len(lines) > 2
    assert "0 faults" in whole.stdout
    told = json.loads(lines[0])
    assert (told["files"], told["seed"]) == (600, 1)
    assert told["faults"] == []
    out.write_text("\n".join([json.dumps({**told, "faults": ["a fault of before"]}), *lines[1:2], lines[2][:20]]))
    rest = fuzz(out, "--files", "600")
    assert rest.returncode == 1
    assert f"{len(lines)} files, {len(lines) - 2} of them now" in rest.stdout
    assert "1 faults" in rest.stdout
    assert [json.loads(line)["number"] for line in out.read_text().splitlines()] == [
        json.loads(line)["number"] for line in lines
    ]


def test_lines_about_other_files_are_not_mixed_in(tmp_path: Path) -> None:
    out = tmp_path / "files.jsonl"
    out.write_text(json.dumps({"files": 600, "seed": 1, "kind": "text: bytes that are no text", "number": 1}) + "\n")
    refused = fuzz(out, "--files", "600", "--seed", "2")
    assert (refused.returncode, "about other files" in refused.stderr) == (1, True)
