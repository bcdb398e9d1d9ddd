"""Versions of one work: taken in, moved, deleted, and found as of a day. No two are ever in force on one day."""

import threading
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction

from ingest.decide.commit import commit
from ingest.decisions import Decision
from ingest.documents.edit import delete, edit
from ingest.intake.upload import Metadata
from ingest.job_states import DONE, FAILED
from ingest.models import Job
from ingest.stages.run import work
from kb_project.errors import Invalid
from kb_project.models import AuditEntry
from sources.models import Source, Work
from sources.works.keeping import VersionOverlap
from tests.factories import LAW, make_source, make_topic, upload_text
from tests.ingest.library.documents import TITLE

pytestmark = pytest.mark.django_db(transaction=True)
Day = date.fromisoformat


def take_in(directory: Path, text: str = LAW, **metadata: Any) -> Source:
    done = work(upload(directory, text, **metadata).pk)
    assert done is not None
    assert done.state == DONE, done.error_message
    return Source.objects.get(jobs=done)


def upload(directory: Path, text: str = LAW, **metadata: Any) -> Job:
    given = Metadata(title=TITLE, **metadata)
    return upload_text(directory, text, metadata=given, allow_duplicate=True)


def days(work_id: int) -> list[tuple[str, str]]:
    rows = Source.objects.filter(work_id=work_id).order_by("valid_from").values_list("valid_from", "valid_to")
    return [(str(begin or ""), str(end or "")) for begin, end in rows]


def test_a_version_ends_the_one_before_it_in_whatever_order_they_come(tmp_path: Path) -> None:
    first = take_in(tmp_path, valid_from=Day("2015-03-01"))
    take_in(tmp_path, version_of=first.pk, valid_from=Day("2021-07-01"))
    take_in(tmp_path, version_of=first.pk, valid_from=Day("2018-01-01"), identifier="ס-2")
    assert days(first.work_id) == [
        ("2015-03-01", "2018-01-01"),
        ("2018-01-01", "2021-07-01"),
        ("2021-07-01", ""),
    ]
    moved = AuditEntry.objects.filter(action="source.edit", object_id=str(first.pk)).order_by("id")
    assert [(entry.before["valid_to"], entry.after["valid_to"]) for entry in moved] == [
        (None, "2021-07-01"),
        ("2021-07-01", "2018-01-01"),
    ]
    assert Work.objects.get(pk=first.work_id).identifier == ""  # that of the last version


def test_a_document_is_the_only_version_of_its_own_work(tmp_path: Path) -> None:
    source = take_in(tmp_path)
    work_of = Work.objects.get(pk=source.work_id)
    assert (work_of.topic_id, work_of.kind, work_of.title) == (source.topic_id, "law", TITLE)
    edit(source.pk, {"title": "חוק אחר"}, by="rina")
    work_of.refresh_from_db()
    assert work_of.title == "חוק אחר"
    delete(source.pk, by="rina")
    assert not Work.objects.filter(pk=work_of.pk).exists()


@pytest.mark.parametrize("day", ["2015-03-01", "2020-01-01"])
def test_days_of_another_version_are_refused_with_its_name(tmp_path: Path, day: str) -> None:
    first = take_in(tmp_path, valid_from=Day("2015-03-01"), valid_to=Day("2021-01-01"))
    with pytest.raises(VersionOverlap) as refused:
        upload(tmp_path, version_of=first.pk, valid_from=Day(day))
    assert refused.value.extra == {"source_id": first.pk}
    assert TITLE in refused.value.detail
    assert Job.objects.count() == 1


def test_a_version_needs_a_day_and_a_work_in_its_topic(tmp_path: Path) -> None:
    first = take_in(tmp_path)
    with pytest.raises(VersionOverlap):
        upload(tmp_path, version_of=first.pk)
    elsewhere = make_source(topic=make_topic())
    for missing in (elsewhere.pk, 2**62):
        with pytest.raises(Invalid) as refused:
            upload(tmp_path, version_of=missing, valid_from=Day("2020-01-01"))
        assert "version_of" in refused.value.errors


def test_moving_a_version_moves_the_end_of_the_one_before(tmp_path: Path) -> None:
    first = take_in(tmp_path, valid_from=Day("2015-03-01"))
    second = take_in(tmp_path, version_of=first.pk, valid_from=Day("2018-01-01"))
    edit(second.pk, {"valid_from": Day("2019-05-01")}, by="rina")
    assert days(first.work_id) == [("2015-03-01", "2019-05-01"), ("2019-05-01", "")]
    with pytest.raises(VersionOverlap):
        edit(second.pk, {"valid_from": Day("2015-03-01")}, by="rina")
    with pytest.raises(Invalid):
        edit(second.pk, {"valid_to": Day("2019-05-01")}, by="rina")
    delete(second.pk, by="rina")
    assert days(first.work_id) == [("2015-03-01", "")]


def test_two_people_take_in_versions_of_one_work_at_the_same_time(tmp_path: Path) -> None:
    """Both were decided while there was room for each; the later one fails with a reason, and nothing is lost."""
    first = take_in(tmp_path, valid_from=Day("2015-03-01"))
    jobs = [upload(tmp_path, version_of=first.pk, valid_from=Day("2020-01-01")) for _ in range(2)]

    def run(job: Job) -> None:
        work(job.pk)
        connection.close()

    threads = [threading.Thread(target=run, args=[job]) for job in jobs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    ended = sorted(Job.objects.filter(pk__in=[job.pk for job in jobs]), key=lambda job: job.state == FAILED)
    assert [job.state for job in ended] == [DONE, FAILED]
    assert ended[1].error_code == "version_overlap"
    assert ended[1].file_key
    assert days(first.work_id) == [("2015-03-01", "2020-01-01"), ("2020-01-01", "")]


def test_a_replaced_document_keeps_its_days_and_its_place(tmp_path: Path) -> None:
    first = take_in(tmp_path, valid_from=Day("2015-03-01"))
    second = take_in(tmp_path, version_of=first.pk, valid_from=Day("2018-01-01"))
    waiting = work(upload_text(tmp_path, f"{LAW} ", metadata=None).pk)
    assert waiting is not None
    commit(waiting.pk, Decision(kind="law", title=TITLE, replaces=second.pk), by="rina", allow_duplicate=True)
    work(waiting.pk)
    assert days(first.work_id) == [("2015-03-01", "2018-01-01"), ("2018-01-01", "")]


def test_the_database_itself_refuses_two_versions_on_one_day() -> None:
    first = make_source(valid_from=Day("2015-03-01"), valid_to=Day("2018-01-01"))
    make_source(work_id=first.work_id, valid_from=Day("2018-01-01"))
    with pytest.raises(IntegrityError, match="kb_source_one_version_a_day"), transaction.atomic():
        make_source(work_id=first.work_id, valid_from=Day("2017-12-31"), valid_to=Day("2018-01-01"))
    with pytest.raises(IntegrityError, match="kb_source_days_check"), transaction.atomic():
        make_source(valid_from=Day("2018-01-01"), valid_to=Day("2018-01-01"))
