"""A few laws to make others of, in the form of the data sets."""

import json
from pathlib import Path

import pytest

from bench.scale.laws import Corpus, read_corpus

TITLES = (
    ("law", 'חוק הספריות הציבוריות, התשל"ה–1975'),
    ("law", 'חוק המים לצורכי חקלאות, תשי"ט–1959'),
    ("regulation", 'תקנות הנמלים (בטיחות הסירות), התשס"ג–2002'),
)
SENTENCE = (
    "שר הספרייה רשאי לקבוע בצו תנאים להשאלת ספרים לתושבי הרשות המקומית ובלבד שהמועצה אישרה אותם מראש"
    " ואולם אדם שהשאיל ספר ולא החזיר אותו במועד ישלם פיצוי בשיעור שנקבע"
)
WORDS = SENTENCE.split()


def _text(title: str, *, turn: int) -> str:
    sections = []
    for number in range(1, 9):
        shifted = WORDS[(turn + number) % len(WORDS) :] + WORDS[: (turn + number) % len(WORDS)]
        heading, body = " ".join(shifted[:3]), " ".join(shifted)
        sections.append(f"{number}. {heading}\n  (א) {body}.\n  (ב) {' '.join(reversed(shifted))}.")
    return "\n\n".join([title, "פרק א׳: הוראות כלליות", *sections]) + "\n"


@pytest.fixture(scope="session")
def data_sets(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder such as KB_DATA_SETS names, with three laws of eight sections each."""
    root = tmp_path_factory.mktemp("data")
    folder = root / "israeli-law"
    (folder / "files").mkdir(parents=True)
    rows = []
    for turn, (kind, title) in enumerate(TITLES):
        name = f"{kind}-{turn}.txt"
        (folder / "files" / name).write_text(_text(title, turn=5 * turn), encoding="utf-8")
        rows.append({"file": name, "kind": kind, "title": title, "published_at": "1975-01-01"})
    (folder / "index.jsonl").write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    return root


@pytest.fixture(scope="session")
def corpus(data_sets: Path) -> Corpus:
    return read_corpus(data_sets)
