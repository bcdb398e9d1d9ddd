"""Words are drawn as often as they occur, and new ones keep coming."""

from collections import Counter

import numpy as np
import pytest

from bench.scale.laws import count_words

TEXTS = ["ספר ספר ספר ספר ספר ספר מים מים מים נמל", "ספר מים סירה ספר סעיף סעיף"]


def test_words_are_drawn_by_frequency_and_structure_words_never() -> None:
    words = count_words(TEXTS)
    drawn = Counter(words.draw(np.random.default_rng(1), 14_000))
    assert set(drawn) == {"ספר", "מים", "נמל", "סירה"}
    assert drawn["ספר"] / 14_000 == pytest.approx(8 / 14, abs=0.02)
    assert words.unseen == pytest.approx(2 / 14)


def test_new_words_repeat_and_never_run_out() -> None:
    texts = [" ".join(f"מילה{chr(0x5D0 + i % 22)}{chr(0x5D0 + i // 22)}" for i in range(200)), "מילה ספר ועוד"]
    words = count_words(texts)
    random = np.random.default_rng(2)
    first, more = words.draw_new(random, 2_000), words.draw_new(random, 2_000)
    assert len(set(first)) < 2_000
    assert set(more) - set(first)
    assert words.word_of_rank(123_456) == words.word_of_rank(123_456)
