"""The status page: what it tells, whom it tells it, and trying again what failed."""

import re
from collections.abc import Callable, Iterator
from html import unescape
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
import redis
from django.conf import settings as django_settings
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from answers.models import AnswerTrace
from ingest.job_states import EMBEDDING, FAILED
from ingest.models import Job, JobEvent
from ingest.stages.run import run_job
from kb_project.celery import HEARTBEAT_KEY
from kb_project.clients.redis_client import shared_memory
from kb_project.configuration.roles import REVIEWER
from kb_project.models import IntegrityRun
from law.citations.parsing import ParsedQuery
from search.embedders import why_by_words
from search.embedders.spaces import use_configured
from search.embedders.vector_progress import SPEED_KEY
from search.expansion.expand import expansion_of
from search.expansion.variants import ExpansionOutcome
from search.models import VectorWork
from tests.factories import make_job, make_staff, make_topic, upload_text
from tests.openai_server import REASONING, in_settings
from tests.search.corpus import add_source
from topics.models import TopicMember, TopicRole

pytestmark = pytest.mark.django_db


def page(client: Client, **options: Any) -> str:
    answer = client.get("/status/", **options)
    assert answer.status_code == 200
    return answer.content.decode()


def test_the_page_tells_of_queue_workers_failures_integrity_and_sizes(staff_client: Client) -> None:
    failed: dict[str, Any] = {"status": "failed", "error_code": "provider_error", "error_message": "Overloaded."}
    job = make_job(**failed, finished_at=timezone.now())
    JobEvent.objects.create(job=job, to_state="failed", by="worker", why="provider_error: Overloaded.")
    hung = {"status": "failed", "error": "It hung.", "retrieval_ms": 1, "took_ms": 2}
    AnswerTrace.objects.create(by="x", question="q", provider="anthropic", model="m", **hung)
    now = timezone.now()
    example = {"object": "source 5", "detail": "It is gone.", "values": {}}
    results = [{"name": "missing_files", "remaining": 2, "error": "", "examples": [example]}]
    IntegrityRun.objects.create(started_at=now, finished_at=now, by="beat", results=results)
    with redis.Redis.from_url(django_settings.CELERY_BROKER_URL) as broker:
        broker.set(f"{HEARTBEAT_KEY}celery@here", "celery", ex=30)
        try:
            text = page(staff_client)
        finally:
            broker.delete(f"{HEARTBEAT_KEY}celery@here")
    for told in ("celery@here", "Overloaded.", "It hung.", "2 findings", "It is gone."):
        assert told in text
    assert "/status/failed/?code=provider_error&amp;said=Overloaded." in text
    assert set(re.findall(r'href="(/admin/[^"]*)"', text)) <= {"/admin/"}  # the menu's own
    assert 'dir="rtl"' in page(staff_client, headers={"Accept-Language": "he"})


def test_models_are_shown_by_role_with_what_they_do_not_take(
    staff_client: Client, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    roles = {"KB_ANSWERER": "openai,extractive", "KB_EXPANDER": "openai"}
    with in_settings(settings, monkeypatch, REASONING, **roles) as server:
        server.will_say({"wordings": []})
        assert expansion_of(ParsedQuery(f"fees {uuid4()}"), topic=None).outcome is ExpansionOutcome.MADE
        text = page(staff_client)
    assert text.count("<bdi>a server of OpenAI&#x27;s API a-model</bdi>") == 2
    assert "does not take <bdi>max_tokens, temperature</bdi>" in text
    assert "<bdi>sentences of the documents</bdi>" in text


def test_what_a_person_discarded_is_no_failure_and_no_code_is_shown(staff_client: Client) -> None:
    for code in ("discarded", "source_deleted"):
        make_job(status="failed", error_code=code, error_message="The person's own doing.")
    text = page(staff_client)
    assert "No job has failed." in text
    assert "own doing" not in text
    counts = dict(re.findall(r'<th scope="row">([^<]+)</th><td><bdi>(\d+)</bdi>', text))
    assert (counts["Failed"], counts["Discarded"]) == ("0", "2")
    make_job(status="failed", error_code="extraction_timeout", error_message="Reading took too long.")
    job = make_job(status="awaiting_review", ai_suggestions={}, confirmed=None)
    for why in ("nothing_to_classify: The first pages have no text.", "classifier_away: It answered with HTTP 529."):
        JobEvent.objects.create(job=job, to_state="awaiting_review", by="worker", why=why)
    for language, sentence in (("en", "Reading took too long."), ("he", "קריאת הקובץ ארכה יותר מדי.")):
        shown = re.sub(r"<[^>]+>", " ", page(staff_client, headers={"Accept-Language": language}))
        assert sentence in shown
        assert "extraction_timeout" not in shown
        assert "HTTP 529" in shown
        assert "no text to classify" not in shown


def glance(client: Client, **options: Any) -> str:
    """The sentence under the heading, and what needs a person with what to do."""
    text = page(client, **options)
    said = re.search(r'<p class="lede">.*?</p>', text, re.DOTALL)
    listed = re.search(r'id="at-a-glance">.*?</ul>', text, re.DOTALL)
    parts = [found[0].partition(">")[2] for found in (said, listed) if found]
    return " ".join(re.sub(r"<[^>]+>", "", " ".join(parts)).split())


@pytest.fixture
def workers(db: None) -> Iterator[Callable[[str], None]]:
    """Reports a worker of the given queues."""
    with redis.Redis.from_url(django_settings.CELERY_BROKER_URL) as broker:
        yield lambda queues: broker.set(f"{HEARTBEAT_KEY}celery@glance", queues, ex=30)
        broker.delete(f"{HEARTBEAT_KEY}celery@glance")


def test_one_sentence_tells_whether_all_is_well_then_what_to_do(
    staff_client: Client, workers: Callable[[str], None]
) -> None:
    said = "1 thing needs you. Everything else works. No worker is alive. Jobs wait until you start one."
    assert glance(staff_client) == said
    workers("celery")
    assert "No worker is alive for: Classification." in glance(staff_client)
    queues = ("celery", django_settings.KB_CLASSIFY_QUEUE, django_settings.KB_WEBHOOK_QUEUE)
    workers(",".join([*queues, django_settings.KB_VECTOR_QUEUE, django_settings.KB_CHECK_QUEUE]))
    assert glance(staff_client) == "Everything works."
    now = timezone.now()
    for remaining, told in ((0, "Everything works."), (2, "The integrity checks found faults or broke off.")):
        results = [{"name": "missing_files", "remaining": remaining, "error": ""}]
        IntegrityRun.objects.create(started_at=now, finished_at=now, by="beat", results=results)
        assert told in glance(staff_client)
    make_job(status="failed", error_code="discarded")
    assert "failed" not in glance(staff_client)
    make_job(status="failed", error_code="empty")
    JobEvent.objects.create(job=make_job(), to_state="failed", by="worker", why="provider_error: Overloaded.")
    assert glance(staff_client).startswith("3 things need you.")
    assert "1 job failed. Read why, then retry or upload another copy." in glance(staff_client)
    assert "A provider failed during the last day." in glance(staff_client)
    assert "עבודה אחת נכשלה." in glance(staff_client, headers={"Accept-Language": "he"})


def test_each_failure_has_its_own_cause_and_its_jobs(staff_client: Client) -> None:
    batch_id = uuid4()
    causes = {"The name begins with lock.": "a.doc", "It was made by a word processor of 1989.": "b.doc"}
    jobs = [
        make_job(status="failed", error_code="unsupported_type", error_message=said, filename=name, batch_id=batch_id)
        for said, name in causes.items()
    ]
    make_job(status="failed", error_code="discarded", error_message="Not wanted.", filename="c.doc")
    for language in ("en", "he"):
        text = page(staff_client, headers={"Accept-Language": language})
        assert all(said in text for said in causes)
    links = [unescape(link) for link in re.findall(r'"(/status/failed/\?[^"]+)"', text)]
    assert len(links) == len(causes)
    shown = [staff_client.get(link).content.decode() for link in sorted(links)]
    assert ["a.doc" in one for one in shown] == [False, True]
    assert ["b.doc" in one for one in shown] == [True, False]
    assert f"/review/{batch_id}/{jobs[0].pk}/" in shown[1]
    everything = staff_client.get("/status/failed/").content.decode()
    assert [name in everything for name in ("a.doc", "b.doc", "c.doc")] == [True, True, False]
    assert staff_client.get("/status/failed/?code=%00x&page=x").status_code == 200


@pytest.mark.django_db(transaction=True)
def test_jobs_of_one_cause_are_tried_again_and_no_others(staff_client: Client) -> None:
    said = "It is damaged\non page 2."
    for message in (said, "It is damaged on page 3."):
        make_job(status="failed", error_code="corrupt", error_message=message, filename=f"{message[-2]}.pdf")
    sent = {"code": "corrupt", "said": said.replace("\n", "\r\n")}
    text = staff_client.post("/status/retry/", sent, follow=True).content.decode()
    warned = text.split('class="message warning"')[1].split("</")[0]
    assert "2.pdf" in warned  # its file is gone
    assert "3.pdf" not in text.split("at-a-glance")[0]


def test_an_empty_installation_says_so(staff_client: Client) -> None:
    text = page(staff_client)
    assert "No job has failed." in text
    assert "They have not run yet." in text


def test_a_broker_that_is_away_is_told_and_costs_nothing_else(staff_client: Client, settings: Any) -> None:
    settings.CELERY_BROKER_URL = "redis://127.0.0.1:1/0"
    assert "The broker does not answer" in page(staff_client)


@pytest.mark.parametrize(("role", "status"), [(REVIEWER, 403), (None, 403)])
def test_only_managers_see_it(client: Client, role: str | None, status: int) -> None:
    client.force_login(make_staff(role=role))
    assert client.get("/status/").status_code == status
    assert client.get("/status/failed/").status_code == status
    assert "/status/" not in client.get("/").content.decode()


def test_who_is_not_signed_in_is_asked_to(client: Client) -> None:
    assert client.get("/status/")["Location"].startswith("/sign-in/")


@pytest.mark.django_db(transaction=True)
def test_jobs_of_one_code_are_tried_again_and_no_others(staff_client: Client, tmp_path: Path) -> None:
    broken = upload_text(tmp_path, "<html><p> </p></html>", filename="empty.txt")
    run_job(broken.pk)
    other = make_job(status="failed", error_code="worker_lost")
    discarded = make_job(status="failed", error_code="discarded")
    answer = staff_client.post("/status/retry/", {"code": "empty"}, follow=True)
    assert "1 job: to be tried again." in answer.content.decode()
    assert Job.objects.get(pk=broken.pk).state == EMBEDDING
    staff_client.post("/status/retry/", {"code": "discarded"})
    assert {Job.objects.get(pk=job.pk).state for job in (other, discarded)} == {FAILED}


def test_a_job_whose_file_is_gone_is_left_out_with_its_reason(staff_client: Client) -> None:
    make_job(status="failed", error_code="worker_lost", filename="gone.txt")
    text = staff_client.post("/status/retry/", {"code": "worker_lost"}, follow=True).content.decode()
    assert "gone.txt" in text
    assert "upload the document again" in text


@pytest.mark.parametrize("code", ["", "x" * 41, "no_such_code"])
def test_a_code_that_is_none_changes_nothing(staff_client: Client, code: str) -> None:
    make_job(status="failed", error_code="worker_lost")
    assert staff_client.post("/status/retry/", {"code": code}, follow=True).status_code == 200
    assert Job.objects.get().state == FAILED


@pytest.mark.django_db(transaction=True)
def test_a_reviewer_of_a_topic_tries_its_jobs_again_and_is_told_of_no_others(client: Client, tmp_path: Path) -> None:
    topic = make_topic()
    person = User.objects.create_user("topic-reviewer", password="x")
    TopicMember.objects.create(topic=topic, person=person, role=TopicRole.REVIEWER)
    own = upload_text(tmp_path, "<html><p> </p></html>", filename="own.txt", topic=topic)
    run_job(own.pk)
    other = make_job(status="failed", error_code="empty", filename="hidden.txt")
    client.force_login(person)
    text = client.post("/status/retry/", {"code": "empty"}, follow=True).content.decode()
    assert "hidden.txt" not in text
    assert Job.objects.get(pk=own.pk).state == EMBEDDING
    assert Job.objects.get(pk=other.pk).state == FAILED


def test_a_reviewer_may_try_again_and_nobody_else_below(client: Client) -> None:
    client.force_login(make_staff(role=None))
    assert client.post("/status/retry/", {"code": "empty"}).status_code == 403


def test_the_page_says_how_far_the_meanings_are(staff_client: Client, settings: Any) -> None:
    text = staff_client.get("/status/").content.decode()
    assert "There is no embedding model" in text
    assert str(why_by_words()) in text
    settings.KB_EMBEDDER, settings.KB_EMBEDDING_MODEL, settings.KB_EMBEDDING_DIMENSION = "openai", "a-model", 8
    use_configured()
    add_source("a passage", "another")
    assert "openai a-model</bdi>: 0 of 2 pieces of text" in staff_client.get("/status/").content.decode()
    assert "0 of 2 pieces of text" in staff_client.get("/library/").content.decode()
    shared_memory().set(SPEED_KEY, 0.01, ex=60)
    try:
        assert "0 of 2 pieces of text, about 4 minutes" in staff_client.get("/status/").content.decode()
    finally:
        shared_memory().delete(SPEED_KEY)
    VectorWork.objects.all().delete()
    assert "openai a-model</bdi>: complete" in staff_client.get("/status/").content.decode()
    assert "of 2 pieces of text" not in staff_client.get("/library/").content.decode()
