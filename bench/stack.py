"""The service under measurement: an embedded stack started for the purpose."""

import json
import os
import secrets
import signal
import string
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import httpx2

from bench.client import Api
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
    database_url: str
    environment: dict[str, str]
    pid: int

    def shell(self, code: str) -> str:
        """Run Python in `manage.py shell` on the service's database and return what it printed."""
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
def embedded(data_dir: Path | None) -> Iterator[tuple[Stack, Api]]:
    """`manage.py up` on its own data directory, ready, and a client of it.

    Without `data_dir` the data are temporary.
    """
    with ExitStack() as things:
        folder = data_dir or Path(things.enter_context(TemporaryDirectory(prefix="kb-bench-")))
        stack = things.enter_context(running(folder))
        yield stack, things.enter_context(closing(Api(stack.base_url, stack.api_key)))


@contextmanager
def running(folder: Path) -> Iterator[Stack]:
    """The stack of this data directory, from its readiness to its orderly end."""
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
    }
    folder.mkdir(parents=True, exist_ok=True)
    log_path = folder / "bench-stack.log"
    with log_path.open("ab") as log:
        process = subprocess.Popen(
            [sys.executable, "manage.py", "up"],
            cwd=PROJECT,
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
