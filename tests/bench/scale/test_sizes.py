"""The sizes of topics add up, fall, and end small."""

import pytest

from bench.scale.load import MIN_CHUNKS, topic_sizes


@pytest.mark.parametrize(("chunks", "topics"), [(440_000, 10), (1_000_000, 50), (10_000, 10), (7, 1), (5, 5)])
def test_sizes_add_up_and_fall(chunks: int, topics: int) -> None:
    sizes = topic_sizes(chunks, topics)
    assert sum(sizes) == chunks
    assert len(sizes) == topics
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[-1] >= 1


@pytest.mark.parametrize(("chunks", "topics"), [(440_000, 10), (1_000_000, 50)])
def test_largest_topic_has_half_and_the_smallest_a_few_hundred(chunks: int, topics: int) -> None:
    sizes = topic_sizes(chunks, topics)
    assert sizes[0] == pytest.approx(chunks / 2, rel=0.01)
    assert sizes[-1] == pytest.approx(MIN_CHUNKS, rel=0.05)


def test_fewer_chunks_than_topics_are_refused() -> None:
    with pytest.raises(ValueError, match="cannot be spread"):
        topic_sizes(3, 4)
