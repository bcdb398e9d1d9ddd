"""Versions of acts against what is known to have changed."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from tests.sources.comparison.acts import compare_all

pytestmark = pytest.mark.deep

DATA = Path(os.environ.get("KB_DATA_SETS") or Path(__file__).resolve().parents[4] / "shared" / "data") / "versions"

FIRST = """Library Loans Act
1. Short title
This Act may be cited as the Library Loans Act.
2. Loans
A reader may borrow five books at a time.
SCHEDULE
1. Reading rooms are open to readers from eight in the morning."""
SECOND = (
    FIRST.replace("five books", "six books")
    .replace("SCHEDULE", "SCHEDULE 1")
    .replace("eight in the morning", "nine in the morning")
    + "\nSCHEDULE 2\n1. Maps are not lent."
)


def test_a_version_is_held_against_the_index(tmp_path: Path) -> None:
    changes = {"added": ["SCHEDULE 1", "SCHEDULE 2"], "removed": ["SCHEDULE"], "changed": ["2", "9"]}
    rows: list[dict[str, Any]] = [
        {"act": "L-1", "version_date": "2020-01-01", "file": "first.txt", "changes": None},
        {"act": "L-1", "version_date": "2021-01-01", "file": "second.txt", "changes": changes},
    ]
    (tmp_path / "index.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    (tmp_path / "files").mkdir()
    for row, text in zip(rows, (FIRST, SECOND), strict=True):
        (tmp_path / "files" / row["file"]).write_text(text, encoding="utf-8")
    (compared,) = compare_all(tmp_path)
    assert compared.expected - compared.found == {("9", "changed")}
    assert compared.found - compared.expected == set()
    assert compared.same_as_itself


@pytest.mark.skipif(not DATA.is_dir(), reason=f"no {DATA} (set KB_DATA_SETS)")
def test_what_changed_in_40_acts_is_found() -> None:
    compared = list(compare_all(DATA))
    expected = sum(len(one.expected) for one in compared)
    assert sum(len(one.expected & one.found) for one in compared) >= 0.99 * expected
    assert sum(len(one.found - one.expected) for one in compared) <= 0.01 * expected
    assert all(one.same_as_itself for one in compared)
