"""`manage.py up`, as the person at the terminal meets it: first start, second start, Ctrl-C, and every refusal."""

import json
import re
import signal
import socket
import urllib.request
from pathlib import Path

import psutil
import pytest

from kb_project.operations.local_stack.directory import DataDirectory
from kb_project.operations.local_stack.machine import free_port
from tests.journeys.up import Up, processes_of, refused, runs, sign_in, workers_of
from tests.waiting import wait_until

pytestmark = pytest.mark.deep

DEMO_DOCUMENTS = 6
BOOTSTRAP_KEY = "bootstra." + "k" * 32


def test_start_use_kill_start_again_and_stop(tmp_path: Path, starts: list[Up]) -> None:
    data, port = tmp_path / "var", str(free_port())

    def start() -> Up:
        processes = "1" if starts else "2"
        starts.append(Up(data, KB_PORT=port, KB_BOOTSTRAP_API_KEY=BOOTSTRAP_KEY, KB_WEB_PROCESSES=processes))
        return starts[-1].until_ready()

    # The first start makes everything, and shows the password that it made up.
    first = start()
    shown = re.search(r"^admin user +admin, password (\w+) \(shown only now\)$", first.output, re.MULTILINE)
    assert shown is not None, first.output
    assert first.get("/healthz") == {"status": "ok"}
    ready = first.get("/readyz")
    assert (ready["status"], ready["integrity"]) == ("ready", None)

    def has_meanings() -> bool:  # it is counted every few seconds
        meaning = first.get("/readyz")["meaning"]
        return bool(meaning["vectors"] == meaning["passages"] > 0)

    wait_until(has_meanings)
    assert first.get("/kb/sources")["count"] == DEMO_DOCUMENTS
    assert sign_in(first, user="admin", password=shown[1]) == 200
    request = urllib.request.Request(
        f"{first.url}/admin/kb/jobs", headers={"Authorization": f"Api-Key {BOOTSTRAP_KEY}"}
    )
    with urllib.request.urlopen(request, timeout=60) as answer:
        assert json.load(answer)["count"] == DEMO_DOCUMENTS

    # Commands in another terminal work on the running servers, a second start does not happen.
    assert re.fullmatch(r"\w{8}\.\w{32}", first.manage("create_api_key", "scripts", "--admin"))
    assert f"already running at {first.url}" in refused(data, KB_PORT=str(free_port()))

    # A worker that is killed is replaced.
    log = data / "log" / "worker.log"
    worker, classifier = (workers_of(first)[name] for name in ("worker", "classifier"))
    pool = worker.children()
    worker.kill()
    wait_until(lambda: workers_of(first).get("worker") not in (None, worker))
    wait_until(lambda: log.read_text(encoding="utf-8").count(" ready.") >= 3)
    assert [process for process in pool if runs(process)] == []
    assert workers_of(first)["classifier"] == classifier

    # Killed, it takes everything with it. The next start recovers, finds its data, and shows no password.
    assert first.end(signal.SIGKILL) == -signal.SIGKILL
    wait_until(lambda: processes_of(data) == [])
    second = start()
    assert "migrations      up to date" in second.output
    assert "admin, password set at first start" in second.output
    assert "demo documents" not in second.output
    assert second.get("/kb/sources")["count"] == DEMO_DOCUMENTS
    assert sign_in(second, user="admin", password=shown[1]) == 200

    # Ctrl-C stops all of it.
    running = psutil.Process(second.process.pid).children(recursive=True)
    assert len(running) > 5
    assert second.end(signal.SIGINT) == 0
    assert second.output.rstrip().endswith("nothing is left running")
    assert [process for process in running if runs(process)] == []
    assert processes_of(data) == []
    assert not (data / "stack.json").exists()


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


def test_a_failing_step_is_reported_and_leaves_nothing(tmp_path: Path) -> None:
    said = refused(tmp_path, KB_PORT=str(free_port()), KB_BOOTSTRAP_API_KEY="not a key")
    assert "manage.py prepare failed; its log" in said
    assert "KB_BOOTSTRAP_API_KEY cannot be used" in said
    assert "Traceback" not in said
    assert processes_of(tmp_path) == []


@pytest.mark.parametrize(
    "wrong",
    [
        {
            "KB_PORT": ("abc", "KB_PORT is 'abc'; it must be a whole number."),
            "KB_DEMO": ("maybe", "KB_DEMO is 'maybe'; it must be 1 or 0."),
            "KB_WEB_PROCESSES": ("0", "KB_WEB_PROCESSES is 0; it must be more than 0."),
            "KB_ADMIN_PASSWORD": ("admin", "KB_ADMIN_PASSWORD: This password is too short."),
            "DATABASE_URL": ("mysql://kb@db/kb", "DATABASE_URL must begin with postgres://"),
        },
        {"REDIS_URL": ("redis://127.0.0.1:1/0", "The server that REDIS_URL names does not answer:")},
    ],
)
def test_wrong_settings_get_a_sentence_each_before_anything_is_started(
    tmp_path: Path, wrong: dict[str, tuple[str, str]]
) -> None:
    values = {name: value for name, (value, _) in wrong.items()}
    said = refused(tmp_path / "var", **{"KB_PORT": str(free_port()), **values}).splitlines()[-len(wrong) :]
    for _, sentence in wrong.values():
        assert [line for line in said if line.startswith(sentence)]
    assert not (tmp_path / "var" / "postgres").exists()
