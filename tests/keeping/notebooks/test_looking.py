"""What became of what notes cite, when that is looked at, and what there is to tell."""

from datetime import date, timedelta
from typing import Any

import pytest
from django.utils import timezone

from ingest.documents import edit, trash
from keeping.models import NoteCitation, NoteEvent, NoteWork
from keeping.notebooks import looking
from keeping.notebooks.listing import BECAME, ShownCitation
from keeping.notebooks.visibility import readable
from keeping.people import owner_of
from keeping.tasks import look_at_days_of_notes, look_at_notes
from keeping.watches.notifications.lines import STANDS
from sources.changes.coming import Coming
from sources.standing import StandingStatus
from tests.factories import make_topic
from tests.keeping.notebooks.notes import TITLE, gardens_act, kept, look, notebook, person, standing
from tests.search.corpus import add_document, replace_text
from tests.sources.changes.laws import AMENDED
from tests.sources.test_standing import SECOND
from topics.models import OpenTo, Topic

pytestmark = pytest.mark.django_db


def told() -> list[tuple[int, str, str]]:
    return [(one.note_id, one.was, one.status) for one in NoteEvent.objects.all()]


def amend(act: Any, text: str = SECOND, *, on: date = AMENDED) -> Any:
    """A further version, as when one is published: the earlier one ends."""
    edit.edit(act.pk, {"valid_to": on}, by="test")
    return gardens_act(text, valid_from=on, work_id=act.work_id)


def test_each_outcome_is_stored_and_told_once() -> None:
    act, book = gardens_act(), notebook()
    notes = {
        "changed": kept(book, act, "sec_3", "between six and nine"),
        "stands": kept(book, act, "sec_3__subsec_b", "consent of the neighbours"),
        "repealed": kept(book, act, "sec_4"),
        "renumbered": kept(book, act, "sec_5", "behind a hedge"),
        "definition_changed": kept(book, act, "sec_2"),
    }
    look()
    assert told() == []
    amend(act)
    look()
    assert {status: standing(note)[0] for status, note in notes.items()} == {status: status for status in notes}
    assert {standing(note)[1] for status, note in notes.items() if status != "stands"} == {AMENDED}
    assert standing(notes["renumbered"])[2] == "sec_6"
    fallen = sorted((note.pk, "stands", status) for status, note in notes.items() if status != "stands")
    assert sorted(told()) == fallen
    NoteWork.objects.create(work_id=act.work_id)
    look()
    assert sorted(told()) == fallen
    changed = notes["changed"].citations.get()
    assert ("between six and nine" in changed.text, "between five and ten" in changed.now_text) == (True, True)
    assert notes["definition_changed"].citations.get().terms == ["plot"]


def test_what_is_going_to_change_is_told_before_its_day_and_no_more_on_it() -> None:
    act, book = gardens_act(), notebook()
    day = timezone.localdate() + timedelta(days=30)
    notes = {eid: kept(book, act, eid, quote) for eid, quote in (("sec_3", "six and nine"), ("sec_5", ""))}
    alone = kept(book, act, "sec_3__subsec_b", "consent of the neighbours")
    look()
    assert {one.coming_from for one in NoteCitation.objects.all()} == {None}
    later = amend(act, on=day)
    look()
    assert told() == []
    coming = {eid: ShownCitation(note.citations.get()).coming for eid, note in notes.items()}
    assert coming["sec_3"] == Coming(day, StandingStatus.CHANGED, later.pk, "sec_3")
    assert coming["sec_5"] == Coming(day, StandingStatus.RENUMBERED, later.pk, "sec_6")
    assert ShownCitation(alone.citations.get()).coming is None
    edit.edit(later.pk, {"valid_from": timezone.localdate()}, by="test")
    look()
    assert [ShownCitation(one).coming for one in NoteCitation.objects.all()] == [None, None, None]
    assert standing(notes["sec_5"])[0] == "renumbered"


def test_what_changes_again_or_comes_back_is_told_again() -> None:
    act, book = gardens_act(), notebook()
    note = kept(book, act, "sec_3", "between six and nine")
    later = amend(act)
    look()
    seen = NoteEvent.objects.count()
    third = amend(later, SECOND.replace("between five and ten", "at any hour"), on=date(2024, 2, 1))
    look()
    assert [(one.was, one.status) for one in NoteEvent.objects.all()[seen:]] == [("changed", "changed")]
    seen = NoteEvent.objects.count()
    for one in (third, later):
        edit.delete(one.pk, by="test")
    edit.edit(act.pk, {"valid_to": None}, by="test")
    look()
    assert [(one.was, one.status) for one in NoteEvent.objects.all()[seen:]] == [("changed", "stands")]
    assert standing(note) == ("stands", None, "sec_3")


def test_a_text_that_is_replaced_is_held_against_what_was_kept() -> None:
    act, book = gardens_act(), notebook()
    note = kept(book, act, "sec_5", "behind a hedge")
    replace_text(act, SECOND)
    look()
    assert standing(note)[0] == "renumbered"
    assert told() == [(note.pk, "stands", "renumbered")]


def test_what_goes_is_not_here_and_is_again_when_it_is_put_back() -> None:
    act, book = gardens_act(file_key="processed/general/law/x.txt"), notebook()
    note = kept(book, act, "sec_3", "between six and nine")
    trash.throw_away(act.pk, by="test")
    look()
    assert standing(note)[0] == "not_here"
    assert note.citations.get().text.startswith("3. Water")
    gardens_act(pk=act.pk)
    look()
    assert told() == [(note.pk, "stands", "not_here"), (note.pk, "not_here", "stands")]


def test_an_act_that_ends_is_told_of_whoever_keeps_any_of_it() -> None:
    act, book = gardens_act(), notebook()
    kept(book, act, "sec_2")
    edit.edit(act.pk, {"valid_to": AMENDED}, by="test")
    look()
    event = NoteEvent.objects.get()
    assert (event.status, event.since, event.note.notebook.owner) == ("repealed", AMENDED, person())


def test_a_version_that_comes_to_another_work_is_followed_there() -> None:
    act, book = gardens_act(), notebook()
    note = kept(book, act, "sec_3", "between six and nine")
    other = gardens_act(SECOND, valid_from=AMENDED)
    edit.edit(act.pk, {"valid_to": AMENDED}, by="test")
    edit.edit(act.pk, {"version_of": other.pk}, by="test")
    look()
    assert standing(note) == ("changed", AMENDED, "sec_3")
    assert note.citations.get().work_id == other.work_id


def test_a_version_is_looked_at_on_its_first_day() -> None:
    today = timezone.localdate()
    act, book = gardens_act(), notebook()
    note = kept(book, act, "sec_3", "between six and nine", day=today - timedelta(days=3))
    amend(act, on=today)
    look()
    assert look_at_days_of_notes() == 1
    assert (look_at_notes(), look_at_notes()) == (1, 0)
    assert standing(note)[:2] == ("changed", today)


def test_works_that_nobody_keeps_cost_nothing() -> None:
    gardens_act()
    assert NoteWork.objects.exists()
    assert looking.work() == 0
    assert not looking.QUEUE.exist()


def test_what_is_too_large_to_be_compared_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    act, book = gardens_act(), notebook()
    note = kept(book, act, "sec_3")
    amend(act)
    monkeypatch.setattr("sources.standing.MAX_CHARACTERS", 10)
    look()
    one = note.citations.get()
    assert (one.is_unread, one.status) == (True, "stands")
    assert told() == []


def test_whoever_does_not_see_the_topic_any_more_is_not_told() -> None:
    topic, book = make_topic(slug="closed"), notebook()
    act = add_document("1. Bees\nThree hives may be kept.", title=TITLE, kind="law", topic=topic)
    kept(book, act, "sec_1")
    edit.edit(act.pk, {"valid_from": date(2020, 1, 1), "valid_to": AMENDED}, by="test")
    look()
    told_of = [NoteEvent.objects.get().note_id]
    assert readable(owner_of(book.owner), told_of)
    Topic.objects.filter(pk=topic.pk).update(open_to=OpenTo.MEMBERS)
    assert not readable(owner_of(book.owner), told_of)
    assert not readable(owner_of(person("other")), told_of)


def test_a_note_that_is_deleted_takes_its_events_with_it() -> None:
    act, book = gardens_act(), notebook()
    note = kept(book, act, "sec_4")
    amend(act)
    look()
    assert NoteEvent.objects.count() == 1
    note.delete()
    assert not NoteEvent.objects.exists()


def test_each_standing_has_its_words() -> None:
    assert set(STANDS) == set(BECAME) == set(StandingStatus)
