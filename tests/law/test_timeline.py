"""Days of versions: whatever is taken in and out, in whatever order, no two versions are in force on one day."""

from contextlib import suppress
from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from law.timeline import Overlap, Period, Timeline

FIRST = date(2020, 1, 1)
UNKNOWN = Period()


def day(number: int) -> date:
    return FIRST + timedelta(days=number)


def days(begin: int | None = None, end: int | None = None) -> Period:
    return Period(None if begin is None else day(begin), None if end is None else day(end))


some_days = st.builds(days, st.none() | st.integers(0, 9), st.none() | st.integers(0, 9)).filter(
    lambda one: one.first < one.until
)


def test_a_new_version_ends_the_one_before_it() -> None:
    timeline = Timeline({1: UNKNOWN})
    assert timeline.put(2, days(5)) == days(5)
    assert timeline.versions == {1: days(None, 5), 2: days(5)}


def test_versions_that_come_in_any_order_end_where_next_begins() -> None:
    timeline = Timeline({1: days(0)})
    timeline.put(3, days(8))
    timeline.put(2, days(4))
    timeline.put(0, days(None, 0))
    assert timeline.versions == {0: days(None, 0), 1: days(0, 4), 2: days(4, 8), 3: days(8)}


def test_a_day_of_expiry_is_not_moved() -> None:
    timeline = Timeline({1: days(0, 6)})
    with pytest.raises(Overlap) as refused:
        timeline.put(2, days(4))
    assert refused.value.met == 1
    assert timeline.put(2, days(7)) == days(7)
    assert timeline.versions[1] == days(0, 6)


@pytest.mark.parametrize("second", [UNKNOWN, days(None, 7), days(3), days(3, 4)])
def test_two_versions_do_not_begin_on_one_day(second: Period) -> None:
    timeline = Timeline({1: UNKNOWN if second.begin is None else days(3)})
    with pytest.raises(Overlap):
        timeline.put(2, second)


def test_what_is_taken_out_leaves_its_days_to_version_before() -> None:
    timeline = Timeline({1: days(0, 4), 2: days(4, 8), 3: days(8)})
    timeline.take_out(2)
    assert timeline.versions == {1: days(0, 8), 3: days(8)}
    timeline.take_out(3)
    assert timeline.versions == {1: days(0)}


@pytest.mark.parametrize(
    ("now", "wanted", "end"),
    [
        (days(None, 4), days(8, 4), None),  # its beginning was not known, so that it came before the others
        (days(0, 4), days(2, 4), None),
        (days(0, 4), days(8, 3), day(3)),  # the end was changed with it
        (days(0, 4), days(0, 4), day(4)),
        (days(0, 3), days(1, 3), day(3)),  # no other version begins there
    ],
)
def test_an_end_at_which_another_begins_follows_a_beginning_that_moves(
    now: Period, wanted: Period, end: date | None
) -> None:
    timeline = Timeline({1: now, 2: days(4)})
    assert timeline.following(1, wanted) == Period(wanted.begin, end)


def test_versions_of_two_works_join_between_each_other() -> None:
    timeline = Timeline({1: days(0, 4), 2: days(4)})
    timeline.join(Timeline({3: days(2, 6), 4: days(6, 8)}))
    assert timeline.versions == {1: days(0, 2), 3: days(2, 4), 2: days(4, 6), 4: days(6, 8)}


def test_works_with_versions_on_the_same_days_do_not_join() -> None:
    timeline = Timeline({1: days(0, 4), 2: days(4)})
    with pytest.raises(Overlap) as refused:
        timeline.join(Timeline({3: days(None, 0), 4: days(2, 5)}))
    assert refused.value.met == 2
    assert timeline.versions == {1: days(0, 4), 2: days(4)}


def force(timeline: Timeline) -> list[list[int]]:
    """The versions that are in force on each of some days."""
    return [[one for one, at in timeline.versions.items() if at.hold(day(n))] for n in range(-1, 11)]


@given(st.lists(st.tuples(st.integers(1, 6), some_days), max_size=12))
def test_no_two_versions_are_ever_in_force_on_one_day(moves: list[tuple[int, Period]]) -> None:
    timeline = Timeline({})
    for version, wanted in moves:
        before = dict(timeline.versions)
        if version in timeline.versions:
            timeline.take_out(version)
        else:
            try:
                given_days = timeline.put(version, wanted)
            except Overlap:
                assert timeline.versions == before
            else:
                assert given_days.begin == wanted.begin
                assert wanted.end in (None, given_days.end)
        assert all(len(versions) <= 1 for versions in force(timeline))


def built(versions: dict[int, Period]) -> Timeline:
    timeline = Timeline({})
    for version, wanted in versions.items():
        with suppress(Overlap):
            timeline.put(version, wanted)
    return timeline


@given(st.dictionaries(st.integers(1, 3), some_days), st.dictionaries(st.integers(4, 6), some_days))
def test_joined_works_have_all_versions_of_both_or_are_as_before(
    one: dict[int, Period], other: dict[int, Period]
) -> None:
    timeline, coming = built(one), built(other)
    before, came = dict(timeline.versions), dict(coming.versions)
    try:
        timeline.join(coming)
    except Overlap:
        assert timeline.versions == before
    else:
        begins = {version: days.begin for version, days in {**before, **came}.items()}
        assert {version: days.begin for version, days in timeline.versions.items()} == begins
        assert all(len(versions) <= 1 for versions in force(timeline))
    assert coming.versions == came
