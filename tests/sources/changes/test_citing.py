"""Who cites what changed: the documents of the topic, by the version that they mean."""

from datetime import date

import pytest

from sources.changes.citing import ChangedPlace, Citing, citing
from tests.factories import make_topic
from tests.sources.changes import laws
from tests.sources.changes.laws import AMENDED, amended, work

pytestmark = pytest.mark.django_db
TODAY = date(2026, 1, 1)
EARLIER, LATER = date(2022, 5, 1), date(2024, 5, 1)


def count(place: ChangedPlace) -> int:
    [found] = citing([place], today=TODAY)
    return found.count


def test_a_document_counts_once_and_is_named_with_its_provision() -> None:
    old, _ = amended()
    first = laws.citing("2", title="תקנות ראשונות", published_at=EARLIER)
    twice = laws.citing(f"2(א) ל{laws.TITLE} ולפי סעיף 2", title="תקנות כפולות", published_at=LATER)
    laws.citing("1", title="תקנות אחרות")
    laws.citing("2", title="תקנות בתחום אחר", topic=make_topic())
    work()
    place = ChangedPlace(old.work_id, AMENDED, before="sec_2", since="sec_2", inside=True)
    whole = ChangedPlace(old.work_id, AMENDED, whole=True)
    assert citing([whole, place], today=TODAY)[1] == Citing(2, [(twice.pk, "sec_1"), (first.pk, "sec_1")])
    assert count(whole) == 3
    assert count(ChangedPlace(old.work_id, AMENDED)) == 0  # a paragraph without an address
    assert citing([], today=TODAY) == []


def test_a_range_counts_for_what_is_between_its_ends() -> None:
    old, _ = amended()
    source = laws.citing("1 עד סעיף 4", title="תקנות", published_at=EARLIER)
    work()
    place = ChangedPlace(old.work_id, AMENDED, before="sec_3", inside=True)
    assert citing([place], today=TODAY) == [Citing(1, [(source.pk, "sec_1")])]
    assert count(ChangedPlace(old.work_id, AMENDED, since="sec_3")) == 0


def test_what_is_not_in_force_and_the_work_itself_do_not_count() -> None:
    old, _ = amended()
    laws.citing("2", title="תקנות שבוטלו", valid_from=EARLIER, valid_to=LATER)
    work()
    assert count(ChangedPlace(old.work_id, AMENDED, before="sec_2", since="sec_2")) == 0
    assert count(ChangedPlace(old.work_id, AMENDED, whole=True)) == 0


def test_each_version_has_the_address_of_its_time() -> None:
    old, _ = amended()
    earlier = laws.citing("2", title="תקנות מוקדמות", published_at=EARLIER)
    later = laws.citing("2", title="תקנות מאוחרות", published_at=LATER)
    work()
    moved_away = ChangedPlace(old.work_id, AMENDED, before="sec_2", since="sec_9")
    moved_here = ChangedPlace(old.work_id, AMENDED, before="sec_8", since="sec_2")
    assert citing([moved_away, moved_here], today=TODAY) == [
        Citing(1, [(earlier.pk, "sec_1")]),
        Citing(1, [(later.pk, "sec_1")]),
    ]


def test_only_so_many_are_named() -> None:
    old, _ = amended()
    sources = [laws.citing("2", title=f"תקנות {n}") for n in range(5)]
    work()
    [found] = citing([ChangedPlace(old.work_id, AMENDED, since="sec_2")], today=TODAY)
    assert (found.count, [pk for pk, _ in found.first]) == (5, [one.pk for one in sources[:1:-1]])
