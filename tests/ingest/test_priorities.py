"""Housekeeping does not wait behind documents."""

import re
from collections.abc import Callable
from pathlib import Path
from subprocess import Popen
from typing import Any

import pytest
from django.conf import settings

from ingest.jobs import dispatch
from ingest.models import Job
from kb_project.celery import app
from tests.waiting import wait_until


@pytest.mark.django_db(transaction=True)
def test_sweep_that_is_sent_after_many_documents_is_done_first(
    start_worker: Callable[..., Popen[bytes]], tmp_path: Path
) -> None:
    for _ in range(20):
        dispatch.send(Job(confirmed={}))
    options: Any = settings.CELERY_BEAT_SCHEDULE["sweep"]["options"]
    app.send_task("ingest.tasks.sweep", **options)
    start_worker()
    log = tmp_path / "worker1.log"

    def received() -> list[str]:
        return re.findall(r"Task (ingest\.tasks\.\w+)\[.*received", log.read_text())

    wait_until(lambda: len(received()) >= 21)
    assert received()[0] == "ingest.tasks.sweep"
