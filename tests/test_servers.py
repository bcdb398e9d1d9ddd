"""The test run's own servers and fixtures do what tests rely on."""

import json
import os
import subprocess
import sys
import urllib.request
from pathlib import Path
from subprocess import Popen
from typing import Any

import pytest
from django.conf import settings
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage

from kb_project.celery import app
from tests.servers import PROJECT, subprocess_environment
from topics.models import INITIAL_TOPIC_ID, Topic


def test_nothing_of_the_developer_s_environment_is_used() -> None:
    assert settings.ANTHROPIC_API_KEY == ""
    assert settings.SECRET_KEY == "only-for-tests"
    assert Path(settings.DATA_DIR).name != "var"


@pytest.mark.parametrize("time", ["first", "second"])
@pytest.mark.django_db(transaction=True)
def test_seeded_rows_are_back_in_every_test_with_real_transactions(time: str) -> None:
    assert Topic.objects.filter(pk=INITIAL_TOPIC_ID).exists()


@pytest.mark.django_db(transaction=True)
def test_commands_in_another_process_work_on_test_s_database() -> None:
    Topic.objects.create(name="Only in this test", slug="only-in-this-test")
    script = "from topics.models import Topic; print(list(Topic.objects.values_list('slug', flat=True)))"
    command = [sys.executable, "manage.py", "shell", "--verbosity", "0", "--command", script]
    done = subprocess.run(
        command, cwd=PROJECT, env=subprocess_environment(), capture_output=True, text=True, check=True
    )
    assert "only-in-this-test" in done.stdout


def test_asgi_server_serves_the_test_s_database(asgi_server: str) -> None:
    Topic.objects.create(name="Only in this test", slug="only-in-this-test")
    with urllib.request.urlopen(f"{asgi_server}/kb/topics", timeout=60) as answer:
        assert "only-in-this-test" in [topic["slug"] for topic in json.load(answer)["results"]]


def test_worker_takes_tasks(worker: Popen[bytes]) -> None:
    assert worker.poll() is None
    [answer] = app.control.broadcast("ping", reply=True, limit=1, timeout=60)
    assert list(answer.values()) == [{"ok": "pong"}]


def test_documents_are_kept_on_s3(s3_storage: Any) -> None:
    key = default_storage.save("inbox/מסמך.txt", ContentFile("שלום".encode()))
    stored = s3_storage.get_object(Bucket="kb-tests", Key=key)["Body"].read()
    assert stored.decode() == "שלום"


def test_processes_of_one_run_share_its_servers() -> None:
    assert os.environ["DATABASE_URL"]
    assert os.environ["REDIS_URL"] == settings.REDIS_URL
