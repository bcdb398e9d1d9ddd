"""What is right, missed and wrong of the clauses, and what is said where the data are missing or others."""

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from bench.clauses import DEVELOPMENT, FOLDERS, HELD, LABELS, Clause, Score, clauses, half_of, table
from bench.datasets import DataMissing, json_lines
from law.metadata.head import DocumentHead
from tests.servers import PROJECT


def test_each_outcome_is_counted_once() -> None:
    score = Score()
    for truth, proposed in [("a", "a"), ("a", None), ("a", "b"), (None, "b"), (None, None)]:
        score.note(Clause("x", HELD, DocumentHead(()), {"ends": truth}), "ends", proposed)
    assert score.counts == Counter(
        {(HELD, "ends", "right"): 1, (HELD, "ends", "missed"): 1, (HELD, "ends", "wrong"): 2,
         (HELD, "ends", "rightly silent"): 1}
    )  # fmt: skip
    assert "| held back | ends | 1/4 = 25.0% | 1 | 2/3 = 66.7% | 1 |" in table(score)
    assert len(score.misses) == 3


def test_the_labels_name_places_and_no_words() -> None:
    labels = list(json_lines(LABELS))
    known = {"set", "file", "at", "length", "hash", "published", "valid_from", "valid_to", "ends"}
    assert all(set(label) <= known for label in labels)
    assert {label["set"] for label in labels} <= {*FOLDERS, "hebrew-qa"}
    telling = [label for label in labels if {"valid_from", "valid_to", "ends"} & set(label)]
    assert len(telling) >= 200
    halves = Counter(half_of(label["file"]) for label in telling)
    assert min(halves[DEVELOPMENT], halves[HELD]) >= 100


def test_other_data_than_those_labelled_are_refused(tmp_path: Path) -> None:
    folder = tmp_path / "israeli-law"
    (folder / "files").mkdir(parents=True)
    (tmp_path / "documents").mkdir()
    (tmp_path / "documents" / "index.json").write_text("[]")
    files = sorted({label["file"] for label in json_lines(LABELS) if label["set"] == "israeli-law"})
    (folder / "index.jsonl").write_text("".join(json.dumps({"file": name, "title": "x"}) + "\n" for name in files))
    for label in json_lines(LABELS):
        other = tmp_path / label["set"] / FOLDERS.get(label["set"], "") / label["file"]
        other.parent.mkdir(parents=True, exist_ok=True)
        other.write_text("other words")
    with pytest.raises(DataMissing, match="not as it was"):
        list(clauses(tmp_path))


def test_without_data_it_says_so(tmp_path: Path) -> None:
    environment = os.environ | {"KB_DATA_SETS": str(tmp_path)}
    command = [sys.executable, "-m", "bench.clauses"]
    done = subprocess.run(command, cwd=PROJECT, env=environment, capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stderr.endswith("is missing.\n")
