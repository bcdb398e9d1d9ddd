"""What is found of what happened, and whom it is of."""

from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone
from django.utils.formats import date_format

from ingest.documents import edit
from keeping.models import EventType, Note, Notebook, NoteCitation, NoteEvent, Watch, WatchEvent, WatchWork
from keeping.tasks import look_at_days_of_watches, tidy_watches, work_on_watches
from keeping.watches import background
from keeping.watches.newest import LOCK
from labels import assign, naming
from sources.models import Change, Source
from sources.provisions import whole_text
from tests.factories import first_topic, make_label, make_topic
from tests.keeping.tables.made import BEGINS, table
from tests.keeping.watches.watchers import join, lines, person, told, watch, work
from tests.search.corpus import add_document, replace_text
from tests.sources.changes.laws import NEW, TITLE, act
from topics.models import OpenTo

pytestmark = pytest.mark.django_db
TODAY = timezone.localdate
LABELLED = "Has this label now"


def amend(old: Source, *, on: int = -2, text: str = NEW) -> Source:
    """A version that begins so many days from now in place of another."""
    day = TODAY() + timedelta(days=on)
    edit.edit(old.pk, {"valid_to": day}, by="test")
    return act(text, valid_from=day, work_id=old.work_id)


def begun() -> Source:
    """The act as it was in force before somebody watches."""
    old = act(valid_from=TODAY() - timedelta(days=700))
    work()
    return old


def test_a_new_document_is_told_of_its_topic() -> None:
    noa, other = person(), make_topic()
    watch(noa, topic_id=first_topic().pk)
    add_document("1. Quiet\nReaders are quiet.", title="Reading Rooms Rules", kind="regulation")
    add_document("1. Water\nWater is free.", title="Water Rules", kind="regulation", topic=other)
    work()
    assert told(noa) == [("Reading Rooms Rules", "New document")]


def test_a_version_is_told_once_as_a_change_of_its_work() -> None:
    noa, old = person(), begun()
    watch(noa, work_id=old.work_id)
    watch(noa, topic_id=first_topic().pk)
    new = amend(old)
    while background.work():
        pass
    assert told(noa) == []  # what leaves before the versions are compared says nothing of it
    work()
    said = "New version, in force since"
    assert [(title, text.startswith(said)) for title, text in told(noa)] == [(TITLE, True)] * 2
    assert lines(noa)[0].more == "Added: 1, Removed: 1, Changed: 1"
    assert lines(noa)[0].url == f"/documents/{old.pk}/compare/{new.pk}/"


def test_only_a_provision_that_changed_is_told_of() -> None:
    noa, old = person(), begun()
    for eid in ("sec_1", "sec_2", "sec_3"):
        watch(noa, work_id=old.work_id, eid=eid)
    amend(old)
    work()
    assert [line.more for line in lines(noa)] == ["Removed", "Changed"]


def test_of_many_provisions_that_change_at_once_each_is_known() -> None:
    rules = "\n".join(f"{n}. Lamp {n}\nLamp {n} is lit by owner {n} at dusk." for n in range(1, 71))
    noa, old = person(), act(rules, valid_from=TODAY() - timedelta(days=700))
    work()
    for eid in ("sec_60", "sec_69"):
        watch(noa, work_id=old.work_id, eid=eid)
    changed, mark, same = rules.partition("65. ")
    amend(old, text=changed.replace("dusk", "dawn") + mark + same)
    work()
    assert [line.more.partition(":")[0] for line in lines(noa)] == ["Changed"]


def test_what_cannot_be_compared_is_said_of_a_provision() -> None:
    noa, old = person(), begun()
    watch(noa, work_id=old.work_id, eid="sec_1")
    amend(old)
    work()
    assert told(noa) == []
    Change.objects.filter(ends=False).update(provisions=[], counts={"too_large": 1})
    work()
    assert lines(noa)[0].more == "So much changed that it is not known whether this provision did."


def test_a_label_tells_what_gets_it_and_what_changes_with_it() -> None:
    noa, label, old = person(), make_label("Libraries"), begun()
    assign.add(old, [label], by="test")
    work()
    watch(noa, label_slug=label.slug)
    rules = add_document("1. Quiet\nReaders are quiet.", title="Quiet Rules", kind="regulation")
    work()
    assert told(noa) == []
    assign.add(rules, [label], by="test")
    amend(old)
    work()
    assert [title for title, _ in told(noa)] == [TITLE, "Quiet Rules"]
    assert told(noa)[1] == ("Quiet Rules", LABELLED)


def test_a_label_that_is_renamed_or_merged_is_still_watched() -> None:
    noa, label, target = person(), make_label("Libraries"), make_label("Reading")
    watch(noa, label_slug=label.slug)
    naming.rename(label.pk, "Public libraries", by="test")
    source = add_document("1. Quiet\nReaders are quiet.", title="Quiet Rules", kind="regulation")
    assign.add(source, [label], by="test")
    work()
    assert told(noa) == [("Quiet Rules", LABELLED)]
    naming.merge(label.pk, target.pk, by="test")
    later = add_document("1. Noise\nNobody shouts.", title="Noise Rules", kind="regulation")
    assign.add(later, [target], by="test")
    work()
    assert ("Noise Rules", LABELLED) in told(noa)


def test_what_comes_is_told_when_known_and_when_in_force() -> None:
    noa, old = person(), begun()
    watch(noa, work_id=old.work_id)
    new = amend(old, on=3)
    work()
    assert told(noa)[0][1].startswith("New version, in force from")
    Watch.objects.update(read_id=WatchEvent.objects.latest("pk").pk)
    assert look_at_days_of_watches() == 0
    day = TODAY() - timedelta(days=1)
    WatchEvent.objects.update(at=timezone.now() - timedelta(days=4), day=day)  # as if these days had passed
    Change.objects.filter(source=new).update(day=day)
    WatchWork.objects.all().delete()
    assert look_at_days_of_watches() == 1
    work()
    assert told(noa)[0][1].startswith("New version, in force since")
    assert look_at_days_of_watches() == 0


def test_old_law_that_is_taken_in_is_a_document_and_no_change() -> None:
    noa, old = person(), begun()
    watch(noa, work_id=old.work_id)
    ended = TODAY() - timedelta(days=1100)
    act(NEW, valid_from=ended, valid_to=old.valid_from, work_id=old.work_id)
    work()
    assert told(noa) == [(TITLE, "New document")]


def test_a_version_that_is_old_law_is_told_with_its_day_and_what_differs() -> None:
    noa, old = person(), begun()
    watch(noa, work_id=old.work_id)
    day = TODAY() - timedelta(days=500)
    new = amend(old, on=-500)
    work()
    [line] = lines(noa)
    assert (line.said, line.url) == (
        f"New document, a version in force from {date_format(day)}",
        f"/documents/{old.pk}/compare/{new.pk}/",
    )
    assert "Changed: 1" in line.more


def test_what_is_indexed_again_is_not_told_again() -> None:
    noa, old = person(), begun()
    watch(noa, topic_id=first_topic().pk)
    new = amend(old)
    work()
    known = WatchEvent.objects.exclude(what=EventType.LOOK).count()
    Watch.objects.update(read_id=WatchEvent.objects.latest("pk").pk)
    replace_text(new, NEW)
    replace_text(old, whole_text(old.pk))
    work()
    assert told(noa) == []
    assert WatchEvent.objects.exclude(what=EventType.LOOK).count() == known


def test_another_text_of_a_version_is_told_again() -> None:
    noa, old = person(), begun()
    watch(noa, work_id=old.work_id)
    new = amend(old)
    work()
    Watch.objects.update(read_id=WatchEvent.objects.latest("pk").pk)
    replace_text(new, NEW.replace("לדרוש", "לגבות").replace("תשעה", "שבעה").replace("כתב עת", "עיתון"))
    work()
    assert len(told(noa)) == 1


@pytest.mark.parametrize("on", [-20, 0, 3])
def test_a_watch_follows_a_provision_to_its_new_number(on: int) -> None:
    noa = person()
    old = act(valid_from=TODAY() - timedelta(days=700))
    work()
    for eid in ("sec_3", "sec_4"):
        watch(noa, work_id=old.work_id, eid=eid)
    text = whole_text(old.pk).replace("4. ביטול", "5. ביטול").replace("3. פיקדון", "4. פיקדון")
    new = amend(old, text=text, on=on)
    work()
    if on > 0:
        assert list(Watch.objects.order_by("pk").values_list("eid", flat=True)) == ["sec_3", "sec_4"]
        assert [(line.more, line.url) for line in lines(noa)] == [
            ("Moved to סעיף 5", f"/documents/{new.pk}/#sec_5"),
            ("Moved to סעיף 4", f"/documents/{new.pk}/#sec_4"),
        ]
        day = TODAY() - timedelta(days=1)  # as if these days had passed
        Source.objects.filter(pk=old.pk).update(valid_to=day)
        Source.objects.filter(pk=new.pk).update(valid_from=day)
        work()
    assert list(Watch.objects.order_by("pk").values_list("eid", flat=True)) == ["sec_4", "sec_5"]
    told_of = [(line.more, line.url) for line in lines(noa)]
    assert told_of == [
        ("Moved to סעיף 5", f"/documents/{new.pk}/#sec_5"),
        ("Moved to סעיף 4", f"/documents/{new.pk}/#sec_4"),
    ]


def test_a_watch_is_of_what_has_its_address_in_the_version_in_force() -> None:
    noa, old = person(), act(valid_from=TODAY() - timedelta(days=700))
    text = whole_text(old.pk).replace("4. ביטול", "5. ביטול").replace("3. פיקדון", "4. פיקדון")
    now = amend(old, text=text, on=-20)
    watch(noa, work_id=old.work_id, eid="sec_4")  # it was section 3
    work()
    amend(now, text=whole_text(old.pk), on=0)
    work()
    assert Watch.objects.get().eid == "sec_3"


def test_nobody_is_told_of_a_topic_that_they_do_not_see_now() -> None:
    noa, topic = person(), make_topic(name="Sealed")
    topic.open_to = OpenTo.MEMBERS
    topic.save()
    member = join(noa, topic.pk)
    label = make_label("Secrets")
    watch(noa, topic_id=topic.pk)
    watch(noa, label_slug=label.slug)
    source = add_document("1. Seal\nIt is sealed.", title="Sealed Rules", kind="regulation", topic=topic)
    assign.add(source, [label], by="test")
    work()
    assert len(told(noa)) == 2
    member.delete()
    assert told(noa) == []


def test_what_moves_out_of_a_topic_is_not_told_there() -> None:
    noa, topic = person(), make_topic()
    watch(noa, topic_id=first_topic().pk)
    source = add_document("1. Quiet\nReaders are quiet.", title="Rules", kind="regulation")
    work()
    source.topic = topic
    source.save()
    work()
    assert told(noa) == []


def test_nothing_is_kept_while_nobody_watches() -> None:
    add_document("1. Quiet\nReaders are quiet.", title="Rules", kind="regulation")
    work()
    assert not WatchEvent.objects.exists()


def test_old_events_are_forgotten() -> None:
    noa = person()
    watch(noa, topic_id=first_topic().pk)
    add_document("1. Quiet\nReaders are quiet.", title="Rules", kind="regulation")
    work()
    assert tidy_watches() == 0
    WatchEvent.objects.update(at=timezone.now() - timedelta(days=background.KEPT_DAYS + 1))
    assert tidy_watches() > 0


@pytest.mark.django_db(transaction=True)
def test_one_process_writes_events_at_a_time() -> None:
    noa = person()
    watch(noa, topic_id=first_topic().pk)
    add_document("1. Quiet\nReaders are quiet.", title="Rules", kind="regulation")
    other = connection.copy()
    with other.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_lock(%s)", [LOCK])
        assert work_on_watches() == 0
        cursor.execute("SELECT pg_advisory_unlock(%s)", [LOCK])
    other.close()
    work()
    assert len(told(noa)) == 1


def test_what_became_of_a_note_is_told_of_its_notebook() -> None:
    noa, dan, old = person(), person("dan"), begun()
    notebook = Notebook.objects.create(owner=noa, name="Loans")
    note = Note.objects.create(notebook=notebook, kind="quote", title="How many books?", day=TODAY())
    citation = NoteCitation.objects.create(note=note, n=1, topic=old.topic, work_id=old.work_id, source=old)
    for who in (noa, dan):
        watch(who, notebook_id=notebook.pk)
    NoteEvent.objects.create(note=note, citation=citation, was="stands", status="changed", since=TODAY())
    work()
    [line] = lines(noa)
    assert (line.title, line.said) == ("How many books?", "What it cites was changed")
    assert line.more.startswith(TITLE)
    assert lines(dan) == []  # it is not shared with them
    topic = old.topic
    topic.open_to = OpenTo.MEMBERS
    topic.save()
    assert lines(noa) == []


def test_changes_of_the_documents_of_a_table_are_told() -> None:
    noa, old = person(), begun()
    other = act(title="Harbours Act", valid_from=TODAY() - timedelta(days=700))
    work()
    one = table(BEGINS, source_ids=[old.pk])
    watch(noa, table_id=one.pk)
    amend(old)
    edit.edit(other.pk, {"valid_to": TODAY() - timedelta(days=1)}, by="test")
    work()
    [line] = lines(noa)
    assert line.title == TITLE
    assert line.said.startswith("New version, in force since")
    topic = old.topic
    topic.open_to = OpenTo.MEMBERS
    topic.save()
    assert lines(noa) == []
    one.delete()
    assert not Watch.objects.exists()
