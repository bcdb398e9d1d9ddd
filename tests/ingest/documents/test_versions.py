"""Versions of one work: taken in, moved, deleted, and found as of a day. No two are ever in force on one day."""

import threading
from datetime import date
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.db import IntegrityError, connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from ingest.decide.commit import commit
from ingest.decisions import Decision
from ingest.documents.edit import delete, edit, version_token
from ingest.documents.replacing import lock_related
from ingest.documents.versions import DayRequired
from ingest.intake.upload import Metadata
from ingest.job_states import DONE, FAILED
from ingest.models import Job
from ingest.stages.run import run_job
from kb_project.errors import Invalid
from kb_project.models import AuditEntry
from sources.models import Source, Work
from sources.work_versions import VersionOverlap
from tests.factories import LAW, make_source, make_topic, upload_text
from tests.ingest.library.documents import TITLE
from tests.topics.keys import client_with_key

pytestmark = pytest.mark.django_db(transaction=True)
Day = date.fromisoformat


def take_in(directory: Path, text: str = LAW, **metadata: Any) -> Source:
    done = run_job(upload(directory, text, **metadata).pk)
    assert done is not None
    assert done.state == DONE, done.error_message
    return Source.objects.get(jobs=done)


def upload(directory: Path, text: str = LAW, **metadata: Any) -> Job:
    given = Metadata(title=TITLE, **metadata)
    return upload_text(directory, text, metadata=given, allow_duplicate=True)


def days(work_id: int) -> list[tuple[str, str]]:
    rows = Source.objects.filter(work_id=work_id).order_by("valid_from").values_list("valid_from", "valid_to")
    return [(str(begin or ""), str(end or "")) for begin, end in rows]


def work_locks(asked: CaptureQueriesContext) -> list[str]:
    """The statements that locked works."""
    statements = [query["sql"] for query in asked]
    return [one for one in statements if 'FROM "kb_work"' in one and one.endswith("FOR NO KEY UPDATE")]


def test_version_ends_one_before_it_in_whatever_order_they_come(tmp_path: Path) -> None:
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


def test_the_work_of_a_version_is_locked_once(tmp_path: Path) -> None:
    first = take_in(tmp_path, valid_from=Day("2015-03-01"))
    job = upload(tmp_path, version_of=first.pk, valid_from=Day("2021-07-01"))
    with CaptureQueriesContext(connection) as asked:
        run_job(job.pk)
    locks = [
        query["sql"] for query in asked if 'FROM "kb_work"' in query["sql"] and "FOR NO KEY UPDATE" in query["sql"]
    ]
    assert len(locks) == 1
    assert days(first.work_id) == [("2015-03-01", "2021-07-01"), ("2021-07-01", "")]


def test_a_decision_is_followed_to_the_version_that_it_names_by_now(tmp_path: Path) -> None:
    first = take_in(tmp_path, valid_from=Day("2015-03-01"))
    second = take_in(tmp_path, version_of=first.pk, valid_from=Day("2018-01-01"))
    read_before = upload(tmp_path, version_of=second.pk, valid_from=Day("2021-07-01"))
    delete(second.pk, by="rina")
    with transaction.atomic(), CaptureQueriesContext(connection) as asked:
        related = lock_related(read_before)
    assert (related.replaced, related.work) == (None, first.work)
    assert len(work_locks(asked)) == 1


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
    with pytest.raises(DayRequired) as without:
        upload(tmp_path, version_of=first.pk)
    assert (without.value.code, list(without.value.errors)) == ("day_required", ["valid_from"])
    with pytest.raises(VersionOverlap):
        upload(tmp_path, version_of=first.pk, undated=True)
    elsewhere = make_source(topic=make_topic())
    for missing in (elsewhere.pk, 2**62):
        with pytest.raises(Invalid) as refused:
            upload(tmp_path, version_of=missing, valid_from=Day("2020-01-01"))
        assert "version_of" in refused.value.errors


def test_version_of_no_known_day_is_first_if_a_person_says_so(tmp_path: Path) -> None:
    first = take_in(tmp_path, valid_from=Day("2015-03-01"))
    take_in(tmp_path, version_of=first.pk, undated=True)
    assert days(first.work_id) == [("2015-03-01", ""), ("", "2015-03-01")]


@pytest.mark.parametrize(
    ("given", "status"), [({}, 400), ({"undated": True}, 202), ({"valid_from": "2021-01-01"}, 202)]
)
def test_the_api_demands_a_day_or_that_none_is_known(tmp_path: Path, given: dict[str, Any], status: int) -> None:
    first = take_in(tmp_path, valid_from=Day("2015-03-01"))
    job = upload_text(tmp_path, LAW + "4. סעיף נוסף\nטקסט.", metadata=None, batch_id=uuid4())
    run_job(job.pk)
    body = {"kind": "law", "title": TITLE, "version_of": first.pk, **given}
    answer = client_with_key(admin=True).post(f"/admin/kb/jobs/{job.pk}/commit", body, format="json")
    assert answer.status_code == status, answer.json()
    assert status != 400 or answer.json()["code"] == "day_required"


def test_the_review_demands_a_day_beside_the_field(tmp_path: Path, staff_client: Client) -> None:
    first = take_in(tmp_path, valid_from=Day("2015-03-01"))
    job = upload_text(tmp_path, LAW + "4. סעיף נוסף\nטקסט.", metadata=None, batch_id=uuid4())
    run_job(job.pk)
    url = reverse("review-job", args=[job.batch_id, job.pk])
    form = {"kind": "law", "title": TITLE, "similar": f"version_of:{first.pk}", "do": "confirm"}
    refused = staff_client.post(url, form)
    assert refused.status_code == 400
    assert 'id="valid_from-errors"' in refused.content.decode()
    assert staff_client.post(url, form | {"undated": "1"}).status_code == 302


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


def test_a_beginning_is_corrected_past_an_end_that_another_version_set(tmp_path: Path, staff_client: Client) -> None:
    first = take_in(tmp_path, valid_from=Day("2015-03-01"))
    second = take_in(tmp_path, version_of=first.pk, undated=True)
    assert days(first.work_id) == [("2015-03-01", ""), ("", "2015-03-01")]
    dates = {"valid_from": "2021-07-01", "valid_to": "2015-03-01"}
    form = {"kind": "law", "title": TITLE, "was": version_token(second), **dates}
    assert staff_client.post(reverse("library-source", args=[second.pk]), form).status_code == 302
    assert days(first.work_id) == [("2015-03-01", "2021-07-01"), ("2021-07-01", "")]
    edit(first.pk, {"valid_from": Day("2023-01-01")}, by="rina")
    assert days(first.work_id) == [("2021-07-01", "2023-01-01"), ("2023-01-01", "")]
    assert Source.objects.get(pk=first.pk).valid_to is None


def test_an_end_that_no_other_version_set_stays(tmp_path: Path) -> None:
    first = take_in(tmp_path, valid_from=Day("2015-03-01"), valid_to=Day("2018-01-01"))
    take_in(tmp_path, version_of=first.pk, valid_from=Day("2020-01-01"))
    with pytest.raises(Invalid):
        edit(first.pk, {"valid_from": Day("2021-01-01")}, by="rina")
    edit(first.pk, {"valid_from": Day("2016-01-01")}, by="rina")
    assert days(first.work_id) == [("2016-01-01", "2018-01-01"), ("2020-01-01", "")]


def test_two_people_take_in_versions_of_one_work_at_same_time(tmp_path: Path) -> None:
    """Both were decided while there was room for each; the later one fails with a reason, and nothing is lost."""
    first = take_in(tmp_path, valid_from=Day("2015-03-01"))
    jobs = [upload(tmp_path, version_of=first.pk, valid_from=Day("2020-01-01")) for _ in range(2)]

    def run(job: Job) -> None:
        run_job(job.pk)
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
    waiting = run_job(upload_text(tmp_path, f"{LAW} ", metadata=None).pk)
    assert waiting is not None
    commit(waiting.pk, Decision(kind="law", title=TITLE, replaces=second.pk), by="rina", allow_duplicate=True)
    run_job(waiting.pk)
    assert days(first.work_id) == [("2015-03-01", "2018-01-01"), ("2018-01-01", "")]


def test_the_database_itself_refuses_two_versions_on_one_day() -> None:
    first = make_source(valid_from=Day("2015-03-01"), valid_to=Day("2018-01-01"))
    make_source(work_id=first.work_id, valid_from=Day("2018-01-01"))
    with pytest.raises(IntegrityError, match="kb_source_one_version_a_day"), transaction.atomic():
        make_source(work_id=first.work_id, valid_from=Day("2017-12-31"), valid_to=Day("2018-01-01"))
    with pytest.raises(IntegrityError, match="kb_source_days_check"), transaction.atomic():
        make_source(valid_from=Day("2018-01-01"), valid_to=Day("2018-01-01"))
