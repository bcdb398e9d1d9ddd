"""When the versions of a work begin and end."""

from datetime import date

from hypothesis import given
from hypothesis import strategies as st

from law.timeline import Overlap, Period, Timeline
from sources.changes.background import VersionEvent, events_of

Y = {year: date(year, 1, 1) for year in range(2000, 2030)}


def test_a_version_begins_after_the_one_before_it() -> None:
    versions = {7: Period(Y[2020], Y[2022]), 3: Period(None, Y[2020]), 5: Period(Y[2022], None)}
    assert events_of(versions) == [
        VersionEvent(7, ends=False, day=Y[2020], before=3),
        VersionEvent(5, ends=False, day=Y[2022], before=7),
    ]


def test_the_first_version_has_none_before_it() -> None:
    assert events_of({1: Period(Y[2020], None)}) == [VersionEvent(1, ends=False, day=Y[2020], before=None)]


def test_a_version_that_none_follows_at_once_ends() -> None:
    versions = {1: Period(Y[2020], Y[2021]), 2: Period(Y[2023], Y[2024])}
    assert events_of(versions) == [
        VersionEvent(1, ends=False, day=Y[2020]),
        VersionEvent(1, ends=True, day=Y[2021]),
        VersionEvent(2, ends=False, day=Y[2023], before=1),
        VersionEvent(2, ends=True, day=Y[2024]),
    ]


def test_what_has_no_days_is_no_event() -> None:
    assert events_of({1: Period()}) == []


@given(st.lists(st.tuples(st.sampled_from(list(Y.values())), st.sampled_from([None, *Y.values()])), max_size=8))
def test_every_known_day_is_told_once(given: list[tuple[date, date | None]]) -> None:
    timeline = Timeline({})
    for version, (begin, end) in enumerate(given, 1):
        if end is None or begin < end:
            try:
                timeline.put(version, Period(begin, end))
            except Overlap:
                continue
    found = events_of(timeline.versions)
    days = [day for one in timeline.versions.values() for day in (one.begin, one.end) if day]
    assert sorted(event.day for event in found) == sorted(set(days))
    assert all(event.before != event.version for event in found)
