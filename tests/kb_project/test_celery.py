"""A worker: what it begins with, and its connection to the database."""

from typing import Any

import psycopg
import pytest
from celery.fixups.django import DjangoWorkerFixup
from django.db import connection

from kb_project.celery import app, begin_with_sound_settings, look_after_connections


def backend() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        return int(cursor.fetchone()[0])


def test_worker_does_not_start_with_mistake_in_the_environment(settings: Any) -> None:
    settings.KB_EMBEDDING_BASE_URL = "http://169.254.169.254/v1"
    with pytest.raises(SystemExit, match="KB_EMBEDDING_BASE_URL leads to a link-local address"):
        begin_with_sound_settings()


@pytest.mark.django_db(transaction=True)
def test_the_connection_is_kept_from_task_to_task() -> None:
    before = backend()
    connection.close_at = None  # the tests' settings let none grow old
    fixup = DjangoWorkerFixup(app)
    for _ in range(3):
        fixup.close_database()  # what Celery does before and after each task
        look_after_connections()
    assert backend() == before


@pytest.mark.django_db(transaction=True)
def test_task_after_restart_of_database_has_a_new_connection() -> None:
    before = backend()
    with psycopg.connect(**{**connection.get_connection_params(), "cursor_factory": None}, autocommit=True) as other:
        other.execute("SELECT pg_terminate_backend(%s, 5000)", [before])
    look_after_connections()
    assert backend() != before
