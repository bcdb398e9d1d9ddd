"""`manage.py up`, as the person at the terminal meets it: first start, second start, Ctrl-C, and every refusal."""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import psutil
import psycopg
import pytest

from bench.drill.machine import small_disk
from kb_project.embedded.directory import DataDirectory
from kb_project.embedded.ports import free_port
from tests.waiting import wait_until

PROJECT = Path(__file__).resolve().parents[2]
DEMO_DOCUMENTS = 6
BOOTSTRAP_KEY = "bootstra." + "k" * 32


class Up:
    """One run of `manage.py up` on a data directory, with what it printed."""

    def __init__(self, data: Path, **environment: str) -> None:
        self.data = data
        self.output = ""
        self.environment = {
            **{name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "REDIS_URL")},
            "KB_DATA_DIR": str(data),
            "KB_WORKER_CONCURRENCY": "1",
            "KB_WEB_PROCESSES": "2",
            **environment,
        }
        self.url = f"http://127.0.0.1:{self.environment['KB_PORT']}"
        self.process = subprocess.Popen(
            [sys.executable, "manage.py", "up"],
            cwd=PROJECT,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )

    def until_ready(self) -> Up:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.output += line
            if line.startswith("ready "):
                return self
        pytest.fail(f"`up` ended with code {self.process.wait()}:\n{self.output}")

    def end(self, number: signal.Signals) -> int:
        """Send the signal and wait for the end; gives the exit code."""
        self.process.send_signal(number)
        rest, _ = self.process.communicate(timeout=60)
        self.output += rest
        return self.process.returncode

    def get(self, path: str) -> Any:
        with urllib.request.urlopen(self.url + path, timeout=10) as answer:
            return json.load(answer)

    def manage(self, *arguments: str) -> str:
        """Give a command in another terminal."""
        command = [sys.executable, "manage.py", *arguments]
        done = subprocess.run(command, cwd=PROJECT, env=self.environment, capture_output=True, text=True, check=True)
        return done.stdout.strip()


@pytest.fixture
def starts(tmp_path: Path) -> Iterator[list[Up]]:
    """Runs to be ended after the test, however it ended."""
    started: list[Up] = []
    yield started
    for run in started:
        if run.process.poll() is None:
            run.end(signal.SIGTERM)


def refused(data: Path, **environment: str) -> str:
    """What `up` says when it does not start."""
    run = Up(data, **environment)
    said, _ = run.process.communicate(timeout=60)
    assert run.process.returncode == 1
    return said.strip()


def runs(process: psutil.Process) -> bool:
    """Whether it still does: psutil's `is_running` says so of one that ended and that pid 1 has yet to collect."""
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def processes_of(data: Path) -> list[psutil.Process]:
    """Every process that works on the data directory, whoever started it."""
    found = []
    for process in filter(runs, psutil.process_iter()):
        with contextlib.suppress(psutil.Error):  # it ended while we looked
            if process.environ().get("KB_DATA_DIR") == str(data) or str(data) in " ".join(process.cmdline()):
                found.append(process)
    return found


def sign_in(run: Up, *, user: str, password: str) -> int:
    """Sign in to Django's admin as a browser does; gives the status of the page one lands on."""
    jar = CookieJar()
    browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(jar))
    page = browser.open(f"{run.url}/admin/login/", timeout=10).read().decode()
    token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page)
    assert token is not None
    form = {"csrfmiddlewaretoken": token[1], "username": user, "password": password, "next": "/admin/"}
    request = urllib.request.Request(
        f"{run.url}/admin/login/", urllib.parse.urlencode(form).encode(), {"Referer": f"{run.url}/admin/login/"}
    )
    answer = browser.open(request, timeout=10)
    return answer.status if any(cookie.name == "sessionid" for cookie in jar) else 403


def test_start_use_stop_and_start_again(tmp_path: Path, starts: list[Up]) -> None:
    data, port = tmp_path / "var", str(free_port())

    def start() -> Up:
        starts.append(Up(data, KB_PORT=port, KB_BOOTSTRAP_API_KEY=BOOTSTRAP_KEY))
        return starts[-1].until_ready()

    # The first start makes everything, and shows the password that it made up.
    first = start()
    shown = re.search(r"^admin user +admin, password (\w+) \(shown only now\)$", first.output, re.MULTILINE)
    assert shown is not None, first.output
    assert first.get("/healthz") == {"status": "ok"}
    assert first.get("/readyz") == {"status": "ready", "integrity": None}
    assert first.get("/kb/sources")["count"] == DEMO_DOCUMENTS
    assert sign_in(first, user="admin", password=shown[1]) == 200
    request = urllib.request.Request(
        f"{first.url}/admin/kb/jobs", headers={"Authorization": f"Api-Key {BOOTSTRAP_KEY}"}
    )
    with urllib.request.urlopen(request, timeout=10) as answer:
        assert json.load(answer)["count"] == DEMO_DOCUMENTS

    # Commands in another terminal work on the running servers, a second start does not happen.
    assert re.fullmatch(r"\w{8}\.\w{32}", first.manage("create_api_key", "scripts", "--admin"))
    assert f"already running at {first.url}" in refused(data, KB_PORT=str(free_port()))

    # A worker that is killed is replaced.
    log = data / "log" / "worker.log"
    [worker] = [
        process
        for process in psutil.Process(first.process.pid).children()
        if {"kb_project", "worker"} <= set(words := process.cmdline()) and "--pool" not in words
    ]
    worker.kill()
    wait_until(lambda: log.read_text(encoding="utf-8").count(" ready.") == 2, within_s=60)

    # Ctrl-C stops all of it.
    running = psutil.Process(first.process.pid).children(recursive=True)
    assert len(running) > 5
    assert first.end(signal.SIGINT) == 0
    assert first.output.rstrip().endswith("nothing is left running")
    assert [process for process in running if runs(process)] == []
    assert processes_of(data) == []
    assert not (data / "stack.json").exists()

    # The second start finds its data, and shows no password.
    second = start()
    assert "migrations      up to date" in second.output
    assert "admin, password set at first start" in second.output
    assert "demo documents" not in second.output
    assert second.get("/kb/sources")["count"] == DEMO_DOCUMENTS
    assert sign_in(second, user="admin", password=shown[1]) == 200

    # Killed, it takes everything with it, and a third start recovers.
    assert second.end(signal.SIGKILL) == -signal.SIGKILL
    wait_until(lambda: processes_of(data) == [])
    third = start()
    assert third.get("/kb/sources")["count"] == DEMO_DOCUMENTS
    assert third.end(signal.SIGTERM) == 0
    assert processes_of(data) == []


def test_servers_of_ones_own_are_used_and_no_other_started(tmp_path: Path, starts: list[Up], db: None) -> None:
    ours = urlsplit(os.environ["DATABASE_URL"])
    with psycopg.connect(urlunsplit(ours), autocommit=True) as connection:
        connection.execute("DROP DATABASE IF EXISTS up_test WITH (FORCE)")
        connection.execute("CREATE DATABASE up_test")
    run = Up(
        tmp_path,
        KB_PORT=str(free_port()),
        KB_DEMO="0",
        KB_ADMIN_PASSWORD="chosen for the test",
        DATABASE_URL=urlunsplit(ours._replace(path="/up_test")),
        REDIS_URL=os.environ["REDIS_URL"],
    )
    starts.append(run)
    run.until_ready()
    assert run.get("/readyz") == {"status": "ready", "integrity": None}
    assert not (tmp_path / "postgres").exists()
    assert not (tmp_path / "redis").exists()
    assert "chosen for the test" not in run.output
    assert sign_in(run, user="admin", password="chosen for the test") == 200
    assert run.end(signal.SIGTERM) == 0


def test_busy_port_is_refused_before_anything_is_started(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = str(server.getsockname()[1])
        said = refused(tmp_path / "var", KB_PORT=port)
    assert said == f"Port {port} of 127.0.0.1 is already in use: stop what listens there or set KB_PORT to another."
    assert not (tmp_path / "var" / "postgres").exists()


def test_data_directory_in_use_is_refused_in_one_sentence(tmp_path: Path) -> None:
    with DataDirectory(tmp_path).locked():
        said = refused(tmp_path, KB_PORT=str(free_port()))
    assert said.startswith(f"The knowledge base of {tmp_path} is already running: stop it first")
    assert "\n" not in said


def test_step_that_fails_is_reported_with_its_log_and_nothing_is_left(tmp_path: Path) -> None:
    said = refused(tmp_path, KB_PORT=str(free_port()), KB_BOOTSTRAP_API_KEY="not a key")
    assert "manage.py prepare failed; its log" in said
    assert "KB_BOOTSTRAP_API_KEY cannot be used" in said
    assert "Traceback" not in said
    assert processes_of(tmp_path) == []


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("KB_PORT", "abc", "KB_PORT is 'abc'; it must be a whole number."),
        ("KB_DEMO", "maybe", "KB_DEMO is 'maybe'; it must be 1 or 0."),
        ("KB_WEB_PROCESSES", "0", "KB_WEB_PROCESSES is 0; it must be more than 0."),
        ("KB_ADMIN_PASSWORD", "admin", "KB_ADMIN_PASSWORD: This password is too short."),
        ("DATABASE_URL", "mysql://kb@db/kb", "DATABASE_URL must begin with postgres://"),
        ("DATABASE_URL", "postgres://kb:p/w@db/kb", "DATABASE_URL cannot be read as a URL."),
        ("DATABASE_URL", "postgres://kb@127.0.0.1:1/kb", "The server that DATABASE_URL names does not answer:"),
        ("REDIS_URL", "redis://127.0.0.1:1/0", "The server that REDIS_URL names does not answer:"),
    ],
)
def test_wrong_setting_gets_a_sentence_before_anything_is_started(
    tmp_path: Path, name: str, value: str, sentence: str
) -> None:
    said = refused(tmp_path / "var", **{"KB_PORT": str(free_port()), name: value})
    last = said.splitlines()[-1]
    assert last.startswith(sentence)
    assert not (tmp_path / "var" / "postgres").exists()


def test_full_disk_under_the_database_is_told_and_got_over(tmp_path: Path, starts: list[Up]) -> None:
    data = tmp_path / "var"
    with small_disk(data, megabytes=700) as disk:
        if disk is None:
            pytest.skip("only root can mount a disk")
        run = Up(data, KB_PORT=str(free_port()), KB_DEMO="0")
        starts.append(run)
        run.until_ready()
        lines: list[str] = []
        assert run.process.stdout is not None
        threading.Thread(target=lines.extend, args=(run.process.stdout,), daemon=True).start()

        disk.fill()
        _grow_the_log(DataDirectory(data).noted()["database_url"])
        wait_until(lambda: sum(line.startswith("supervisor      Postgres ended") for line in lines) > 2, within_s=60)
        assert any("its disk is full" in line for line in lines)
        with pytest.raises(urllib.error.HTTPError) as refused:
            run.get("/readyz")
        assert refused.value.code == 503
        checks = json.load(refused.value)["checks"]
        assert checks["disk"].startswith("The disk of the data directory is full")
        assert checks["database"]

        disk.clear()
        wait_until(lambda: _is_ready(run), within_s=120)
        assert run.end(signal.SIGTERM) == 0


def _grow_the_log(database_url: str) -> None:
    """Write to Postgres's log of changes until it finds no room, and gives up."""
    with pytest.raises(psycopg.OperationalError):
        _write_messages(database_url)


def _write_messages(database_url: str) -> None:
    with psycopg.connect(database_url) as connection:
        for _ in range(2000):
            connection.execute("SELECT pg_logical_emit_message(false, 'test', repeat('x', 1000000), true)")
            connection.commit()


def _is_ready(run: Up) -> bool:
    try:
        return run.get("/readyz")["status"] == "ready"
    except (OSError, urllib.error.URLError):
        return False


@pytest.mark.parametrize("program", ["worker", "beat"])
def test_program_that_is_killed_again_and_again_takes_nothing_with_it(
    tmp_path: Path, starts: list[Up], program: str
) -> None:
    run = Up(tmp_path / "var", KB_PORT=str(free_port()), KB_DEMO="0")
    starts.append(run)
    run.until_ready()

    def kill() -> bool:
        for process in psutil.Process(run.process.pid).children():
            with contextlib.suppress(psutil.NoSuchProcess):
                if {"kb_project", program} <= set(process.cmdline()):
                    process.kill()
                    return True
        return False

    for _ in range(5):
        wait_until(kill, within_s=30)
    assert run.get("/healthz") == {"status": "ok"}
    assert run.get("/kb/topics")["count"] == 1
    assert run.process.poll() is None
    assert run.end(signal.SIGTERM) == 0
