"""How near extracted text comes to the true text: character errors, words, numbers and brackets, paragraphs."""

import json
import os
import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import pytest
from rapidfuzz.distance import LCSseq, Levenshtein

PROJECT = Path(__file__).resolve().parents[2]
DATA_SETS = Path(os.environ.get("KB_DATA_SETS") or PROJECT.parent / "shared" / "data")
DOCUMENTS = DATA_SETS / "documents"

needs_documents = pytest.mark.skipif(
    not (DOCUMENTS / "index.json").is_file(),
    reason=f"the document set is missing: no {DOCUMENTS / 'index.json'} (set KB_DATA_SETS)",
)

BIDI_CONTROLS = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]")
HEBREW_WORD = re.compile("[א-ת]+(?:[\"'׳״][א-ת]+)*")
NUMBER_OR_BRACKET = re.compile(r"[0-9()\[\]]")
DASHES_AND_QUOTES = str.maketrans(
    {
        **dict.fromkeys("‐‑‒–—־−", "-"),
        **dict.fromkeys("“”„״«»", '"'),
        **dict.fromkeys("‘’‚׳`", "'"),
    }
)


@dataclass(frozen=True, slots=True)
class Entry:
    """One file of the document set, with what ingest should make of it."""

    file: str
    path: Path
    truth: str
    producer: str
    pages: int | None
    language: str
    accepted: frozenset[str]  # outcomes that are right: ok or a code of ExtractionFailed


@dataclass(frozen=True, slots=True)
class Score:
    """All are shares: `cer` of wrong characters, the others of true tokens found in the right order."""

    cer: float
    words: float
    numbers: float


@dataclass(frozen=True, slots=True)
class BreakScore:
    precision: float
    recall: float


def entries(*suffixes: str) -> list[Entry]:
    """The set's files with one of the suffixes (all without any); empty when the set is missing."""
    index = DOCUMENTS / "index.json"
    if not index.is_file():
        return []
    found = []
    for row in json.loads(index.read_text(encoding="utf-8")):
        if suffixes and not row["file"].endswith(suffixes):
            continue
        truth = DOCUMENTS / row["truth"] if row.get("truth") else None
        accepted = {row["expect"], row.get("expect_also") or row["expect"]}
        found.append(
            Entry(
                file=row["file"],
                path=DOCUMENTS / row["file"],
                truth=truth.read_text(encoding="utf-8") if truth and truth.is_file() else "",
                producer=row["producer"],
                pages=row["pages"],
                language=row["language"],
                accepted=frozenset(accepted),
            )
        )
    return found


def normalise(text: str) -> str:
    """NFC, no bidi controls, no cell bars, whitespace collapsed."""
    text = BIDI_CONTROLS.sub("", unicodedata.normalize("NFC", text)).replace("|", " ")
    return " ".join(text.split())


def fold(text: str) -> str:
    """One dash and one quote for all of their forms: what OCR cannot tell apart."""
    return text.translate(DASHES_AND_QUOTES)


def score(extracted: str, truth: str) -> Score:
    got, want = normalise(extracted), normalise(truth)
    got_tokens, want_tokens = got.split(), want.split()
    return Score(
        cer=character_error_rate(got, want),
        words=in_order(HEBREW_WORD.findall(got), HEBREW_WORD.findall(want)),
        numbers=in_order(
            [token for token in got_tokens if NUMBER_OR_BRACKET.search(token)],
            [token for token in want_tokens if NUMBER_OR_BRACKET.search(token)],
        ),
    )


def character_error_rate(got: str, want: str) -> float:
    """Edit distance over the true length, of text that is already normalised."""
    if not want:
        return 0.0 if not got else 1.0
    hint = max(64, abs(len(got) - len(want)))  # keeps the band narrow: a book is compared in seconds
    return Levenshtein.distance(got, want, score_hint=hint) / len(want)


def in_order(got: Sequence[str], want: Sequence[str]) -> float:
    """Share of the wanted tokens in the longest common subsequence; 1.0 when none is wanted."""
    return LCSseq.similarity(got, want) / len(want) if want else 1.0


def paragraph_breaks(extracted: Sequence[str], truth: Sequence[str]) -> BreakScore:
    """Precision and recall of paragraph breaks, each named by the letters round it, spaces aside."""
    got, want = _breaks(extracted), _breaks(truth)
    right = (got & want).total()
    return BreakScore(
        precision=right / got.total() if got else 1.0,
        recall=right / want.total() if want else 1.0,
    )


def _breaks(paragraphs: Sequence[str]) -> Counter[tuple[str, str]]:
    bare = [line for line in (re.sub(r"\s", "", normalise(item)) for item in paragraphs) if line]
    return Counter((before[-8:], after[:10]) for before, after in pairwise(bare))
