"""Joining rankings: by wordings, and of words and meaning."""

import pytest

from search.ranking.fusion import EXPECTED_OF_BEST, Spread, fuse_scores, meaning_weight, merge_rankings


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
    words, meaning = [(1, 8.0), (2, 4.0)], [(1, 0.1), (2, 0.9), (3, 0.9)]
    assert order(fuse_scores(words, meaning, weight=0.0)) == [1, 2, 3]
    assert order(fuse_scores(words, meaning, weight=0.4)) == [2, 1, 3]


def test_meaning_is_scaled_by_how_similarities_are_spread_and_not_by_the_best() -> None:
    spread = Spread(mean=0.8, deviation=0.02)
    assert spread.scaled([(1, 0.86), (2, 0.83), (3, 0.7)]) == [
        (1, pytest.approx(1.0)),
        (2, pytest.approx(0.5)),
        (3, 0.0),
    ]
    fused = fuse_scores([(1, 10.0), (2, 9.0)], [(1, 0.80), (2, 0.81), (3, 0.86)], weight=0.5, spread=spread)
    assert [chunk_id for chunk_id, _ in fused] == [2, 1, 3]
    unscaled = fuse_scores([(1, 10.0), (2, 9.0)], [(1, 0.80), (2, 0.81), (3, 0.86)], weight=0.5)
    assert [chunk_id for chunk_id, _ in unscaled] == [1, 2, 3]


def test_no_fused_score_is_above_1() -> None:
    fused = fuse_scores([(1, 10.0)], [(1, 0.99)], weight=0.5, spread=Spread(mean=0.8, deviation=0.02))
    assert fused == [(1, 1.0)]


def test_meaning_weighs_more_where_the_passages_do_not_have_the_words() -> None:
    assert meaning_weight("openai", known=0.2) > meaning_weight("openai", known=0.9)
    assert meaning_weight("hashing", known=0.0) == 0


def test_words_decide_where_the_query_is_no_question() -> None:
    assert 0 < meaning_weight("openai", is_question=False) < meaning_weight("openai")


def test_nearness_across_languages_has_a_scale_of_its_own() -> None:
    spread = Spread(mean=0.8, deviation=0.02, across=0.01)
    assert spread.scaled([(1, 0.83), (2, 0.83)], elsewhere={2}) == [(1, pytest.approx(0.5)), (2, pytest.approx(1.0))]
    words, meaning = [(1, 9.0), (3, 3.0)], [(1, 0.82), (2, 0.845), (3, 0.81)]
    assert order(fuse_scores(words, meaning, weight=0.5, spread=spread)) == [1, 2, 3]
    assert order(fuse_scores(words, meaning, weight=0.5, spread=spread, elsewhere={2})) == [2, 1, 3]


# What each of six passages scores by its words, best first, and how near it is: as near as its words let expect.
WORDS = [(1, 10.0), (2, 8.0), (3, 6.5), (4, 4.0), (5, 2.0), (6, 1.0)]
SPREAD = Spread(mean=0.8, deviation=0.02)
AS_EXPECTED = [(chunk_id, 0.8 + 0.06 * EXPECTED_OF_BEST * (score / 10) ** 2) for chunk_id, score in WORDS]


@pytest.mark.parametrize("weight", [0.15, 0.5, 0.7, 1.0])
@pytest.mark.parametrize("held", range(1 << len(WORDS)))
def test_no_passage_rises_or_falls_because_others_have_vectors(weight: float, held: int) -> None:
    having = [one for place, one in enumerate(AS_EXPECTED) if held >> place & 1]
    assert order(fuse_scores(WORDS, having, weight=weight, spread=SPREAD)) == [1, 2, 3, 4, 5, 6]
    level = [(chunk_id, 0.9) for chunk_id, _ in having]  # and nobody knows what a similarity says
    assert order(fuse_scores(WORDS, level, weight=weight)) == [1, 2, 3, 4, 5, 6]


@pytest.mark.parametrize("weight", [0.15, 0.5, 0.7, 1.0])
def test_without_any_vector_scores_are_those_of_the_words(weight: float) -> None:
    by_words = fuse_scores(WORDS, [], weight=0.0)
    for spread in (None, SPREAD):
        fused = fuse_scores(WORDS, [], weight=weight, spread=spread)
        assert fused == [(chunk_id, pytest.approx(score)) for chunk_id, score in by_words]


def test_what_has_a_vector_is_judged_by_it() -> None:
    nearer, farther = [(2, 0.90)], [(1, 0.80)]
    assert order(fuse_scores(WORDS, nearer, weight=0.5, spread=SPREAD))[0] == 2
    assert order(fuse_scores(WORDS, farther, weight=0.5, spread=SPREAD))[0] == 2


def test_what_meaning_alone_finds_does_not_push_away_what_words_find() -> None:
    others = [(number, 0.81) for number in range(100, 200)]
    fused = order(
        fuse_scores([*WORDS, *((one, 0.0) for one, _ in others)], others, weight=0.5, spread=SPREAD, shown_by=[1])
    )
    assert fused[:4] == [1, 2, 3, 4]


def test_many_passages_show_what_words_let_expect() -> None:
    """Here words say nothing, as in another language: of those that have both the best by words is the farthest."""
    words = [(number, 100.0 - 3 * number) for number in range(31)]
    having = [(number, 0.80 + 0.001 * number) for number in range(1, 31)]
    alone, few, many = (dict(fuse_scores(words, having[:count], weight=0.7, spread=SPREAD))[0] for count in (0, 3, 30))
    assert alone > few > many
    assert many == pytest.approx(0.3 + 0.7 * 0.3, abs=0.1), "a third is the mean of what is known"
