"""Which references are out of date, and when that is looked at."""

from datetime import date, timedelta

import pytest
from django.utils import timezone

from ingest.documents import edit
from sources import changes, radar, references
from sources.models import RadarWork, Source, StaleReference
from sources.tasks import look_at_days, work_on_radar
from tests.search.corpus import add_document
from tests.sources.changes.laws import AMENDED, BEGAN, TITLE, act, amended, citing
from tests.sources.test_standing import gardens

pytestmark = pytest.mark.django_db
BETWEEN, LATER = date(2022, 5, 1), date(2023, 5, 1)


def work() -> None:
    while changes.work() or references.run_pending() or radar.work():
        pass
    assert not RadarWork.objects.exists()


def told() -> list[tuple[int, str, str, date | None]]:
    rows = StaleReference.objects.order_by("source_id", "span_start")
    return [(one.source_id, one.cited_eid, one.became, one.since) for one in rows]


def circular(section: str, *, day: date | None, title: str = "Circular") -> Source:
    text = f"The board reminds all tenants. They are bound by section {section} of the Allotment Gardens Act."
    return add_document(text, kind="circular", title=title, published_at=day)


def test_what_was_cited_before_it_changed_is_told() -> None:
    amended()
    before = [citing(section, title=f"תקנות {section}", published_at=BETWEEN) for section in ("2", "3", "4")]
    citing("2", title="תקנות חדשות", published_at=LATER)
    citing("2", title="תקנות בלי יום")
    work()
    assert told() == [
        (before[0].pk, "sec_2", "changed", AMENDED),
        (before[1].pk, "sec_3", "repealed", AMENDED),
    ]


def test_what_got_another_number_says_what_it_should_read() -> None:
    gardens()
    source = circular("5", day=BETWEEN)
    circular("2", day=BETWEEN, title="Rent")  # a term of it is defined otherwise: its own words are the same
    work()
    [row] = StaleReference.objects.all()
    assert (row.source_id, row.became, row.now_eid) == (source.pk, "renumbered", "sec_6")
    assert row.should_read == row.text.replace("5", "6") != row.text


def test_of_a_range_each_section_is_looked_at() -> None:
    amended()
    source = citing("1 עד סעיף 4", title="תקנות", published_at=BETWEEN)
    work()
    assert told() == [(source.pk, "sec_2", "changed", AMENDED), (source.pk, "sec_3", "repealed", AMENDED)]
    assert {one.text for one in StaleReference.objects.all()} == {"סעיף 1 עד"}
    assert {one.should_read for one in StaleReference.objects.all()} == {""}


def test_what_was_renumbered_inside_of_a_range_is_told() -> None:
    gardens()
    circular("4 to 6", day=BETWEEN)
    work()
    row = StaleReference.objects.get(cited_eid="sec_5")
    assert (row.became, row.now_eid, row.should_read) == ("renumbered", "sec_6", "")


def test_an_act_that_ended_is_told_of_the_ends_of_a_range() -> None:
    source = act(valid_from=BEGAN)
    citing("1 עד סעיף 4", title="תקנות", published_at=BETWEEN)
    work()
    edit.edit(source.pk, {"valid_to": AMENDED}, by="test")
    work()
    assert [eid for _, eid, *_ in told()] == ["sec_1", "sec_4"]


def test_an_older_document_is_held_against_the_first_version() -> None:
    amended()
    source = citing("2", title="תקנות ישנות", published_at=BEGAN - timedelta(days=400))
    work()
    assert told() == [(source.pk, "sec_2", "changed", AMENDED)]


def test_an_act_that_ended_is_told_of_whoever_cites_it() -> None:
    source = act(valid_from=BEGAN)
    text = f"1. תחולה\nהוראה זו היא לפי {TITLE}."
    whole = add_document(text, kind="circular", title="חוזר", published_at=BETWEEN)
    work()
    assert told() == []
    edit.edit(source.pk, {"valid_to": AMENDED}, by="test")
    work()
    assert told() == [(whole.pk, "", "repealed", AMENDED)]


def test_what_was_looked_at_is_until_it_changes_again() -> None:
    old, new = amended()
    source = citing("2", title="תקנות", published_at=BETWEEN)
    work()
    StaleReference.objects.update(looked_at=timezone.now(), looked_by="dana")
    RadarWork.objects.create(work_id=old.work_id)
    work()
    assert StaleReference.objects.get().looked_by == "dana"
    edit.edit(new.pk, {"valid_to": LATER}, by="test")
    work()
    assert told() == [(source.pk, "sec_2", "repealed", LATER)]
    assert StaleReference.objects.get().looked_at is None


def test_a_document_that_gets_another_day_or_goes_is_looked_at_again() -> None:
    amended()
    source = citing("2", title="תקנות", published_at=BETWEEN)
    work()
    edit.edit(source.pk, {"published_at": LATER}, by="test")
    work()
    assert told() == []
    edit.edit(source.pk, {"published_at": BETWEEN}, by="test")
    work()
    assert len(told()) == 1
    source.delete()
    work()
    assert told() == []


def test_a_version_is_looked_at_on_its_first_day() -> None:
    today = timezone.localdate()
    amended(on=today)
    work()
    assert look_at_days() == 1
    assert RadarWork.objects.count() == 1
    assert work_on_radar() == 1
    assert work_on_radar() == 0
