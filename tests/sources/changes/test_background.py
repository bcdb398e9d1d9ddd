"""Changes follow what is published, edited, replaced, moved and deleted."""

from collections.abc import Callable
from datetime import date, timedelta
from functools import partial
from typing import Any

import pytest
from django.db import connection, transaction

from ingest.documents import edit
from sources import changes, work_versions
from sources.changes import background, listing
from sources.comparison.sources import MAX_CHARACTERS
from sources.models import Change, ChangeWork, Chunk, Source, Work
from sources.tasks import work_on_changes
from tests.factories import first_topic, make_topic
from tests.integrity import found, mended
from tests.racing import all_done_at_once
from tests.search.corpus import replace_text
from tests.sources.changes.laws import AMENDED, BEGAN, NEW, OLD, act, amended, work

pytestmark = pytest.mark.django_db


def told() -> list[tuple[int, bool, date, int | None]]:
    return [
        (one.source_id, one.ends, one.day, one.before_id) for one in listing.changes_in([first_topic()]).order_by("day")
    ]


def differences(source: Source) -> list[tuple[str, str]]:
    [change] = Change.objects.filter(source=source, ends=False)
    return [(row["change"], row["number"]) for row in change.provisions or []]


def test_a_version_is_compared_with_the_one_before_it() -> None:
    old, new = amended()
    work()
    assert told() == [(old.pk, False, BEGAN, None), (new.pk, False, AMENDED, old.pk)]
    assert sorted(differences(new)) == [("added", "5"), ("changed", "2"), ("removed", "3")]
    change = Change.objects.get(source=new)
    assert change.counts == {"added": 1, "changed": 1, "removed": 1}
    removed = next(row for row in change.provisions or [] if row["change"] == "removed")
    assert removed == {
        "change": "removed",
        "kind": "section",
        "number": "3",
        "label": "פיקדון",
        "before": "sec_3",
        "since": "",
    }


def test_documents_without_days_are_no_change_and_leave_no_work() -> None:
    act()
    assert not ChangeWork.objects.exists()
    work()
    assert told() == []


def test_a_repeal_is_told_and_taken_back() -> None:
    source = act(valid_from=BEGAN)
    work()
    edit.edit(source.pk, {"valid_to": date(2030, 1, 1)}, by="test")
    work()
    assert told() == [(source.pk, False, BEGAN, None), (source.pk, True, date(2030, 1, 1), None)]
    edit.edit(source.pk, {"valid_to": None}, by="test")
    work()
    assert told() == [(source.pk, False, BEGAN, None)]


def test_a_version_between_two_is_compared_with_both() -> None:
    old, new = amended()
    work()
    with_three = NEW.replace("5. דיווח", "3. פיקדון\nאין.\n5. דיווח")
    work_versions.lock_work_of(old.pk)
    between = work_versions.create_version(
        old.work_id, by="test", topic_id=1, kind="law", title=old.title, valid_from=date(2022, 1, 1)
    )
    replace_text(between, with_three)
    work()
    assert [row[0] for row in told()] == [old.pk, between.pk, new.pk]
    assert Change.objects.get(source=new).before_id == between.pk
    assert differences(new) == [("removed", "3")]


def test_deleting_a_version_compares_its_neighbours() -> None:
    old, new = amended()
    last = act(OLD, work_id=old.work_id, valid_from=date(2025, 1, 1))
    Source.objects.filter(pk=new.pk).update(valid_to=date(2025, 1, 1))
    work()
    assert len(differences(last)) == 3
    edit.delete(new.pk, by="test")
    assert [row[0] for row in told()] == [old.pk]  # at once: what it was compared with is gone
    work()
    assert told() == [(old.pk, False, BEGAN, None), (last.pk, False, date(2025, 1, 1), old.pk)]
    assert differences(last) == []


def test_another_text_is_compared_anew_and_another_title_is_no_news() -> None:
    old, new = amended()
    work()
    before = Change.objects.get(source=new)
    edit.edit(new.pk, {"title": "חוק אחר"}, by="test")
    assert ChangeWork.objects.exists()
    work()
    assert Change.objects.get(source=new).noted_at == before.noted_at
    replace_text(old, NEW)
    work()
    after = Change.objects.get(source=new)
    assert (after.pk, after.provisions, after.counts) == (before.pk, [], {})
    assert after.noted_at > before.noted_at


def test_versions_too_long_to_compare_are_told_so() -> None:
    old, new = amended()
    Chunk.objects.filter(source=old).update(span_end=MAX_CHARACTERS + 1)
    work()
    change = Change.objects.get(source=new)
    assert (change.provisions, change.counts) == ([], {"too_large": 1})


def test_other_days_are_news_of_the_same_change() -> None:
    _, new = amended()
    work()
    before = Change.objects.get(source=new)
    edit.edit(new.pk, {"valid_from": date(2023, 2, 1)}, by="test")
    work()
    after = Change.objects.get(source=new)
    assert (after.pk, after.day, after.provisions) == (before.pk, date(2023, 2, 1), before.provisions)
    assert after.noted_at > before.noted_at


def test_version_of_another_topic_tells_nothing_of_where_it_was() -> None:
    old, new = amended()
    work()
    other = make_topic()
    Source.objects.filter(pk=new.pk).update(topic=other, work=Work.objects.create(topic=other, kind="law"))
    assert told() == [(old.pk, False, BEGAN, None)]
    assert not listing.changes_in([other]).exists()
    work()
    [moved] = listing.changes_in([other])
    assert (moved.source_id, moved.before_id, moved.provisions) == (new.pk, None, [])


def test_what_there_is_no_time_for_is_done_later(monkeypatch: pytest.MonkeyPatch) -> None:
    old, new = amended()
    Source.objects.filter(pk=new.pk).update(valid_to=date(2024, 1, 1))
    last = act(OLD, work_id=old.work_id, valid_from=date(2024, 1, 1))
    monkeypatch.setattr(background.time, "monotonic", iter(range(1000)).__next__)
    assert changes.work(longest_s=3.5) == 1
    assert Change.objects.filter(provisions__isnull=True).exists()
    assert [row[0] for row in told()] == [old.pk, new.pk, last.pk]
    monkeypatch.undo()
    assert work_on_changes() == 1
    assert not Change.objects.filter(provisions__isnull=True).exists()
    assert len(differences(last)) == 3
    assert work_on_changes() == 0


@pytest.mark.django_db(transaction=True)
def test_one_process_works_and_what_breaks_off_is_done_again() -> None:
    old, new = amended()
    other = connection.copy()
    try:
        with other.cursor() as cursor:
            cursor.execute("BEGIN")
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [background.QUEUE.lock])
            assert changes.work() == 0
            cursor.execute("ROLLBACK")
    finally:
        other.close()
    broken = act(valid_from=BEGAN, title="חוק אחר")
    with connection.cursor() as cursor:
        cursor.execute(f"ALTER TABLE kb_change ADD CONSTRAINT refused CHECK (source_id <> {broken.pk})")
        try:
            assert changes.work() == 1
            assert list(ChangeWork.objects.values_list("work_id", flat=True).distinct()) == [broken.work_id]
        finally:
            cursor.execute("ALTER TABLE kb_change DROP CONSTRAINT refused")
    work()
    assert {row[0] for row in told()} == {old.pk, new.pk, broken.pk}


@pytest.mark.django_db(transaction=True)
def test_versions_that_come_and_go_meanwhile_are_all_told_in_the_end() -> None:
    old, new = amended()
    other = act(valid_from=BEGAN, title="חוק אחר")
    for turn in range(5):
        day = date(2024 + turn, 1, 1)

        def come(day: date = day) -> None:
            with transaction.atomic():
                work_versions.lock_work_of(old.pk)
                work_versions.create_version(
                    old.work_id, by="test", topic_id=1, kind="law", title=old.title, valid_from=day
                )
                replace_text(new, NEW)

        def change(day: date = day) -> None:
            edit.edit(other.pk, {"valid_to": day}, by="test")

        meanwhile: list[Callable[[], object]] = [changes.work, come, changes.work, change]
        all_done_at_once(meanwhile)
        last = Source.objects.filter(work_id=old.work_id).latest("pk")
        if turn % 2:
            meanwhile = [changes.work, partial(edit.delete, last.pk, by="test")]
            all_done_at_once(meanwhile)
    work()
    every = list(Source.objects.versions_of(old.work_id).values_list("pk", "valid_from"))
    before = [None, *(pk for pk, _ in every)]
    expected = [(pk, False, day, first) for (pk, day), first in zip(every, before, strict=False)]
    assert len(expected) == 5
    assert [row for row in told() if row[0] != other.pk] == expected
    assert [row[1:3] for row in told() if row[0] == other.pk] == [(False, BEGAN), (True, date(2028, 1, 1))]


def test_a_forgotten_change_is_found_and_repaired() -> None:
    _, new = amended()
    work()
    assert found("changes") == {}
    Change.objects.filter(source=new).delete()
    outcome = mended("changes")
    assert (outcome.found, outcome.repaired, outcome.remaining) == (1, 1, 0)
    work()
    assert len(differences(new)) == 3


def test_old_law_that_is_taken_in_is_no_news(settings: Any) -> None:
    today = date(2026, 11, 24)
    amended()
    recent = act(valid_from=today - timedelta(days=30), title="חוק חדש")
    coming = act(valid_from=today + timedelta(days=30), title="חוק שיבוא")
    work()
    Change.objects.update(noted_at="2026-11-20T12:00:00Z")
    news = listing.feed_entries(listing.changes_in([first_topic()]), today=today)
    assert [one.source_id for one in news] == [coming.pk, recent.pk]
    settings.TIME_ZONE = "Asia/Jerusalem"
    later = listing.feed_entries(listing.changes_in([first_topic()]), today=today + timedelta(days=30))
    assert [(one.source_id, one.updated_at.isoformat()) for one in later] == [  # type: ignore[attr-defined]
        (coming.pk, "2026-12-23T22:00:00+00:00"),
        (recent.pk, "2026-11-20T12:00:00+00:00"),
    ]
