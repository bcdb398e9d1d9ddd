"""Moving a source to another work, splitting it off, joining two works: nothing overlaps, and no two wait for ever."""

from collections.abc import Callable
from datetime import date
from typing import Any

import pytest

from ingest.documents.edit import edit
from ingest.documents.works import join
from kb_project.errors import Invalid, NotFound
from kb_project.models import AuditEntry
from sources.models import Source, Work
from sources.work_versions import VersionOverlap
from tests.factories import make_source, make_topic
from tests.racing import at_once

pytestmark = pytest.mark.django_db(transaction=True)
Day = date.fromisoformat


def act(title: str, *begins: str, **fields: Any) -> list[Source]:
    """Versions of one work, each in force until the next begins; without a day, one that is undated."""
    made: list[Source] = []
    for place, begin in enumerate(begins or [""]):
        end = Day(begins[place + 1]) if place + 1 < len(begins) else None
        work: dict[str, Any] = {"work_id": made[0].work_id} if made else {}
        made.append(make_source(title=title, valid_from=Day(begin) if begin else None, valid_to=end, **work, **fields))
    return made


def days(*sources: Source) -> list[tuple[str, str]]:
    for source in sources:
        source.refresh_from_db()
    return [(str(source.valid_from or ""), str(source.valid_to or "")) for source in sources]


def moves(source: Source) -> list[tuple[Any, Any, str]]:
    entries = AuditEntry.objects.filter(action="source.work", object_id=str(source.pk)).order_by("id")
    return [(entry.before["work_id"], entry.after["work_id"], entry.by) for entry in entries]


def test_a_moved_source_takes_its_days_along() -> None:
    first, second, third = act("A", "2010-01-01", "2015-01-01", "2020-01-01")
    [other] = act("B", "2012-01-01", identifier="B-1")
    left, into = first.work_id, other.work_id
    edit(second.pk, {"version_of": other.pk, "valid_to": None}, by="rina")
    assert days(first, third) == [("2010-01-01", "2020-01-01"), ("2020-01-01", "")]
    assert days(other, second) == [("2012-01-01", "2015-01-01"), ("2015-01-01", "")]
    assert (second.work_id, moves(second)) == (into, [(left, into, "rina")])
    assert Work.objects.get(pk=into).title == "A"  # that of its last version
    edited = AuditEntry.objects.filter(action="source.edit", object_id=str(second.pk)).get()
    assert (edited.before, edited.after) == ({"valid_to": "2020-01-01"}, {"valid_to": None})


def test_the_last_version_that_leaves_takes_its_work_with_it() -> None:
    [one], [other] = act("A", "2010-01-01"), act("B", "2012-01-01")
    left = one.work_id
    edit(one.pk, {"version_of": other.pk}, by="rina")
    assert days(one, other) == [("2010-01-01", "2012-01-01"), ("2012-01-01", "")]
    assert not Work.objects.filter(pk=left).exists()


def test_a_split_off_source_has_a_work_of_its_own() -> None:
    first, second = act("A", "2010-01-01", "2015-01-01", identifier="A-1")
    left = first.work_id
    edit(second.pk, {"version_of": None, "title": "Another act"}, by="rina")
    assert days(first, second) == [("2010-01-01", ""), ("2015-01-01", "")]
    work = Work.objects.get(pk=second.work_id)
    assert (work.title, work.identifier, work.topic_id) == ("Another act", "A-1", second.topic_id)
    assert moves(second) == [(left, work.pk, "rina")]
    edit(second.pk, {"version_of": None}, by="rina")  # it is alone already
    edit(second.pk, {"version_of": second.pk}, by="rina")
    assert len(moves(second)) == 1


def test_joined_works_are_one_and_each_version_tells_it() -> None:
    [*one] = act("A", "2010-01-01", "2018-01-01")
    [*other] = act("B", "2012-01-01", "2020-01-01")
    left, into = one[0].work_id, other[0].work_id
    join(one[1].pk, version_of=other[0].pk, by="rina")
    assert days(one[0], other[0], one[1], other[1]) == [
        ("2010-01-01", "2012-01-01"),
        ("2012-01-01", "2018-01-01"),
        ("2018-01-01", "2020-01-01"),
        ("2020-01-01", ""),
    ]
    assert [moves(source) for source in one] == [[(left, into, "rina")]] * 2
    assert not Work.objects.filter(pk=left).exists()
    assert set(Source.objects.values_list("work_id", flat=True)) == {into}


@pytest.mark.parametrize("verb", ["move", "join"])
def test_what_overlaps_is_refused_with_the_version_it_meets(verb: str) -> None:
    first, second = act("A", "2010-01-01", "2015-01-01")
    met, later = act("B", "2015-01-01", "2018-01-01")
    before = days(first, second, met, later)
    verbs: dict[str, Callable[[], object]] = {
        "move": lambda: edit(second.pk, {"version_of": later.pk}, by="rina"),
        "join": lambda: join(first.pk, version_of=later.pk, by="rina"),
    }
    with pytest.raises(VersionOverlap) as refused:
        verbs[verb]()
    assert refused.value.extra == {"source_id": met.pk}
    assert days(first, second, met, later) == before
    assert not AuditEntry.objects.exists()
    [undated], [other] = act("C"), act("D")
    with pytest.raises(VersionOverlap, match="It is not known when “\u2068D\u2069” is in force"):
        edit(undated.pk, {"version_of": other.pk}, by="rina")


def test_works_of_other_topics_do_not_exist() -> None:
    [one], [elsewhere] = act("A", "2010-01-01"), act("B", topic=make_topic())
    for missing in (elsewhere.pk, 2**62, 2**70):
        with pytest.raises(Invalid, match="no source") as refused:
            edit(one.pk, {"version_of": missing}, by="x")
        assert "version_of" in refused.value.errors
        with pytest.raises(Invalid, match="no source"):
            join(one.pk, version_of=missing, by="x")
    with pytest.raises(NotFound):
        join(2**62, version_of=one.pk, by="x")


def test_earlier_first_day_ends_where_version_before_it_begins() -> None:
    first, second = act("A", "2010-01-01", "2015-01-01")
    edit(second.pk, {"valid_from": Day("2005-01-01")}, by="rina")
    assert days(second, first) == [("2005-01-01", "2010-01-01"), ("2010-01-01", "")]
    edited = AuditEntry.objects.filter(action="source.edit", object_id=str(second.pk)).get()
    assert edited.after == {"valid_from": "2005-01-01", "valid_to": "2010-01-01"}


@pytest.mark.parametrize("_", range(6))
def test_opposite_moves_and_joins_at_once_end_without_deadlock(_: int) -> None:
    """Each locks what others want."""
    one = act("A", "2001-01-01", "2003-01-01")
    other = act("B", "2002-01-01", "2004-01-01")
    third = act("C", "2005-01-01", "2007-01-01")

    def moving(source: Source, to: Source) -> Callable[[], object]:
        return lambda: edit(source.pk, {"version_of": to.pk, "title": "A"}, by="x")

    outcomes = at_once(
        [
            moving(one[1], other[0]),
            moving(other[1], one[0]),
            moving(third[0], other[0]),
            lambda: join(other[0].pk, version_of=one[0].pk, by="x"),
            lambda: join(one[0].pk, version_of=third[0].pk, by="x"),
            lambda: edit(one[0].pk, {"label_ids": [], "valid_from": Day("2000-01-01")}, by="x"),
        ]
    )
    assert {type(outcome) for outcome in outcomes} <= {Source, VersionOverlap}
    every = Source.objects.filter(pk__in=[source.pk for source in (*one, *other, *third)])
    assert every.count() == 6
    assert set(every.values_list("work_id", flat=True)) == set(Work.objects.values_list("pk", flat=True))
