"""The service under measurement: one that runs already, or an embedded stack started for the purpose."""

import json
import os
import secrets
import shutil
import signal
import string
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import httpx2

from kb_project.operations.local_stack.machine import free_port

PROJECT = Path(__file__).resolve().parent.parent
START_TIMEOUT_S = 180
STOP_TIMEOUT_S = 60


class StackFailed(Exception):
    """The embedded stack did not start; the message ends with the last lines of its log."""


@dataclass(frozen=True, slots=True)
class Stack:
    """Where the service answers. `environment` leads `manage.py` to its database; `pid` is `manage.py up`."""

    base_url: str
    api_key: str
    database_url: str = ""
    environment: dict[str, str] = field(default_factory=dict)
    pid: int | None = None

    def shell(self, code: str) -> str:
        """Run Python in `manage.py shell` on the service's database and return what it printed. Needs `environment`."""
        done = subprocess.run(
            [sys.executable, "manage.py", "shell", "--verbosity", "0", "-c", code],
            cwd=PROJECT,
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=120,
        )
        if done.returncode:
            raise StackFailed(f"manage.py shell failed: {done.stderr[-2000:]}")
        return done.stdout.strip()


def attach(base_url: str, api_key: str, *, database_url: str) -> Stack:
    environment = {**os.environ, "DATABASE_URL": database_url} if database_url else {}
    return Stack(base_url.rstrip("/"), api_key, database_url, environment)


@contextmanager
def settings_of_stack(settings: Mapping[str, str]) -> Iterator[None]:
    """What is started meanwhile has these settings."""
    before = {name: os.environ.get(name) for name in settings}
    os.environ.update(settings)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


@contextmanager
def embedded(data_dir: Path | None, *, keep: bool) -> Iterator[Stack]:
    """Start `manage.py up` in its own data directory, wait until it is ready, and stop it at the end.

    Without `data_dir` the directory is temporary and goes with the stack unless `keep` is set.
    """
    folder = data_dir or Path(tempfile.mkdtemp(prefix="kb-bench-"))
    try:
        with running(folder) as stack:
            yield stack
    finally:
        if data_dir is None and not keep:
            shutil.rmtree(folder, ignore_errors=True)
        else:
            print(f"Kept {folder}; run again with --data-dir {folder}", file=sys.stderr)


@contextmanager
def running(folder: Path, *, project: Path = PROJECT, **settings: str) -> Iterator[Stack]:
    """The stack of this data directory, from its readiness to its orderly end.

    `settings` are of the environment. `project` is the working tree whose code runs, with its own Python if it has one.
    """
    port, api_key = free_port(), new_api_key()
    environment = {
        **{name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "REDIS_URL")},
        "KB_DATA_DIR": str(folder.resolve()),
        "KB_DEMO": "0",
        "KB_PORT": str(port),
        # Figures of a process are of the one that there is.
        "KB_WEB_PROCESSES": os.environ.get("KB_WEB_PROCESSES", "1"),
        "KB_BOOTSTRAP_API_KEY": api_key,
        "KB_THROTTLE_ANON": "100000/s",
        "KB_THROTTLE_READING": "100000/s",
        "KB_THROTTLE_SEARCH": "100000/s",
        "KB_THROTTLE_ASK": "100000/s",
        "KB_THROTTLE_CHECK": "100000/s",
        "LOG_LEVEL": "WARNING",
        **settings,
    }
    folder.mkdir(parents=True, exist_ok=True)
    log_path = folder / "bench-stack.log"
    own = project / ".venv" / "bin" / "python"
    with log_path.open("ab") as log:
        process = subprocess.Popen(
            [str(own) if own.exists() else sys.executable, "manage.py", "up"],
            cwd=project,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    try:
        base_url = f"http://127.0.0.1:{port}"
        _wait_until_ready(process, base_url=base_url, log_path=log_path)
        noted = json.loads((folder / "stack.json").read_text(encoding="utf-8"))
        database_url = noted["database_url"]
        # Named, as a process may have asked where the data directory is before it was given this environment.
        yield Stack(base_url, api_key, database_url, {**environment, "DATABASE_URL": database_url}, process.pid)
    finally:
        _stop(process)


def _wait_until_ready(process: subprocess.Popen[bytes], *, base_url: str, log_path: Path) -> None:
    deadline = time.monotonic() + START_TIMEOUT_S
    answer = "no answer"
    while time.monotonic() < deadline:
        if process.poll() is not None:
            raise StackFailed(f"`manage.py up` ended with {process.returncode}.\n{_tail(log_path)}")
        try:
            response = httpx2.get(f"{base_url}/readyz", timeout=5)
        except httpx2.HTTPError:
            time.sleep(0.5)
            continue
        if response.status_code == 200:
            return
        answer = response.text[:500]
        time.sleep(0.5)
    raise StackFailed(f"Not ready after {START_TIMEOUT_S} s ({answer}).\n{_tail(log_path)}")


def _stop(process: subprocess.Popen[bytes]) -> None:
    """Ask the supervisor to stop its servers; the whole process group goes only if it does not."""
    if process.poll() is not None:
        return
    process.send_signal(signal.SIGINT)
    try:
        process.wait(STOP_TIMEOUT_S)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait(10)


def _tail(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace")[-3000:]


def new_api_key() -> str:
    """A key of the form the service expects: 8 letters or digits, a dot, 32 letters or digits."""
    letters = string.ascii_letters + string.digits
    first, rest = ("".join(secrets.choice(letters) for _ in range(length)) for length in (8, 32))
    return f"{first}.{rest}"
