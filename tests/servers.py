"""Throw-away servers of a test run: Postgres and Redis as `manage.py up` starts them, workers, ASGI."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self
from urllib.parse import urlsplit, urlunsplit

import uvicorn
from django.db import connection

from kb_project.operations.local_stack.postgres import Postgres
from kb_project.operations.local_stack.redis import Redis
from kb_project.operations.local_stack.supervisor import Program, Supervisor, log_tail
from kb_project.web.asgi_handler import get_application
from kb_project.web.http_protocol import TimedHttp
from tests.folders import passable
from tests.waiting import PATIENCE_S, wait_until

PROJECT = Path(__file__).resolve().parent.parent
# What a developer's environment or .env may say must not reach the tests.
ENVIRONMENT = {
    "SECRET_KEY": "only-for-tests",
    "DEBUG": "0",
    "ALLOWED_HOSTS": "localhost,127.0.0.1,[::1],testserver",
    "ANTHROPIC_API_KEY": "",
    "ANTHROPIC_BASE_URL": "",
    "KB_APP_ROLE": "",
    "KB_BOOTSTRAP_API_KEY": "",
    "KB_ANSWERER": "",
    "KB_ANSWER_CACHE_S": "0",
    "KB_CLASSIFIER": "",
    "KB_CLASSIFIER_MODEL": "",
    "KB_EXPANDER": "",
    "KB_LLM_API_KEY": "",
    "KB_LLM_BASE_URL": "",
    "KB_LLM_DAILY_TOKENS": "0",
    "KB_LLM_MODEL": "",
    "KB_CLASSIFY_TIMEOUT_S": "45",
    "KB_CLASSIFY_CONCURRENCY": "5",
    "KB_EMBEDDER": "hashing",
    "KB_WORKER_NICE": "0",
    "KB_OIDC_ISSUER": "",
    "KB_OIDC_LOCAL_ACCOUNTS": "1",
    "EMAIL_URL": "",
    "OTEL_EXPORTER_OTLP_ENDPOINT": "",
    "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "",
    "OTEL_TRACES_EXPORTER": "",
    "KB_STORAGE": "filesystem",
    "KB_PUBLIC_REQUIRES_KEY": "0",
    "KB_THROTTLE_ANON": "100000/min",
    "KB_THROTTLE_READING": "100000/min",
    "KB_THROTTLE_SEARCH": "100000/min",
    "KB_THROTTLE_ASK": "100000/min",
    "KB_THROTTLE_CHECK": "100000/min",
    # Threads of numpy wait in a loop for work, which takes the processor from the other processes.
    "OPENBLAS_NUM_THREADS": "1",
    "DJANGO_SETTINGS_MODULE": "tests.settings",
}


class TestStack:
    """Starts what the environment does not name, once for all processes of a run, and names it there."""

    __test__ = False  # not a test class, whatever its name begins with

    def __init__(self) -> None:
        self._supervisor = Supervisor()
        self._directory: Path | None = None

    def start(self) -> None:
        """Prepare this process. The first one starts the servers; xdist's find them in the environment."""
        os.environ.update(ENVIRONMENT)
        worker = os.environ.get("PYTEST_XDIST_WORKER")
        if worker is None:
            self._directory = passable(Path(tempfile.mkdtemp(prefix="kb-tests-")))
            os.environ["KB_DATA_DIR"] = str(self._directory / "data")
            try:
                self._start_servers(self._directory)
            except BaseException:
                self.stop()
                raise
        else:
            # A data directory and a Redis database of its own; Django gives each its own Postgres database.
            os.environ["KB_DATA_DIR"] = str(Path(os.environ["KB_DATA_DIR"]) / worker)
            number = int(worker.removeprefix("gw")) + 1
            os.environ["REDIS_URL"] = urlunsplit(urlsplit(os.environ["REDIS_URL"])._replace(path=f"/{number}"))

    def _start_servers(self, directory: Path) -> None:
        if not os.environ.get("REDIS_URL"):
            redis = Redis(directory=directory / "redis", log=directory / "redis.log")
            os.environ["REDIS_URL"] = redis.start(self._supervisor)
        if not os.environ.get("DATABASE_URL"):
            postgres = Postgres(directory=directory / "postgres", log=directory / "postgres.log", durable=False)
            os.environ["DATABASE_URL"] = postgres.start(self._supervisor)

    def stop(self) -> None:
        """Stop what was started; calling it again does nothing."""
        self._supervisor.stop()
        if self._directory:
            shutil.rmtree(self._directory, ignore_errors=True)
            self._directory = None


def subprocess_environment(**changes: str) -> dict[str, str]:
    """The environment for a process of the project that works on this test's database."""
    database = urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{connection.settings_dict['NAME']}")
    return {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "kb_project.settings",
        "DATABASE_URL": urlunsplit(database),
        **changes,
    }


WORKER = ("manage.py", "worker")


def start_worker(
    supervisor: Supervisor,
    *,
    log: Path,
    concurrency: int,
    worker: Sequence[str] = WORKER,
    code: Path | str = PROJECT,
    **environment: str,
) -> subprocess.Popen[bytes]:
    """Start a worker, as the project in `code` calls it, on this test's database and wait until it takes tasks."""
    command = [sys.executable, *worker, "--concurrency", str(concurrency), "--hostname", f"{log.stem}@%h"]
    return _start(supervisor, command, log=log, environment=environment, code=code)


def start_classifier(supervisor: Supervisor, *, log: Path, **environment: str) -> subprocess.Popen[bytes]:
    """Start a worker that classifies on this test's database and wait until it takes tasks."""
    command = [sys.executable, "manage.py", "classifier", "--hostname", f"{log.stem}@%h"]
    return _start(supervisor, command, log=log, environment=environment)


def _start(
    supervisor: Supervisor, command: list[str], *, log: Path, environment: dict[str, str], code: Path | str = PROJECT
) -> subprocess.Popen[bytes]:
    seen = log.stat().st_size if log.exists() else 0
    program = Program(
        name=log.stem,
        command=command,
        log=log,
        env=subprocess_environment(**environment),
        cwd=Path(code),
        stop_signal=signal.SIGKILL,  # an idle worker takes seconds to say goodbye
    )
    process = supervisor.start(program)
    deadline = time.monotonic() + PATIENCE_S
    while b" ready." not in log.read_bytes()[seen:]:
        if process.poll() is not None or time.monotonic() > deadline:
            raise RuntimeError(f"The worker did not become ready; its log:\n{log_tail(log, lines=40)}")
        time.sleep(0.05)
    return process


class AsgiServer:
    """The project over ASGI in a thread of this process. One serves many tests."""

    def __init__(self, *, http: type[TimedHttp] = TimedHttp) -> None:
        self._application = get_application()
        self._under_way = 0
        configuration = uvicorn.Config(
            self._answer,
            interface="asgi3",
            host="127.0.0.1",
            port=0,
            log_level="warning",
            lifespan="off",
            http=http,
            proxy_headers=False,
        )
        self._server = uvicorn.Server(configuration)
        self._thread = threading.Thread(target=self._server.run, daemon=True)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.servers[0].sockets[0].getsockname()[1]}"

    @contextmanager
    def running(self) -> Iterator[Self]:
        self._thread.start()
        while not self._server.started:
            if not self._thread.is_alive():
                raise RuntimeError("The ASGI server did not start.")
            time.sleep(0.01)
        try:
            yield self
        finally:
            self._server.should_exit = True
            self._thread.join(10)

    @contextmanager
    def at_rest_afterwards(self) -> Iterator[str]:
        """The URL for one test. At its end nothing works on the test's rows any more."""
        try:
            yield self.url
        finally:
            wait_until(lambda: not self._under_way)

    async def _answer(self, scope: Any, receive: Any, send: Any) -> None:
        self._under_way += 1
        try:
            await self._application(scope, receive, send)
        finally:
            self._under_way -= 1
