"""POST /kb/check and GET /kb/checks/{id}."""

import sys
import tempfile
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from pathlib import Path
from subprocess import Popen
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone
from rest_framework.test import APIClient

from answers.checking import checks, tasks
from answers.checking.turns import TooMany, check_turn
from answers.models import TextCheck
from sources.models import Source
from tests.answers.checking.verdicts.test_check import HOISTS
from tests.factories import first_topic, make_topic
from tests.search.corpus import add_document
from tests.waiting import wait_until
from topics.keys import issue_key

pytestmark = pytest.mark.django_db
BRIEF = "Section 9 of the Hoists Act 1990 is cited. Section 2(2) of that Act: “An owner shall let the hoist be used”."


@pytest.fixture(autouse=True)
def law(db: None) -> Source:
    return add_document(HOISTS, kind="law", title="Hoists Act 1990")


def check(*, key: str = "", **body: Any) -> Any:
    form = "multipart" if "file" in body else "json"
    headers = {"Authorization": f"Api-Key {key}"} if key else {}
    return APIClient().post("/kb/check", body, format=form, headers=headers)


def test_a_short_text_is_answered_at_once(law: Source) -> None:
    answer = check(text=BRIEF, as_of="2025-01-01").json()
    assert [one["verdict"] for one in answer["citations"]] == ["no_such_provision", "exists"]
    assert [one["number"] for one in answer["citations"][0]["nearest"]] == ["1", "2", "3", "4"]
    [quotation] = answer["quotations"]
    assert (quotation["verdict"], quotation["severe"]) == ("differs", True)
    assert [BRIEF[start:end] for start, end in quotation["differs"]] == ["shall let"]
    assert quotation["at"]["source_id"] == law.pk
    assert "shall not let" in quotation["reason"]
    assert not answer["not_checked"]
    assert answer["counts"]["quotations"] == {"differs": 1}
    assert APIClient().get(f"/kb/checks/{answer['id']}").json() == answer


def test_what_no_model_reads_is_said() -> None:
    answer = check(text="Section 4 of the Hoists Act 1990 is repealed.").json()
    assert [(one["verdict"], one["why"]) for one in answer["statements"]] == [("not_checked", "no_model")]
    assert [one["outcome"] for one in answer["statements"]] == ["not_judged"]
    assert answer["counts"]["outcomes"] == {"wrong": 0, "not_judged": 1, "exists": 1, "right": 0}
    assert not answer["not_checked"]
    assert answer["model"] == ""


def test_a_file_is_read() -> None:
    sent = SimpleUploadedFile("brief.txt", BRIEF.encode(), content_type="text/plain")
    answer = check(file=sent)
    assert answer.status_code == 200, answer.content
    assert answer.json()["counts"]["citations"] == {"no_such_provision": 1, "exists": 1}


@pytest.mark.usefixtures("checks_wait_for_classifiers")
def test_a_long_text_is_a_job(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checks, "MAX_LENGTH_AT_ONCE", 10)
    answer = check(text=BRIEF)
    assert (answer.status_code, answer.json()["status"]) == (202, "queued")
    path = f"/kb/checks/{answer.json()['id']}"
    assert APIClient().get(path).status_code == 202
    tasks.run_checks()
    assert APIClient().get(path).json()["counts"]["citations"] == {"no_such_provision": 1, "exists": 1}


def test_a_turn_is_given_back() -> None:
    usual = sys.getswitchinterval()
    with check_turn(within_s=0), pytest.raises(TooMany), check_turn(within_s=0):
        pass
    assert check(text=BRIEF).status_code == 200
    with pytest.raises(ZeroDivisionError), check_turn(within_s=0):
        raise ZeroDivisionError
    with check_turn(within_s=0):
        assert sys.getswitchinterval() < usual
    assert sys.getswitchinterval() == usual


def test_what_waits_for_its_turn_is_a_job(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tasks, "WAITED_FOR_S", 0.01)
    with check_turn(within_s=0):
        answers = [check(text=BRIEF) for _ in range(2)]
    assert [(one.status_code, one.json()["status"]) for one in answers] == [(202, "queued")] * 2
    tasks.run_checks()
    for one in answers:
        assert APIClient().get(f"/kb/checks/{one.json()['id']}").json()["counts"]["quotations"] == {"differs": 1}


@pytest.mark.usefixtures("checks_wait_for_classifiers")
def test_people_and_addresses_take_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checks, "MAX_LENGTH_AT_ONCE", 10)
    monkeypatch.setattr(checks, "MAX_WAITING_OF_ONE", 3)

    def asked(address: str) -> Any:
        return APIClient().post("/kb/check", {"text": BRIEF}, format="json", REMOTE_ADDR=address)

    many = [asked("192.0.2.1") for _ in range(4)]
    assert [one.status_code for one in many] == [202, 202, 202, 503]
    other = asked("192.0.2.2")
    names = {one.json()["id"]: f"first {number}" for number, one in enumerate(many[:3], 1)}
    names[other.json()["id"]] = "second"
    order = [names[str(checks.run_next(hint=lambda: None))] for _ in range(4)]
    assert order == ["first 1", "second", "first 2", "first 3"]
    assert not TextCheck.objects.filter(turn_of__contains="192.0.2").exists()


@pytest.mark.usefixtures("checks_wait_for_classifiers")
def test_what_stalls_is_begun_anew_for_an_hour(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checks, "MAX_LENGTH_AT_ONCE", 10)
    path = f"/kb/checks/{check(text=BRIEF).json()['id']}"
    killed = {"status": "running", "progress_at": timezone.now() - timedelta(minutes=6)}
    TextCheck.objects.update(**killed)
    tasks.tidy_checks()
    assert APIClient().get(path).json()["status"] == "running"
    tasks.run_checks()
    assert APIClient().get(path).json()["status"] == "done"
    TextCheck.objects.update(**killed, at=timezone.now() - timedelta(minutes=61), report=None)
    tasks.tidy_checks()
    failed = APIClient().get(path).json()
    assert (failed["status"], failed["error"][:31]) == ("failed", "The program that checked this t")


def test_a_check_that_fails_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    sent = SimpleUploadedFile("brief.pdf", b"%PDF-1.7\nnothing\n%%EOF", content_type="application/pdf")
    refused = check(file=sent)
    assert (refused.status_code, refused.json()["code"]) == (400, "invalid")
    assert "damaged" in refused.json()["detail"]
    assert not TextCheck.objects.exists()
    monkeypatch.setattr(checks, "MAX_AT_ONCE_BYTES", 1)
    sent.seek(0)
    path = f"/kb/checks/{check(file=sent).json()['id']}"
    assert APIClient().get(path).json()["status"] == "failed"


@pytest.mark.usefixtures("checks_wait_for_classifiers")
def test_a_broken_disk_fails_a_check_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checks, "MAX_AT_ONCE_BYTES", 1)
    sent = SimpleUploadedFile("brief.txt", BRIEF.encode(), content_type="text/plain")
    path = f"/kb/checks/{check(file=sent).json()['id']}"
    monkeypatch.setattr(tempfile, "tempdir", "/nowhere")
    tasks.run_checks()
    failed = APIClient().get(path).json()
    assert (failed["status"], failed["error"]) == ("failed", "The check failed. The log of the service says why.")


@pytest.mark.usefixtures("checks_wait_for_classifiers")
def test_so_many_may_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checks, "MAX_LENGTH_AT_ONCE", 10)
    monkeypatch.setattr(checks, "MAX_WAITING", 1)
    assert check(text=BRIEF).status_code == 202
    refused = check(text=BRIEF)
    assert (refused.status_code, refused.json()["code"]) == (503, "unavailable")
    assert refused["Retry-After"]
    assert TextCheck.objects.count() == 1


def test_nothing_is_kept_without_days(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.KB_CHECK_DAYS = 0
    assert check(text=BRIEF).json()["id"] is None
    monkeypatch.setattr(checks, "check_turn", partial(check_turn, within_s=0))
    with check_turn(within_s=0):
        refused = check(text=BRIEF)
    assert (refused.status_code, refused["Retry-After"]) == (503, "5")
    assert not TextCheck.objects.exists()


def test_what_is_old_is_deleted(settings: Any) -> None:
    answer = check(text=BRIEF).json()
    TextCheck.objects.update(at=timezone.now() - timedelta(days=settings.KB_CHECK_DAYS, minutes=1))
    assert tasks.tidy_checks() == 1
    assert APIClient().get(f"/kb/checks/{answer['id']}").status_code == 404


def test_a_pinned_key_sees_its_topic_alone(law: Source) -> None:
    elsewhere = issue_key(name="elsewhere", topic=make_topic(slug="elsewhere"), by="dana")[1]
    assert check(text=BRIEF, topic_id=first_topic().pk, key=elsewhere).status_code == 403
    mine = check(text=BRIEF, key=elsewhere).json()
    assert mine["counts"]["citations"] == {"no_such_document_here": 2}
    assert mine["counts"]["quotations"] == {"not_checked": 1}
    assert APIClient().get(f"/kb/checks/{mine['id']}").status_code == 404


def test_what_is_asked_wrongly_is_refused() -> None:
    assert check().json()["code"] == "invalid"
    assert check(text=BRIEF, day="2020-01-01").json()["code"] == "unknown_parameter"
    assert check(text=BRIEF, topic_id=999_999).json()["code"] == "unknown_topic"
    broken = SimpleUploadedFile("brief.pdf", b"\x7fELF\0\0", content_type="application/pdf")
    assert check(file=broken).status_code == 415


@pytest.mark.deep
@pytest.mark.usefixtures("checks_wait_for_classifiers")
@pytest.mark.django_db(transaction=True)
def test_a_classifier_does_what_is_waited_for(
    start_classifier: Callable[..., Popen[bytes]], monkeypatch: pytest.MonkeyPatch
) -> None:
    classifier = start_classifier(KB_WORKER_NICE="7")
    answer = check(text=BRIEF)
    assert (answer.status_code, answer.json()["counts"]["quotations"]) == (200, {"differs": 1})
    if (shared := Path(f"/proc/{classifier.pid}/autogroup")).exists():
        assert shared.read_text().split()[-1] == "7", "searches go first"
    classifier.kill()
    classifier.wait()
    monkeypatch.setattr(tasks, "WAITED_FOR_S", 0.2)
    answer = check(text=BRIEF)
    assert (answer.status_code, answer.json()["status"]) == (202, "queued")
    path = f"/kb/checks/{answer.json()['id']}"
    start_classifier()
    wait_until(lambda: APIClient().get(path).status_code == 200)
