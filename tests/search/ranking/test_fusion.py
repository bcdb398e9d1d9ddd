"""Joining rankings: by wordings, and of words and meaning."""

from search.ranking.fusion import fuse_scores, merge_rankings


def order(joined: list[tuple[int, float]]) -> list[int]:
    return [chunk_id for chunk_id, _ in joined]


def test_what_several_wordings_find_goes_before_what_one_finds_best() -> None:
    one, other = [(1, 10.0), (2, 6.0), (3, 1.0)], [(2, 4.0), (3, 5.0)]
    assert order(merge_rankings([(one, 1.0), (other, 1.0)])) == [2, 3, 1]
    assert order(merge_rankings([(one, 3.0), (other, 0.5)])) == [1, 2, 3]


def test_the_scale_of_a_ranking_is_irrelevant_and_ties_go_by_id() -> None:
    one, other = [(2, 1.0), (1, 1.0)], [(1, 500.0), (2, 500.0)]
    assert merge_rankings([(one, 1.0), (other, 2.0)]) == [(1, 3.0), (2, 3.0)]
    assert merge_rankings([([(1, 0.0)], 1.0), ([], 1.0)]) == [(1, 0.0)]


def test_a_weight_tells_how_much_meaning_counts() -> None:
    words, meaning = [(1, 8.0), (2, 4.0)], [(2, 0.9), (3, 0.9)]
    assert order(fuse_scores(words, meaning, weight=0.0)) == [1, 2, 3]
    assert order(fuse_scores(words, meaning, weight=0.4)) == [2, 1, 3]
