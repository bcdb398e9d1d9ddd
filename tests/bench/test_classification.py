"""The table of the offline classifier: what counts as right, and what it says where the data are missing."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from bench.classification import normal, score
from ingest.classify.proposal import DocumentHead, HeadPage
from tests.servers import PROJECT


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ('חוק הטיילות, התשפ"ד–2024', "חוק  הטיילות, התשפ״ד - 2024"),
        ("Harbour’s Rules", "harbour's rules"),
    ],
)
def test_titles_are_the_same_whatever_the_printer_did_to_quotes_dashes_and_spaces(one: str, other: str) -> None:
    assert normal(one) == normal(other)
    assert normal(one) != normal(other + " 2")


def test_every_field_is_counted_against_the_index() -> None:
    head = DocumentHead(pages=(HeadPage(1, "Pier Act 2030\nDate of Enactment: 9 July 2030\n1. Scope"),))
    right = {"file": "a", "kind": "law", "title": "Pier Act 2030", "published_at": "2030-07-09"}
    wrong = {"file": "b", "kind": "tool", "title": "Pier", "published_at": None}
    result = score(iter([(right, head), (wrong, head)]))
    assert result.share("kind") == result.share("title") == "1/2 = 50.0%"
    assert result.share("date, where printed") == "1/1 = 100.0%"
    assert result.share("date, where proposed") == "1/2 = 50.0%"
    assert result.share("fields with evidence") == "2/2 = 100.0%"


def test_without_data_it_says_so_and_is_no_failure(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "bench.classification"],
        cwd=PROJECT,
        env={**os.environ, "KB_DATA_SETS": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert "Skipped" in done.stdout
