"""References follow what is published, renamed, replaced and deleted; nothing is forgotten."""

from datetime import date
from typing import Any

import pytest
import redis
from django.db import connection

from ingest.documents import edit
from sources import references
from sources.models import Reference, ReferenceWork, Source
from sources.references.background import QUEUE
from sources.references.listing import WorkProvision, cited_counts, citing, references_of, status_of
from sources.tasks import work_on_references
from tests.factories import make_topic
from tests.integrity import mended
from tests.law.structure.test_provisions import LAW
from tests.search.corpus import add_document, replace_text

pytestmark = pytest.mark.django_db
WORK = "sources.references.background"
CITING = '1. השאלה\nספר יושאל לפי סעיף 3(ב) לחוק הספריות, התשנ"ט–1999, ולפי סעיף 2.\n2. ביטול\nהשאלה לפי סעיף 1 תבוטל.'
TITLE = 'חוק הספריות, התשנ"ט–1999'


def lending(**fields: Any) -> Source:
    return add_document(CITING, kind="law", title="חוק ההשאלות", **fields)


def external(source: Source) -> Reference:
    return references_of(source).get(internal=False)


def work() -> None:
    while references.run_pending():
        pass
    assert not ReferenceWork.objects.exists()


def test_references_inside_document_and_to_another_are_resolved() -> None:
    library, source = add_document(LAW, kind="law", title=TITLE), lending()
    work()
    found = [(one.eid, one.text, one.target, one.target_eid) for one in references_of(source)]
    assert found == [
        ("sec_1", 'סעיף 3(ב) לחוק הספריות, התשנ"ט–1999', library, "sec_3__subsec_b"),
        ("sec_1", "סעיף 2", source, "sec_2"),
        ("sec_2", "סעיף 1", source, "sec_1"),
    ]
    assert [one.eid for one in citing(library).filter(internal=False)] == ["sec_1"]
    asked = [
        WorkProvision(library.work_id, eid) for eid in ("sec_3", "sec_3__subsec_b", "sec_2", "sec_3__subsec_a", "")
    ]
    assert cited_counts(asked) == dict.fromkeys([asked[0], asked[1], asked[-1]], 1)
    assert cited_counts(asked[-1:]) == {asked[-1]: 1}


@pytest.mark.django_db(transaction=True)
def test_a_note_that_fails_keeps_no_other_waiting() -> None:
    source = lending()
    work()
    Reference.objects.filter(pk=external(source).pk).update(cites={"damaged": True})
    for _ in range(12):  # more than are done together
        ReferenceWork.objects.create(topic_id=source.topic_id, act_key=external(source).act_key)
    other = make_topic()
    ReferenceWork.objects.create(topic_id=other.pk, act_key="another act")
    assert references.run_pending() == 1
    assert set(ReferenceWork.objects.values_list("topic_id", flat=True)) == {source.topic_id}
    assert references.run_pending() == 0


def test_references_resolve_when_targets_come_and_go() -> None:
    source = lending()
    work()
    assert status_of(external(source)) == "not_here"
    assert external(source).cites["title"] == TITLE
    library = add_document(LAW, kind="law", title=TITLE)
    work()
    assert external(source).target == library
    edit.edit(library.pk, {"title": "חוק הקפיצה לגובה"}, by="test")
    work()
    assert status_of(external(source)) == "not_here"
    edit.edit(library.pk, {"title": TITLE}, by="test")
    work()
    assert external(source).target == library
    replace_text(library, "1. הכול\nאין עוד סעיף שלישי.")
    work()
    assert (external(source).target, external(source).target_eid) == (library, "")
    replace_text(library, LAW)
    work()
    assert external(source).target_eid == "sec_3__subsec_b"
    edit.delete(library.pk, by="test")
    assert status_of(external(source)) == "not_here"  # at once, before any work
    work()
    assert external(source).target_id is None


def test_a_clause_that_is_not_there_leads_to_its_section() -> None:
    library = add_document(LAW, kind="law", title=TITLE)
    source = add_document(f"1. כלל\nלפי סעיף 3(ב)(2)(ט) ל{TITLE}.\n2. עוד\nאין.", kind="law", title="תקנות")
    work()
    assert (external(source).target, external(source).target_eid) == (library, "sec_3__subsec_b__para_2")


def test_two_acts_of_one_name_are_ambiguous_until_one_goes() -> None:
    source = lending()
    one, other = (add_document(LAW, kind="law", title=TITLE) for _ in range(2))
    work()
    assert status_of(external(source)) == "ambiguous"
    edit.delete(one.pk, by="test")
    work()
    assert external(source).target == other


def test_topics_do_not_cite_each_other() -> None:
    source = lending()
    add_document(LAW, kind="law", title=TITLE, topic=make_topic())
    work()
    assert status_of(external(source)) == "not_here"


def test_a_document_that_is_replaced_has_the_references_of_its_new_text() -> None:
    source = lending()
    work()
    replace_text(source, "1. השאלה\nאין דבר.\n2. ביטול\nלפי סעיף 1.")
    work()
    assert [one.text for one in references_of(source)] == ["סעיף 1"]
    edit.delete(source.pk, by="test")
    work()
    assert not Reference.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_what_breaks_off_is_done_again_and_others_do_not_wait_for_it() -> None:
    broken, source = lending(), lending()
    with connection.cursor() as cursor:
        cursor.execute(f"ALTER TABLE kb_reference ADD CONSTRAINT refused CHECK (source_id <> {broken.pk})")
    try:
        references.run_pending()
        assert references_of(source).count() == 3
        assert list(ReferenceWork.objects.values_list("source_id", flat=True)) == [broken.pk]
    finally:
        with connection.cursor() as cursor:
            cursor.execute("ALTER TABLE kb_reference DROP CONSTRAINT refused")
    work()
    assert references_of(broken).count() == 3


@pytest.mark.django_db(transaction=True)
def test_work_goes_on_behind_waiting_documents(settings: Any) -> None:
    broken, _fine = lending(), lending()
    with connection.cursor() as cursor, redis.Redis.from_url(settings.REDIS_URL) as broker:
        broker.delete("celery:9")
        cursor.execute(f"ALTER TABLE kb_reference ADD CONSTRAINT refused CHECK (source_id <> {broken.pk})")
        try:
            assert work_on_references() > 0
            assert broker.llen("celery:9") == 1
            assert work_on_references() == 0
            assert broker.llen("celery:9") == 1
        finally:
            cursor.execute("ALTER TABLE kb_reference DROP CONSTRAINT refused")
            broker.delete("celery:9")
    work()
    assert work_on_references() == 0


@pytest.mark.django_db(transaction=True)
def test_one_process_works_at_a_time() -> None:
    source = lending()
    other = connection.copy()
    try:
        with other.cursor() as cursor:
            cursor.execute("BEGIN")
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [QUEUE.lock])
            assert references.run_pending() == 0
            cursor.execute("ROLLBACK")
    finally:
        other.close()
    work()
    assert references_of(source).count() == 3


def test_many_sources_are_worked_on_in_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kb_project.database.work_queue.AT_ONCE", 2)
    monkeypatch.setattr(f"{WORK}.NOTES_AT_ONCE", 3)
    monkeypatch.setattr(f"{WORK}.REFERENCES_AT_ONCE", 2)
    sources = [lending() for _ in range(5)]
    library = add_document(LAW, kind="law", title=TITLE)
    work()
    assert [external(source).target for source in sources] == [library] * 5


def test_a_reference_to_nothing_is_found_and_repaired() -> None:
    library, source = add_document(LAW, kind="law", title=TITLE), lending()
    work()
    Reference.objects.filter(pk=external(source).pk).update(target_id=library.pk + 10_000)
    outcome = mended("references")
    assert (outcome.found, outcome.repaired, outcome.remaining) == (1, 1, 0)
    work()
    assert external(source).target == library


def test_reference_means_version_of_its_day_and_counts_for_all() -> None:
    old = add_document(LAW, kind="law", title=TITLE, valid_to=date(2020, 1, 1))
    new = add_document(LAW, kind="law", title=TITLE, work_id=old.work_id, valid_from=date(2020, 1, 1))
    then, now, undated = (lending(published_at=day) for day in (date(2019, 5, 1), date(2020, 1, 1), None))
    work()
    assert [external(source).target for source in (then, now, undated)] == [old, new, new]
    assert {one.source for one in citing(old).filter(internal=False)} == {then, now, undated}
    assert cited_counts([section := WorkProvision(new.work_id, "sec_3")]) == {section: 3}
    edit.edit(new.pk, {"valid_from": date(2019, 1, 1)}, by="test")
    work()
    assert [external(source).target for source in (then, now, undated)] == [new, new, new]
    edit.delete(new.pk, by="test")
    work()
    assert [external(source).target for source in (then, now, undated)] == [old, old, old]
