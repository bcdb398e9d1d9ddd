"""`/healthz` is up with the process; `/readyz` names each part that is missing, and never hangs on one."""

import threading
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import IO, Any

import pytest
import redis
from django.conf import settings as django_settings
from django.core.files.base import ContentFile
from django.core.files.storage import FileSystemStorage, default_storage
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client
from django.utils import timezone

from kb_project.celery import HEARTBEAT_KEY
from kb_project.operations import readiness
from kb_project.operations.integrity.run import CheckOutcome, record
from tests.factories import first_topic
from topics.keys import issue_key

pytestmark = [pytest.mark.urls("tests.kb_project.api.probes"), pytest.mark.django_db(transaction=True)]
DEAD_REDIS = "redis://127.0.0.1:1/0"


@pytest.fixture(autouse=True)
def no_workers() -> None:
    """The keys of workers that earlier tests killed stay until they expire."""
    broker = redis.Redis.from_url(django_settings.CELERY_BROKER_URL)
    for key in broker.scan_iter(f"{HEARTBEAT_KEY}*"):
        broker.delete(key)


@pytest.fixture(autouse=True)
def nothing_looked_at() -> None:
    """What an earlier test has seen of the storage holds for some seconds."""
    readiness.register("storage", readiness.check_storage, timeout_s=5.0, rest_s=readiness.STORAGE_EVERY_S)


@pytest.fixture
def heartbeat(no_workers: None) -> Iterator[None]:
    """A worker that has just reported."""
    broker = redis.Redis.from_url(django_settings.CELERY_BROKER_URL)
    broker.set(f"{HEARTBEAT_KEY}here", "celery", ex=30)
    yield
    broker.delete(f"{HEARTBEAT_KEY}here")


@pytest.fixture
def own_checks() -> Iterator[None]:
    """What a test registers is gone after it."""
    before = readiness.checks()
    yield
    readiness._checks[:] = before


def failing(client: Client) -> dict[str, str]:
    response = client.get("/readyz")
    assert response.status_code == 503
    assert response["Content-Type"] == "application/problem+json"
    problem = response.json()
    assert problem["code"] == "unavailable"
    assert all(f"{name}: " in problem["detail"] for name in problem["checks"])
    checks: dict[str, str] = problem["checks"]
    return checks


MEANING = {"passages": 0, "vectors": 0, "seconds_left": None, "by_words": "KB_EMBEDDER names no model of meanings."}


def test_the_process_is_up_whatever_else_is_down(client: Client, settings: Any) -> None:
    settings.CELERY_BROKER_URL = DEAD_REDIS
    response = client.get("/healthz")
    assert (response.status_code, response.json()) == (200, {"status": "ok"})


@pytest.mark.usefixtures("heartbeat")
def test_ready_when_everything_is_there(client: Client) -> None:
    response = client.get("/readyz")
    assert (response.status_code, response.json()) == (200, {"status": "ready", "integrity": None, "meaning": MEANING})


@pytest.mark.usefixtures("heartbeat")
def test_counts_of_all_topics_are_for_who_may_read_the_metrics(client: Client) -> None:
    hidden = {**MEANING, "passages": None, "vectors": None}

    def told(**headers: str) -> Any:
        return client.get("/readyz", REMOTE_ADDR="203.0.113.9", headers=headers).json()["meaning"]

    assert told() == hidden
    assert told(authorization="Api-Key no-key") == hidden
    for options, expected in (
        ({"admin": True}, MEANING),
        ({}, hidden),
        ({"admin": True, "topic": first_topic()}, hidden),
    ):
        _key, plaintext = issue_key(name="probe", by="tests", **options)
        assert told(authorization=f"Api-Key {plaintext}") == expected


@pytest.mark.usefixtures("heartbeat")
def test_the_last_integrity_run_never_keeps_the_service_unready(client: Client) -> None:
    outcomes = [CheckOutcome(name="a", found=5, remaining=3), CheckOutcome(name="b", error="RuntimeError: b")]
    kept = record(outcomes, started_at=timezone.now(), by="beat")
    response = client.get("/readyz")
    assert response.status_code == 200
    told = response.json()["integrity"]
    assert datetime.fromisoformat(told.pop("checked_at")) == kept.finished_at
    assert told == {"findings": 3, "failed": 1}


@pytest.mark.usefixtures("heartbeat")
def test_an_unreadable_integrity_run_keeps_readiness_on(client: Client) -> None:
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE kb_integrity_run RENAME TO kb_integrity_run_away")
    try:
        response = client.get("/readyz")
    finally:
        with connection.cursor() as cursor:
            cursor.execute("ALTER TABLE kb_integrity_run_away RENAME TO kb_integrity_run")
    assert (response.status_code, response.json()) == (200, {"status": "ready", "integrity": None, "meaning": MEANING})


@pytest.mark.usefixtures("heartbeat")
def test_no_file_of_the_storage_check_stays(client: Client) -> None:
    client.get("/readyz")
    assert default_storage.listdir("health") == ([], [])


def test_storage_is_tried_once_in_while_however_often_one_asks(
    client: Client, own_checks: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks: list[bool] = []
    now = 1_000.0
    readiness.register("storage", lambda: looks.append(True), rest_s=readiness.STORAGE_EVERY_S)
    monkeypatch.setattr(readiness.time, "monotonic", lambda: now)
    for _ in range(5):
        client.get("/readyz")
    now += readiness.STORAGE_EVERY_S - 0.1
    client.get("/readyz")
    assert len(looks) == 1
    now += 0.2
    client.get("/readyz")
    assert len(looks) == 2


def test_what_the_storage_check_said_holds_as_long(client: Client, own_checks: None) -> None:
    def look() -> None:
        raise readiness.NotReady("Full.")

    readiness.register("storage", look, rest_s=60)
    assert failing(client)["storage"] == failing(client)["storage"] == "Full."


def test_a_missing_worker_is_named(client: Client) -> None:
    assert list(failing(client)) == ["worker"]


def test_a_classifier_alone_is_not_the_worker_that_is_needed(client: Client, settings: Any) -> None:
    with redis.Redis.from_url(django_settings.CELERY_BROKER_URL) as broker:
        broker.set(f"{HEARTBEAT_KEY}classifier@here", settings.KB_CLASSIFY_QUEUE, ex=30)
        try:
            assert list(failing(client)) == ["worker"]
        finally:
            broker.delete(f"{HEARTBEAT_KEY}classifier@here")


def test_a_missing_broker_is_named(client: Client, settings: Any) -> None:
    settings.CELERY_BROKER_URL = DEAD_REDIS
    assert set(failing(client)) == {"broker", "worker"}


@pytest.mark.usefixtures("heartbeat")
def test_a_storage_that_cannot_be_written_is_named(client: Client, settings: Any, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    backend = {
        "BACKEND": "django.core.files.storage.FileSystemStorage",
        "OPTIONS": {"location": tmp_path / "file" / "below"},
    }
    settings.STORAGES = {**settings.STORAGES, "default": backend}
    assert list(failing(client)) == ["storage"]


class Framing(FileSystemStorage):
    """Keeps the frame in which a file was sent, as some servers of S3 have done."""

    def save(self, name: str | None, content: IO[Any], max_length: int | None = None) -> str:
        sent: bytes = content.read()
        return super().save(name, ContentFile(b"%x\r\n%b\r\n0\r\n\r\n" % (len(sent), sent)), max_length)


@pytest.mark.usefixtures("heartbeat")
def test_a_storage_that_keeps_something_else_is_named(client: Client, settings: Any, tmp_path: Path) -> None:
    backend = {"BACKEND": f"{__name__}.Framing", "OPTIONS": {"location": tmp_path}}
    settings.STORAGES = {**settings.STORAGES, "default": backend}
    assert failing(client) == {"storage": "A file that was written reads differently."}


@pytest.mark.usefixtures("heartbeat")
def test_a_migration_that_was_not_applied_is_named(client: Client) -> None:
    row = MigrationRecorder.Migration.objects.get(app="topics", name="008_keys_and_former_slugs")
    row.delete()
    try:
        assert "topics.008_keys_and_former_slugs" in failing(client)["database"]
    finally:
        MigrationRecorder.Migration.objects.create(app=row.app, name=row.name)


@pytest.mark.usefixtures("heartbeat", "own_checks")
def test_an_app_can_add_a_check_once(client: Client) -> None:
    def look() -> None:
        raise readiness.NotReady("The moon is not full.")

    readiness.register("moon", look)
    readiness.register("moon", look)
    assert failing(client) == {"moon": "The moon is not full."}
    assert [check.name for check in readiness.checks()].count("moon") == 1


@pytest.mark.usefixtures("heartbeat", "own_checks")
def test_the_cause_of_a_failure_is_logged_not_told(client: Client) -> None:
    def look() -> None:
        raise RuntimeError("password=secret")

    readiness.register("leaky", look)
    assert "secret" not in failing(client)["leaky"]


@pytest.mark.usefixtures("heartbeat", "own_checks")
def test_a_part_that_hangs_is_named_and_holds_one_thread(client: Client) -> None:
    release = threading.Event()
    looks = []

    def look() -> None:
        looks.append(threading.current_thread())
        release.wait(60)

    readiness.register("slow", look, timeout_s=0.05)
    try:
        assert "0.05 seconds" in failing(client)["slow"]
        assert list(failing(client)) == ["slow"]
        assert len(looks) == 1
    finally:
        release.set()
        looks[0].join()
    assert client.get("/readyz").status_code == 200


@pytest.mark.parametrize("path", ["/healthz", "/readyz"])
def test_the_probes_are_open_and_read_only(client: Client, settings: Any, path: str) -> None:
    settings.KB_PUBLIC_REQUIRES_KEY = True
    assert client.get(path, headers={"authorization": "Api-Key false"}).status_code in (200, 503)
    assert client.post(path).status_code == 405
    assert client.get(f"{path}?nope=1").json()["code"] == "unknown_parameter"
