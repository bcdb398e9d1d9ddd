"""The share that was missed, by capture and recapture."""

from keeping.surveys.reading.surveying import missing_share


def test_two_ways_that_found_the_same_missed_nothing() -> None:
    one = missing_share(first=40, second=40, both=40, found=40)
    assert one is not None
    assert (one.share, one.low, one.high) == (0.0, 0.0, 0.0)


def test_the_less_two_ways_have_in_common_the_more_is_missing() -> None:
    # Of 100, two ways found 50 each, 25 of them both, so 75 in all: 25 are missing.
    one = missing_share(first=50, second=50, both=25, found=75)
    assert one is not None
    assert abs(one.share - 0.25) < 0.02
    assert one.low < one.share < one.high
    wider = missing_share(first=50, second=50, both=10, found=90)
    assert wider is not None
    assert wider.share > one.share


def test_it_is_not_told_of_too_few() -> None:
    assert missing_share(first=6, second=6, both=6, found=6) is None
