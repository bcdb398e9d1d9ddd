"""Taking a decision back: nothing of it remains before it is indexed, and its source goes on after that."""

import threading
import time
from functools import partial
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from ingest.decide.commit import commit
from ingest.decide.discard import discard
from ingest.decide.reopen import reopen, withdraw
from ingest.decide.retry import classify_again, retry
from ingest.decisions import Decision, LabelChoice
from ingest.documents.edit import EditConflict, delete, edit
from ingest.intake.batches import create_batch
from ingest.job_states import AWAITING_REVIEW, DONE, EMBEDDING, FAILED
from ingest.jobs import claims
from ingest.jobs.transitions import ClaimLost, WrongState
from ingest.models import Draft, Job
from ingest.review.bulk import confirm_unchanged
from ingest.stages.publish import embed
from ingest.stages.run import run_job
from kb_project.errors import Conflict, Invalid, NotFound
from labels.models import Label
from search.index import engine
from sources.files import storage
from sources.models import FileDeletion, Source
from tests.factories import LAW, decision_of, first_topic, make_job, upload_text
from tests.ingest.library.documents import found
from tests.racing import at_once

pytestmark = pytest.mark.django_db(transaction=True)
DECISION = Decision(kind="law", title="חוק הספריות", labels=(LabelChoice(name="ספריות"),))


def waiting(text: str = LAW) -> Job:
    """A file of a batch that awaits review."""
    (job,) = create_batch([("law.txt", [text.encode()])], topic=first_topic(), by="dana").jobs
    return worked(job)


def worked(job: Job) -> Job:
    done = run_job(job.pk)
    assert done is not None
    return done


def decided(job: Job | None = None, **changes: Any) -> Job:
    decision = Decision(**{name: getattr(DECISION, name) for name in ("kind", "title", "labels")} | changes)
    return commit((job or waiting()).pk, decision, by="dana", allow_duplicate=True)


def published() -> tuple[Job, Source]:
    job = worked(decided())
    engine().maintain()
    assert job.source is not None
    return job, job.source


def page_of(client: Client, job: Job) -> str:
    return client.get(reverse("review-job", args=[job.batch_id, job.pk])).content.decode()


def test_an_untaken_job_is_undone_and_keeps_its_decision(staff_client: Client) -> None:
    job = decided(summary="ס" * 90)
    undone = reopen(job.pk, by="dana")
    assert (undone.state, undone.confirmed, undone.source_id) == (AWAITING_REVIEW, None, None)
    assert run_job(job.pk) is None, "a hint that is under way does nothing"
    page = page_of(staff_client, job)
    assert "חוק הספריות</textarea>" in page
    assert f'value="slug:{Label.objects.get().slug}" checked' in page
    assert "Confirmed before" in page
    assert confirm_unchanged([undone], also_labels=(), by="dana").done == 1
    done = worked(job)
    assert done.source is not None
    assert (done.source.title, done.source.description) == ("חוק הספריות", "ס" * 90)
    assert [label.name for label in done.source.labels.all()] == ["ספריות"]


def test_a_worker_that_is_at_it_drops_what_it_made(tmp_path: Path) -> None:
    taken = claims.claim(decided().pk)
    assert taken is not None
    reopen(taken.pk, by="dana")
    before = {file.key for area in storage.Area for file in storage.files_under(area)}
    with pytest.raises(ClaimLost), claims.Heartbeat(taken) as heartbeat:
        embed(taken, heartbeat)
    job = Job.objects.get(pk=taken.pk)
    assert (job.state, Source.objects.count()) == (AWAITING_REVIEW, 0)
    assert {file.key for area in storage.Area for file in storage.files_under(area)} == before
    assert not FileDeletion.objects.exists()
    assert discard(job.pk, by="dana").state == FAILED


def test_undo_beside_a_worker_leaves_either_nothing_or_a_source() -> None:
    for number in range(6):
        job = decided(waiting(f"{LAW}\n{number}. x"))
        worker = threading.Thread(target=run_job, args=[job.pk])
        worker.start()
        time.sleep(number / 50)
        reopened = reopen(job.pk, by="dana")
        worker.join(60)
        now = Job.objects.get(pk=job.pk)
        assert now.state == AWAITING_REVIEW
        assert (now.source_id, Source.objects.filter(pk=now.source_id or 0).count()) == (
            reopened.source_id,
            0 if reopened.source_id is None else 1,
        )
        assert storage.exists(now.file_key)
        discard(job.pk, by="dana") if reopened.source_id is None else delete(reopened.source_id, by="dana")


def test_a_source_stays_as_it_is_until_it_is_confirmed_anew(staff_client: Client) -> None:
    job, source = published()
    reopened = reopen(job.pk, by="avi")
    assert (reopened.state, reopened.confirmed, reopened.source_id) == (AWAITING_REVIEW, None, source.pk)
    assert found("חמישה ספרים") == {source.pk}
    page = page_of(staff_client, job)
    assert "חוק הספריות</textarea>" in page
    assert 'id="classify-again"' not in page
    assert 'id="discard"' not in page
    amended = decided(job, title="חוק הדיונות", labels=())
    assert (amended.state, decision_of(amended)["title"]) == (DONE, "חוק הדיונות")
    reindexing = Job.objects.get(reindex=True)
    worked(reindexing)
    engine().maintain()
    source.refresh_from_db()
    assert (source.title, source.labels.count(), found("הדיונות")) == ("חוק הדיונות", 0, {source.pk})
    assert Label.objects.get().usage_count == 0
    assert [event.why for event in job.events.all()][-2:] == ["reopened", "confirmed anew"]
    again = reopen(job.pk, by="avi")
    assert decided(again, title="חוק הדיונות", kind="circular").state == DONE
    worked(Job.objects.exclude(pk=reindexing.pk).get(reindex=True))
    job.refresh_from_db()
    source.refresh_from_db()
    assert job.file_key == source.file_key
    assert "/circular/" in source.file_key


def test_an_edit_made_meanwhile_is_shown_and_not_overwritten(staff_client: Client) -> None:
    job, source = published()
    edit(source.pk, {"title": "Edited before"}, by="noa")
    reopen(job.pk, by="dana")
    page = page_of(staff_client, job)
    assert "Edited before</textarea>" in page
    was = page.split('name="was" value="')[1].split('"')[0]
    edit(source.pk, {"subject": "Edited since"}, by="noa")
    url, sent = reverse("review-job", args=[job.batch_id, job.pk]), {"kind": "law", "title": "Typed", "was": was}
    refused = staff_client.post(url, sent)
    page = refused.content.decode()
    assert refused.status_code == 409
    assert "Someone else changed this source meanwhile." in page
    assert "Typed</textarea>" in page
    assert reverse("library-source", args=[source.pk]) in page
    source.refresh_from_db()
    assert source.subject == "Edited since"
    sent["was"] = page.split('name="was" value="')[1].split('"')[0]
    assert staff_client.post(url, sent).status_code == 302
    source.refresh_from_db()
    assert (source.title, source.subject) == ("Typed", "")
    reopen(job.pk, by="dana")
    with pytest.raises(EditConflict):
        commit(job.pk, DECISION, by="dana", allow_duplicate=True, if_version="another")
    assert commit(job.pk, DECISION, by="a program", allow_duplicate=True).state == DONE


def test_deleting_the_source_ends_its_review(staff_client: Client) -> None:
    job, source = published()
    reopen(job.pk, by="dana")
    delete(source.pk, by="noa")
    job.refresh_from_db()
    assert (job.state, job.error_code, job.file_key) == (FAILED, "source_deleted", "")
    with pytest.raises(WrongState):
        commit(job.pk, DECISION, by="dana", allow_duplicate=True)
    with pytest.raises(WrongState):
        reopen(job.pk, by="dana")
    assert "The source was deleted." in page_of(staff_client, job)
    staff_client.cookies["django_language"] = "he"
    assert "המקור נמחק." in page_of(staff_client, job)
    with pytest.raises(Conflict):
        retry(job.pk, by="dana")


def test_another_document_in_place_of_the_source_ends_its_review_too() -> None:
    job, source = published()
    reopen(job.pk, by="dana")
    other = waiting(LAW.replace("חמישה", "תשעה"))
    with pytest.raises(Invalid):
        decided(job, replaces=source.pk + 1)
    worked(decided(other, replaces=source.pk))
    job.refresh_from_db()
    assert (job.state, job.error_code, job.source_id) == (FAILED, "source_replaced", source.pk)
    older = make_job(batch_id=uuid4(), status="done", source=source, file_key="")
    with pytest.raises(Conflict, match="another document"):
        reopen(older.pk, by="dana")


def test_what_cannot_be_done_says_so(tmp_path: Path) -> None:
    job, _source = published()
    reopen(job.pk, by="dana")
    for verb in (discard, classify_again):
        with pytest.raises(Conflict, match="source already"):
            verb(job.pk, by="dana")
    assert Job.objects.get(pk=job.pk).state == AWAITING_REVIEW
    with pytest.raises(WrongState):
        reopen(job.pk, by="avi")
    with pytest.raises(WrongState):
        reopen(waiting(f"{LAW}\n9. x").pk, by="avi")
    with pytest.raises(NotFound):
        reopen(uuid4(), by="avi")
    single = worked(upload_text(tmp_path, f"{LAW}\n4. x"))
    with pytest.raises(Conflict, match="of a batch"):
        reopen(single.pk, by="avi")
    gone = make_job(batch_id=uuid4(), status="done")
    with pytest.raises(Conflict, match="was deleted"):
        reopen(gone.pk, by="avi")


def test_of_two_who_reopen_or_confirm_at_once_one_does() -> None:
    job = decided()
    first = at_once([partial(reopen, job.pk, by=name) for name in ("dana", "avi", "noa")])
    assert sum(isinstance(outcome, WrongState) for outcome in first) == 2
    assert Draft.objects.filter(decision__title="חוק הספריות").exists()
    confirmed = at_once([partial(decided, job, title=title) for title in ("a", "b", "c")])
    assert sum(isinstance(outcome, WrongState) for outcome in confirmed) == 2
    assert Job.objects.get(pk=job.pk).state == EMBEDDING


def test_a_withdrawn_confirmation_keeps_its_file_unfound() -> None:
    job, source = published()
    back = withdraw(job.pk, by="dana")
    assert (back.state, back.confirmed, back.source_id) == (AWAITING_REVIEW, None, None)
    assert found("חמישה ספרים") == set()
    assert not Source.objects.exists()
    assert storage.exists(back.file_key)
    assert back.file_key == source.file_key
    assert Draft.objects.filter(job=job, decision__title="חוק הספריות").exists()
    anew = worked(decided(job, title="חוק הדיונות"))
    engine().maintain()
    assert (anew.state, anew.source is not None) == (DONE, True)
    assert found("חמישה ספרים") == {anew.source_id}


def test_what_was_withdrawn_before_indexing_is_reopened() -> None:
    assert withdraw(decided().pk, by="dana").state == AWAITING_REVIEW
    job, source = worked(decided(Job.objects.get())), Source.objects.get()
    reopen(job.pk, by="dana")
    decided(job, title="Anew")
    assert withdraw(job.pk, by="dana").source_id == source.pk


def test_a_source_that_became_more_than_was_decided_is_not_taken_out() -> None:
    job, source = published()
    edit(source.pk, {"title": "By another"}, by="noa")
    with pytest.raises(Conflict, match="changed since"):
        withdraw(job.pk, by="dana")
    other = worked(decided(waiting(LAW.replace("חמישה", "תשעה")), replaces=source.pk))
    with pytest.raises(Conflict, match="replaced another"):
        withdraw(other.pk, by="dana")
    assert Source.objects.filter(pk=source.pk).exists()
    with pytest.raises(WrongState):
        withdraw(waiting(f"{LAW}\n9. x").pk, by="dana")
