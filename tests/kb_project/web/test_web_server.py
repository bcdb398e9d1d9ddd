"""Files in which the web processes count."""

import os
from pathlib import Path

import pytest
from prometheus_client.mmap_dict import MmapedDict

from kb_project.observability import METRICS_DIRECTORY
from kb_project.web.web_server import allocate_metrics_files


def test_pages_that_are_written_to_have_space_on_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(METRICS_DIRECTORY, str(tmp_path))
    allocate_metrics_files()
    files = sorted(tmp_path.iterdir())
    assert [file.name for file in files] == [
        f"{kind}_{os.getpid()}.db" for kind in ("counter", "gauge_livesum", "histogram")
    ]
    counts = MmapedDict(str(files[0]))
    counts.write_value("requests", 3.0, 0.0)
    counts.close()
    assert all(file.stat().st_blocks * 512 >= file.stat().st_size == 1024 * 1024 for file in files)
    assert [value for _, value, *_ in MmapedDict.read_all_values_from_file(str(files[0]))] == [3.0]


def test_without_space_a_process_counts_by_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(METRICS_DIRECTORY, str(tmp_path))
    allocate_metrics_files(bytes_each=2**62)
    assert METRICS_DIRECTORY not in os.environ
