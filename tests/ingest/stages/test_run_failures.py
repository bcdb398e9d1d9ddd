"""What is away or breaks while a job is worked on: storage, database, a temporary file."""

import threading
from collections.abc import Callable, Iterator
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db import InterfaceError, connection
from django.utils import timezone

from ingest.job_states import DONE, EMBEDDING, FAILED
from ingest.jobs import claims
from ingest.stages.run import run_job
from sources.files import deletions, storage
from tests.factories import storages_away, upload_text

pytestmark = pytest.mark.django_db(transaction=True)


def test_job_waits_for_storage_that_is_away_with_growing_pause(settings: Any, tmp_path: Path) -> None:
    settings.KB_HINT_AGAIN_AFTER_S = 60.0
    job, here = upload_text(tmp_path), settings.STORAGES
    settings.STORAGES = storages_away(settings)
    pauses = []
    for _ in range(6):
        waiting = run_job(job.pk)
        assert waiting is not None
        assert (waiting.state, waiting.claim, waiting.error_code, waiting.attempts) == (EMBEDDING, "", "", 1)
        assert waiting.hinted_at is not None
        pauses.append(round((waiting.hinted_at - timezone.now()).total_seconds() / 10) * 10 + 60)
    assert pauses == [10, 20, 40, 60, 60, 60]
    told = [event.why for event in job.events.all() if event.from_state == event.to_state]
    assert told == [f"storage_error: The file store failed. Trying again in {pause} s." for pause in (10, 20, 40, 60)]
    settings.STORAGES = here
    done = run_job(job.pk)
    assert done is not None
    assert done.state == DONE


@pytest.fixture
def breaking_s3(settings: Any) -> Iterator[None]:
    """S3 that breaks off amid a file."""

    class Handler(BaseHTTPRequestHandler):
        def do_HEAD(self) -> None:
            self.send_response(200)
            self.send_header("Content-Length", "1000")
            self.send_header("ETag", '"1"')
            self.end_headers()

        def do_GET(self) -> None:
            self.do_HEAD()
            self.wfile.write(b"half of it")
            self.close_connection = True

        def log_message(self, *_: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        away = storages_away(settings)
        away["default"]["OPTIONS"]["endpoint_url"] = f"http://127.0.0.1:{server.server_port}"
        settings.STORAGES = away
        yield
        server.shutdown()


def test_a_job_waits_for_a_storage_that_breaks_off_amid_a_file(request: pytest.FixtureRequest, tmp_path: Path) -> None:
    job = upload_text(tmp_path)
    request.getfixturevalue("breaking_s3")
    waiting = run_job(job.pk)
    assert waiting is not None
    assert (waiting.state, waiting.claim, waiting.error_code) == (EMBEDDING, "", "")
    assert job.events.filter(why__startswith="storage_error: The file store failed. Trying again").exists()


def test_a_job_does_not_wait_for_a_storage_for_ever(settings: Any, tmp_path: Path) -> None:
    job = upload_text(tmp_path)
    settings.STORAGES = storages_away(settings)
    run_job(job.pk)
    job.events.update(at=timezone.now() - claims.MAX_WAIT - timedelta(minutes=1))
    failed = run_job(job.pk)
    assert failed is not None
    assert (failed.state, failed.error_code) == (FAILED, "storage_error")
    assert failed.file_key == job.file_key


def test_failure_that_may_pass_is_tried_again_soon_first_time(settings: Any, tmp_path: Path) -> None:
    job = upload_text(tmp_path)
    held = claims.claim(job.pk)
    assert held is not None
    claims.requeue_after_error(held)
    job.refresh_from_db()
    assert job.hinted_at is not None
    told_again_in = job.hinted_at + timedelta(seconds=settings.KB_HINT_AGAIN_AFTER_S) - timezone.now()
    assert timedelta(0) < told_again_in < timedelta(seconds=settings.KB_HINT_AGAIN_AFTER_S / 2)


def test_a_failed_temporary_file_is_no_missing_document(
    settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = upload_text(tmp_path)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "not there"))
    put_back = run_job(job.pk)
    assert put_back is not None
    assert (put_back.state, put_back.claim, put_back.error_code) == (EMBEDDING, "", "")


def at_first(sql: str, act: Callable[[], object]) -> Callable[..., Any]:
    """A wrapper of statements that acts before the first one that has these words in it."""
    done: list[object] = []

    def wrapper(execute: Callable[..., Any], statement: str, *rest: Any) -> Any:
        if sql in statement and not done:
            done.append(True)
            act()
        return execute(statement, *rest)

    return wrapper


def cut_off() -> None:
    """End this test's connection as a database does that is stopped."""
    pid = connection.connection.info.backend_pid
    with psycopg.connect(connection.connection.info.dsn, password=connection.settings_dict["PASSWORD"]) as other:
        other.execute("SELECT pg_terminate_backend(%s)", [pid])


def test_a_failure_is_recorded_though_the_database_goes_away_meanwhile(tmp_path: Path) -> None:
    job = upload_text(tmp_path)
    storage.delete(job.file_key)
    default_storage.save(job.file_key, ContentFile(b" "))
    with connection.execute_wrapper(at_first('INTO "kb_file_deletion"', cut_off)):  # that of the failed area
        failed = run_job(job.pk)
    assert failed is not None
    assert (failed.state, failed.error_code, failed.claim, failed.attempts) == (FAILED, "empty", "", 1)
    assert storage.exists(failed.file_key)


def test_a_connection_that_is_closed_puts_the_job_back(tmp_path: Path) -> None:
    def closed() -> None:
        raise InterfaceError("the connection is closed")

    job = upload_text(tmp_path)
    with connection.execute_wrapper(at_first('INTO "kb_source"', closed)):
        put_back = run_job(job.pk)
    assert put_back is not None
    assert (put_back.state, put_back.claim, put_back.error_code) == (EMBEDDING, "", "")
    with connection.execute_wrapper(at_first('UPDATE "kb_file_deletion"', closed)):
        deletions.release("failed/general/law/left to the sweeper.txt")
