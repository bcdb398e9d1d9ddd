"""The service as a database role that may read and write rows and nothing else, beside an owner who migrates."""

import os
import signal
import subprocess
import sys
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import psycopg
import pytest
import requests
from psycopg import sql

from kb_project.operations.local_stack.machine import free_port
from kb_project.operations.local_stack.supervisor import Program, Supervisor
from tests import servers
from tests.factories import LAW
from tests.waiting import wait_until

pytestmark = pytest.mark.deep

KEY = f"{uuid.uuid4().hex[:8]}.{uuid.uuid4().hex}"
HEADERS = {"Authorization": f"Api-Key {KEY}"}
FORBIDDEN = (
    "CREATE TABLE more (id int)",
    "ALTER TABLE kb_source ADD COLUMN more int",
    "DROP TABLE kb_chunk",
    "TRUNCATE kb_chunk",
    "DROP TRIGGER kb_audit_final ON kb_audit",
    "CREATE INDEX more ON kb_chunk (id)",
    "CREATE SCHEMA more",
    "CREATE ROLE more",
    "COPY kb_source TO PROGRAM 'true'",
    "SELECT pg_read_file('/etc/passwd')",
)


class Installation:
    """A database of its own with an owner, who migrated it, and the role that the service runs as."""

    def __init__(self, directory: Path) -> None:
        tail = uuid.uuid4().hex[:8]
        self.name, self.role, self.password = f"kb_role_{tail}", f"kb_app_{tail}", uuid.uuid4().hex
        self.owner_url = urlunsplit(urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{self.name}"))
        parts = urlsplit(self.owner_url)
        self.app_url = urlunsplit(
            parts._replace(netloc=f"{self.role}:{self.password}@{parts.netloc.rpartition('@')[2]}")
        )
        self.directory = directory
        redis = urlsplit(os.environ["REDIS_URL"])
        self.environment = {
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "kb_project.settings",
            "KB_DATA_DIR": str(directory / "data"),
            "REDIS_URL": urlunsplit(redis._replace(path="/15")),
            "KB_APP_ROLE": self.role,
            "KB_BOOTSTRAP_API_KEY": KEY,
            "DATABASE_URL": self.app_url,
        }

    def manage(self, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "manage.py", *arguments],
            cwd=servers.PROJECT,
            env={**self.environment, **environment},
            capture_output=True,
            text=True,
            timeout=120,
        )


@pytest.fixture(scope="module")
def installation(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    made = Installation(tmp_path_factory.mktemp("role"))
    superuser = os.environ["DATABASE_URL"]
    role = sql.Identifier(made.role)
    with psycopg.connect(superuser, autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(made.name)))
        connection.execute(sql.SQL("CREATE ROLE {} LOGIN PASSWORD {}").format(role, sql.Literal(made.password)))
    migrated = made.manage("migrate", "--no-input", DATABASE_URL=made.owner_url)
    assert migrated.returncode == 0, migrated.stderr
    yield made
    with psycopg.connect(superuser, autocommit=True) as connection:
        connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(made.name)))
        connection.execute(sql.SQL("DROP ROLE {}").format(role))


@pytest.fixture(scope="module")
def service(installation: Installation, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A web process and a worker, both as the role; yields the URL."""
    prepared = installation.manage("prepare")
    assert prepared.returncode == 0, prepared.stderr
    supervisor, directory = Supervisor(), tmp_path_factory.mktemp("service")
    port = free_port()
    try:
        command = [sys.executable, "-m", "uvicorn", "kb_project.asgi:application", "--port", str(port)]
        web = Program(
            name="web",
            command=command,
            log=directory / "web.log",
            env=installation.environment,
            cwd=servers.PROJECT,
            stop_signal=signal.SIGKILL,
        )
        supervisor.start(web)
        wanted = ("KB_DATA_DIR", "REDIS_URL", "DATABASE_URL")
        environment = {name: installation.environment[name] for name in wanted}
        servers.start_worker(supervisor, log=directory / "worker.log", concurrency=1, **environment)
        servers.start_classifier(supervisor, log=directory / "classifier.log", **environment)
        url = f"http://127.0.0.1:{port}"
        wait_until(lambda: answers(url))
        yield url
    finally:
        supervisor.stop()


def answers(url: str) -> bool:
    try:
        return requests.get(f"{url}/healthz", timeout=60).ok
    except requests.ConnectionError:
        return False


@pytest.mark.parametrize("statement", FORBIDDEN)
def test_the_role_makes_and_drops_nothing(installation: Installation, statement: str) -> None:
    with psycopg.connect(installation.app_url) as connection, pytest.raises(psycopg.errors.InsufficientPrivilege):
        connection.execute(statement.encode())


def test_the_role_cannot_rewrite_the_audit(installation: Installation, service: str) -> None:
    with psycopg.connect(installation.app_url) as connection, pytest.raises(psycopg.errors.RaiseException):
        connection.execute("DELETE FROM kb_audit")


def test_the_main_journey_works_as_that_role(installation: Installation, service: str) -> None:
    def call(method: str, path: str, **given: Any) -> Any:
        answer = requests.request(method, service + path, headers=HEADERS, timeout=60, **given)
        assert answer.status_code < 400, answer.text
        return answer.json() if answer.content else None

    def upload(name: str, text: str, **fields: Any) -> dict[str, Any]:
        made = call("POST", "/admin/kb/upload", data={"kind": "law", **fields}, files={"file": (name, text.encode())})
        return wait_until(lambda: done(made["job_id"]))

    def done(job_id: str) -> dict[str, Any] | None:
        job = call("GET", f"/admin/kb/jobs/{job_id}")
        return job if job["status"] in ("done", "failed") else None

    job = upload("law.txt", LAW, title="חוק הספריות", labels=["ספריות"])
    assert job["status"] == "done", job
    found = call("POST", "/kb/search", json={"query": "סעיף 2 לחוק הספריות", "topic_id": 1})["results"]
    assert found[0]["section"] == "2"
    assert (
        call("POST", "/kb/ask", json={"question": "כמה ספרים רשאי תושב לשאול?", "topic_id": 1})["status"] == "answered"
    )

    batch = call("POST", "/admin/kb/upload-batch", files=[("files", ("b.txt", LAW.replace("ספר", "גשר").encode()))])
    path = f"/admin/kb/batch/{batch['batch_id']}"
    waiting = wait_until(lambda: [one for one in call("GET", path)["jobs"] if one["status"] == "awaiting_review"])
    call("POST", f"/admin/kb/jobs/{waiting[0]['id']}/commit", json={"kind": "law", "title": "חוק הגשרים", "labels": []})
    assert wait_until(lambda: done(waiting[0]["id"]))["status"] == "done"

    topic = call("POST", "/admin/kb/topics", json={"name": "Second", "slug": "second"})
    call("PATCH", f"/admin/kb/topics/{topic['id']}", json={"slug": "renamed"})
    label = call("POST", "/admin/kb/labels", json={"name": "Libraries"})
    old = call("GET", "/admin/kb/labels", params={"q": "ספריות"})["results"][0]
    call("POST", f"/admin/kb/labels/{old['id']}/merge", json={"target_id": label["id"]})
    source = job["source_id"]
    call("PATCH", f"/admin/kb/sources/{source}", json={"title": "חוק הספריות הציבוריות"})
    call("POST", f"/admin/kb/sources/{source}/reindex")
    wait_until(
        lambda: (
            not [one for one in call("GET", "/admin/kb/jobs")["results"] if one["status"] in ("queued", "processing")]
        )
    )
    call("DELETE", f"/admin/kb/sources/{source}")
    assert requests.get(f"{service}/readyz", timeout=60).status_code == 200
    assert "kb_" in requests.get(f"{service}/metrics", headers=HEADERS, timeout=60).text


@pytest.fixture
def searchable(service: str) -> None:
    """Something is indexed in the first topic."""
    files = {"file": ("indexed.txt", f"{LAW}\n{uuid.uuid4().hex}".encode())}
    made = requests.post(
        f"{service}/admin/kb/upload", headers=HEADERS, data={"kind": "law"}, files=files, timeout=30
    ).json()
    url = f"{service}/admin/kb/jobs/{made['job_id']}"
    wait_until(lambda: requests.get(url, headers=HEADERS, timeout=60).json()["status"] == "done")


@pytest.mark.usefixtures("searchable")
def test_the_commands_of_every_day_work_as_that_role(installation: Installation) -> None:
    commands = [
        ["check_integrity"],
        ["scan_inbox"],
        ["create_api_key", "another"],
        ["list_api_keys"],
        ["reembed"],
        ["backup", str(installation.directory / "backup.tar")],
        ["migrate", "--check"],
    ]
    script = (
        "from django.core.management import call_command\n"
        f"for command in {commands!r}: print(command); call_command(*command)\n"
        "from search import tasks; tasks.maintain_index(); tasks.maintain_index_thoroughly()\n"
        "from answers.tasks import forget_old_traces; forget_old_traces()\n"
        "from ingest.tasks import sweep; sweep()\n"
        "print('all done')"
    )
    run = installation.manage("shell", "-c", script)
    assert run.returncode == 0, (run.stdout, run.stderr)
    assert run.stdout.endswith("all done\n"), run.stdout
