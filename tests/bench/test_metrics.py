"""The metrics of the benchmark, on rankings small enough to check by hand."""

import pytest

from bench.metrics import Scores, average_precision, percentiles, recall, reciprocal_rank, score, top1

TEN = [f"x{number}" for number in range(10)]


def test_recall_is_the_share_of_gold_among_the_first_ten() -> None:
    assert recall(["a", "x", "b"], {"a", "b", "c", "d"}) == 0.5
    assert recall([*TEN, "a"], {"a"}) == 0.0
    assert recall([], {"a"}) == 0.0


def test_recall_counts_a_unit_found_twice_once() -> None:
    assert recall(["a", "a"], {"a", "b"}) == 0.5


def test_average_precision_rewards_early_hits() -> None:
    assert average_precision(["a", "x", "b"], {"a", "b"}) == pytest.approx((1 / 1 + 2 / 3) / 2)
    assert average_precision(["x", "a"], {"a"}) == 0.5
    assert average_precision(["x"], {"a"}) == 0.0


def test_average_precision_divides_by_no_more_than_ten() -> None:
    gold = {f"g{number}" for number in range(20)}
    assert average_precision([f"g{number}" for number in range(10)], gold) == 1.0


def test_average_precision_does_not_count_a_repeated_unit_again() -> None:
    assert average_precision(["a", "a", "b"], {"a", "b"}) == pytest.approx((1 / 1 + 2 / 3) / 2)


def test_top1_looks_at_the_first_result_only() -> None:
    assert top1(["a", "b"], {"a"}) == 1.0
    assert top1(["b", "a"], {"a"}) == 0.0
    assert top1([], {"a"}) == 0.0


def test_reciprocal_rank_is_zero_beyond_ten() -> None:
    assert reciprocal_rank(["x", "x", "x", "a"], {"a"}) == 0.25
    assert reciprocal_rank([*TEN, "a"], {"a"}) == 0.0


def test_scores_are_means_over_the_queries() -> None:
    answers = [(["a"], {"a"}), (["x", "b"], {"b"})]
    assert score(answers) == Scores(2, 1.0, 0.75, 0.5, 0.75)
    assert score([]).queries == 0


def test_percentiles_take_the_nearest_rank() -> None:
    result = percentiles(float(number) for number in range(100, 0, -1))
    assert (result.count, result.p50, result.p95, result.p99) == (100, 50.0, 95.0, 99.0)
    assert percentiles([7.0]).p99 == 7.0
    assert percentiles([]).count == 0
