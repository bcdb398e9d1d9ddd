"""The yardsticks: BM25 over chunks held in memory."""

import pytest

from bench.baselines import bm25_rank, light_hebrew_stem, stems, words
from bench.datasets import DataSet, Document, Query
from bench.load import LoadedSet
from bench.stored import StoredChunk

TEXTS = {"a.txt": "דמי השכירות ישולמו מראש", "b.txt": "הפיקדון יושב לשוכר", "c.txt": "Deposits are returned"}


@pytest.mark.parametrize(
    ("word", "stem"),
    [("ובפיקדון", "פיקדו"), ("פיקדונות", "פיקדונ"), ("השכירות", "ירו"), ("דין", "דין"), ("ש", "ש")],
)
def test_light_stem_leaves_three_letters_at_least(word: str, stem: str) -> None:
    assert light_hebrew_stem(word) == stem


def test_stems_treat_each_language_by_its_own_rules() -> None:
    assert stems("Deposits הפיקדון 18") == ["deposit", "פיקדו", "18"]


def test_words_keep_numbers_and_lose_case() -> None:
    assert words("Section 18.8.2, סעיף 5א") == ["section", "18", "8", "2", "סעיף", "5א"]


def test_chunks_that_share_a_word_come_first_and_others_not_at_all() -> None:
    dataset = DataSet("t", "T", tuple(Document(name, text, "circular", name[0]) for name, text in TEXTS.items()))
    loaded = LoadedSet(1, sources=dict(enumerate(TEXTS)))
    chunks = [StoredChunk(number, number, "", text, 0) for number, text in enumerate(TEXTS.values())]
    rank = bm25_rank(chunks, analyse=words, dataset=dataset, loaded=loaded)
    assert rank(Query("מתי יושב הפיקדון", frozenset("b"), "questions")) == ["b"]
    assert rank(Query("zebra", frozenset("b"), "questions")) == []
