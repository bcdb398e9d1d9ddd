"""A CrossEncoder from a folder; with the library, a tiny one is made here."""

from pathlib import Path
from typing import Any

import pytest

from search.rerankers import configured


def test_a_cross_encoder_in_a_folder_scores_each_passage(settings: Any, tmp_path: Path) -> None:
    pytest.importorskip("sentence_transformers", reason="sentence-transformers is not installed")
    transformers = pytest.importorskip("transformers")
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "bank", "bridge", "deposits"]
    (tmp_path / "vocab.txt").write_text("\n".join(words), encoding="utf-8")
    transformers.BertTokenizerFast(str(tmp_path / "vocab.txt")).save_pretrained(tmp_path)
    config = transformers.BertConfig(
        vocab_size=len(words),
        hidden_size=8,
        num_hidden_layers=1,
        num_attention_heads=1,
        intermediate_size=8,
        num_labels=1,
    )
    transformers.BertForSequenceClassification(config).save_pretrained(tmp_path)
    settings.KB_RERANKER, settings.KB_RERANKER_MODEL = "sentence-transformers", str(tmp_path)
    reranker = configured()
    assert reranker
    scores = reranker.scores("bank deposits", ["bridge", "bank " * 2_000], timeout_s=60)
    assert len(scores) == 2
    assert scores == reranker.scores("bank deposits", ["bridge", "bank " * 2_000], timeout_s=60)
