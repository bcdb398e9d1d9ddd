"""The table of the offline classifier: what counts as right, and what it says where the data are missing."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from bench.classification import measure, normal, score, table
from bench.datasets import DataMissing
from law.metadata.head import DocumentHead, HeadPage
from tests.servers import PROJECT


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ('חוק הטיילות, התשפ"ד–2024', "חוק  הטיילות, התשפ״ד - 2024"),
        ("Harbour’s Rules", "harbour's rules"),
    ],
)
def test_titles_are_equal_despite_quotes_dashes_and_spaces(one: str, other: str) -> None:
    assert normal(one) == normal(other)
    assert normal(one) != normal(other + " 2")


def head(text: str) -> DocumentHead:
    return DocumentHead(pages=(HeadPage(1, text),))


def test_every_field_is_counted_against_the_index() -> None:
    pier = head("Pier Act 2030\nDate of Enactment: 9 July 2030\n1. Scope")
    right = {"file": "a", "kind": "law", "title": "Pier Act 2030", "published_at": "2030-07-09"}
    wrong = {"file": "b", "kind": "tool", "title": "Pier", "published_at": None}
    result = score(iter([(right, pier), (wrong, pier)]))
    assert result.share("kind") == result.share("title") == "1/2 = 50.0%"
    assert result.share("date, where printed") == result.share("date, where told") == "1/1 = 100.0%"
    assert result.share("date, where proposed") == "1/2 = 50.0%"
    assert result.share("fields with evidence") == "2/2 = 100.0%"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("1. תחילה\nתחילתו של חוק זה ביום 9 ביולי 2030.", False),
        ("1. הגדרות\n”היום הקובע“ – 9 ביולי 2030;", False),
        ("1. תחולה\nמי שביקש רישיון לטיילת בחוף לפני יום 9 ביולי 2030 פטור מאגרה לשנה.", False),
        ("1. תחילה\nתחילתו בתום שנה. תקציר החוק פורסם ביום 9 ביולי 2030.", True),  # which the rules leave
        ("1. Scope\nFILED\nJuly 9, 2030", True),
        ("9 July 2030", True),
    ],
)
def test_a_day_counts_alone_or_behind_a_word_of_publishing(text: str, told: bool) -> None:
    row = {"file": "a", "kind": "law", "title": "חוק הטיילות", "published_at": "2030-07-09"}
    result = score(iter([(row, head(f"חוק הטיילות\n{text}"))]))
    assert result.counts["date, where printed"] == 1
    assert result.counts.get("date, where told", 0) == told


def data_sets(root: Path) -> Path:
    folder = root / "israeli-law"
    (folder / "files").mkdir(parents=True)
    rows = [{"file": f"{name}.txt", "kind": "law", "title": f"חוק {name}", "published_at": None} for name in "אב"]
    (folder / "index.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    for row in rows:
        (folder / "files" / str(row["file"])).write_text(f"{row['title']}\n1. מטרה\n", encoding="utf-8")
    return root


def test_a_part_of_a_set_can_be_measured(tmp_path: Path) -> None:
    measured = measure(data_sets(tmp_path), sets=["law", "heqa"], limit=1)
    assert measured.scores["law"].share("title") == "1/1 = 100.0%"
    assert "| title | 1/1 = 100.0% |" in table(measured).splitlines()


def test_a_set_that_is_not_complete_is_named(tmp_path: Path) -> None:
    (data_sets(tmp_path) / "israeli-law" / "files" / "ב.txt").unlink()
    with pytest.raises(DataMissing, match="'law'"):
        measure(tmp_path, sets=["law"])


def test_it_is_a_part_of_the_benchmark_that_needs_no_service(tmp_path: Path) -> None:
    done = run("bench", "--only", "classification", "--sets", "law", data_sets=data_sets(tmp_path))
    assert "| title | 2/2 = 100.0% |" in done.stdout.splitlines()


def test_without_data_it_says_what_is_missing(tmp_path: Path) -> None:
    done = run("bench.classification", data_sets=tmp_path, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert "index.jsonl is missing" in done.stderr


def run(module: str, *arguments: str, data_sets: Path, check: bool = True) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", module, *arguments],
        cwd=PROJECT,
        env={**os.environ, "KB_DATA_SETS": str(data_sets)},
        capture_output=True,
        text=True,
        check=check,
        timeout=60,
    )
