"""No process starts with a mistake in the environment; a warning stops nothing."""

import os
import subprocess
import sys
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import pytest
from django.core.checks import Warning, register, registry
from django.core.exceptions import ImproperlyConfigured

from kb_project.configuration import startup
from kb_project.configuration.startup import run_startup_checks
from kb_project.processes.beginning import COLLECTED_AFTER
from kb_project.web.asgi_handler import get_application
from tests.servers import PROJECT


@pytest.fixture
def warned() -> Iterator[None]:
    """A check that finds something to warn of."""

    def warn(app_configs: Any, **kwargs: Any) -> list[Warning]:
        return [Warning("Might be better.", id="kb.W999")]

    register(warn)
    yield
    registry.registry.registered_checks.discard(warn)


def test_settings_without_a_mistake_are_taken(warned: None) -> None:
    run_startup_checks()


def test_every_mistake_has_a_line_and_warnings_have_none(settings: Any, warned: None) -> None:
    settings.KB_STORAGE = "ftp"
    settings.KB_LOGIN_FAILURES = {**settings.KB_LOGIN_FAILURES, "account_and_address": "often"}
    with pytest.raises(ImproperlyConfigured) as refused:
        run_startup_checks()
    assert sorted(str(refused.value).splitlines()) == [
        "KB_LOGIN_FAILURES_PAIR is 'often'; it must be a rate such as 10/h. (kb.E022)",
        "KB_STORAGE is 'ftp'; it can be filesystem or s3. (kb.E001)",
    ]


def test_a_variable_that_nothing_reads_is_named_and_stops_nothing(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("KB_ANSWERS_TIMEOUT_S", "secret")
    run_startup_checks()
    [line] = [record.getMessage() for record in caplog.records if record.name == startup.__name__]
    assert "KB_ANSWERS_TIMEOUT_S (is KB_ANSWER_TIMEOUT_S meant?)" in line
    assert "secret" not in line


def test_the_web_process_does_not_start_with_one(settings: Any) -> None:
    settings.ANTHROPIC_BASE_URL = "http://169.254.169.254"
    with pytest.raises(ImproperlyConfigured, match="ANTHROPIC_BASE_URL leads to a link-local address"):
        get_application()


def test_addresses_are_looked_at_by_who_serves_them(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = ModuleType("wrong_addresses")
    vars(wrong).update(urlpatterns=[], handler404=lambda: None)
    monkeypatch.setitem(sys.modules, wrong.__name__, wrong)
    settings.ROOT_URLCONF = wrong.__name__
    run_startup_checks()
    with pytest.raises(ImproperlyConfigured, match=r"urls\.E007"):
        get_application()


def test_what_does_not_serve_imports_no_view() -> None:
    code = (
        "import django, sys; django.setup();"
        "from kb_project.configuration.startup import run_startup_checks; run_startup_checks();"
        "sys.exit('kb_project.urls' in sys.modules)"
    )
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "kb_project.settings"}
    assert subprocess.run([sys.executable, "-c", code], cwd=PROJECT, env=environment, timeout=60).returncode == 0


def test_command_imports_little_before_it_does_anything() -> None:
    """Each of these takes from a tenth of a second to a whole one of a processor."""
    slow = {"celery", "kb_project.urls", "law.languages", "numpy", "pydantic", "redis", "rest_framework.views"}
    code = "import manage, sys; sys.argv = ['manage.py', 'help']; manage.main()"
    imported = printed(f"{code}; print(*sys.modules)", "-c")
    assert "kb_project.settings" in imported
    assert slow.isdisjoint(imported)


STORED = "from django.core.files.storage import default_storage; default_storage.exists('x')"
PROGRAMS = {
    "up": "from django.core.management import load_command_class; load_command_class('kb_project', 'up');"
    "from django.conf import settings; settings.KB_PORT",
    "worker": "import kb_project.celery, django; django.setup();"
    f"from kb_project.operations.worker_process import load_all; load_all(); {STORED}",
    "web": f"import kb_project.asgi; {STORED}",
}
HEAVY = {"anthropic", "authlib.integrations.httpx_client", "boto3", "docx", "fontTools", "mcp", "prompt_toolkit"}
HEAVY_IN = {
    "up": {"celery", "django.db.models", "law.languages", "numpy", "pydantic"},
    "worker": {"authlib", "drf_spectacular.openapi", "jinja2", "lxml", "requests", "rest_framework.views"},
}


@pytest.mark.parametrize("program", PROGRAMS)
def test_program_at_rest_has_imported_what_it_uses_alone(program: str) -> None:
    """Each of these takes from one to forty megabytes of every process."""
    imported = printed(f"{PROGRAMS[program]}; import sys; print(*sys.modules)", "-c")
    assert "kb_project.settings" in imported
    assert (HEAVY | HEAVY_IN.get(program, set())).intersection(imported) == set()


def test_workers_share_what_each_of_them_needs() -> None:
    """What a forked process imports itself, it has in memory of its own."""
    imported = printed(f"{PROGRAMS['worker']}; import sys; print(*sys.modules)", "-c")
    needed = {"celery.worker.consumer", "httpcore2", "kombu.transport.redis", "search.index.postgres.engine"}
    assert needed.issubset(imported)


def test_command_of_ours_looks_at_the_settings_alone() -> None:
    run = subprocess.run(
        [sys.executable, "manage.py", "list_api_keys"],
        cwd=PROJECT,
        env={**os.environ, "KB_STORAGE": "ftp"},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert run.returncode == 1
    assert "KB_STORAGE is 'ftp'; it can be filesystem or s3." in run.stderr


def printed(code: str, *options: str) -> list[str]:
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "kb_project.settings"}
    run = subprocess.run(
        [sys.executable, *options, code], cwd=PROJECT, env=environment, capture_output=True, text=True, timeout=60
    )
    return run.stdout.split()


LEFT = "import atexit, gc, sys; atexit.register(lambda: print(gc.get_freeze_count(), gc.get_threshold()[0]));"


def test_to_import_the_package_changes_nothing_in_the_process() -> None:
    frozen, threshold = printed(f"{LEFT} import kb_project, kb_project.settings, law, extraction", "-c")
    assert frozen == "0"
    assert [threshold] == printed("import gc; print(gc.get_threshold()[0])", "-c")
    assert printed("import sys, kb_project; print(sys.modules.get('opentelemetry.sdk.metrics', 0))", "-c") == ["0"]


def test_nothing_is_looked_through_when_process_of_service_ends() -> None:
    begin = "from kb_project.processes.beginning import begin; begin()"
    frozen, threshold = printed(f"{LEFT} {begin}", "-c")
    assert int(frozen) > 1000
    assert int(threshold) == COLLECTED_AFTER


def test_commands_and_workers_begin_so() -> None:
    assert printed(LEFT, "manage.py", "shell", "--verbosity", "0", "-c")[-1] == str(COLLECTED_AFTER)
    assert printed(f"{LEFT} import kb_project.celery", "-c")[-1] == str(COLLECTED_AFTER)


def test_a_real_worker_ends_with_the_sentence() -> None:
    run = subprocess.run(
        [sys.executable, "-m", "celery", "-A", "kb_project", "worker", "--pool", "solo"],
        cwd=PROJECT,
        env={**os.environ, "DJANGO_SETTINGS_MODULE": "kb_project.settings", "KB_LOGIN_FAILURES_ACCOUNT": ""},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert run.returncode == 1
    assert run.stderr.splitlines()[-1].startswith("KB_LOGIN_FAILURES_ACCOUNT is ''")
