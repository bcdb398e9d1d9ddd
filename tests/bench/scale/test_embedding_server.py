"""Vectors without a model lie as those of a model: nearer for what shares words or parts of words."""

import json

import numpy as np
import pytest

from bench.scale.embedding_server import DIMENSION, MODEL, embeddings, running, text_vector
from search.embedders.http import OpenAIEmbedder


@pytest.mark.parametrize("text", ["", "...", "ספרייה", "The reading room is open on Sundays. " * 50])
def test_every_text_has_a_unit_vector_and_always_the_same(text: str) -> None:
    vector = text_vector(text)
    assert vector.shape == (DIMENSION,)
    assert np.linalg.norm(vector) == pytest.approx(1, abs=1e-5)
    assert np.array_equal(vector, text_vector(text))


def test_shared_words_and_shared_stems_bring_texts_near() -> None:
    query = text_vector("השאלת ספרים בספרייה הציבורית")
    same_words = text_vector("הספרייה הציבורית: תנאים בדבר השאלת ספרים")
    same_stems = text_vector("ספריות ציבוריות משאילות ספר")
    other = text_vector("קביעת תעריפי מים לחקלאות בידי הממונה")
    assert query @ same_words > query @ same_stems > query @ other


def test_the_server_answers_as_the_api_does_in_order() -> None:
    answer = embeddings(json.dumps({"model": MODEL, "input": ["ספר", "מים"]}).encode())
    assert [row["index"] for row in answer["data"]] == [0, 1]
    assert np.allclose(answer["data"][1]["embedding"], text_vector("מים"), atol=1e-4)
    assert len(embeddings(json.dumps({"input": "ספר"}).encode())["data"]) == 1


def test_the_service_embeds_by_the_server() -> None:
    with running() as base_url:
        embedder = OpenAIEmbedder(model=MODEL, base_url=base_url, api_key="none", dimension=DIMENSION)
        texts = [f"ספר מספר {number}" for number in range(200)]
        assert np.allclose(embedder.embed(texts, "document"), [text_vector(text) for text in texts], atol=1e-3)
        assert np.allclose(embedder.embed(["ספר"], "query"), [text_vector("ספר")], atol=1e-3)
