"""The whole stack of one data directory: servers, preparation, web, workers and beat, from start to stop."""

from __future__ import annotations

import http.client
import os
import signal
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from kb_project.embedded import CannotStart, outside, ports
from kb_project.embedded.directory import DataDirectory
from kb_project.embedded.postgres import Postgres
from kb_project.embedded.processes import Program
from kb_project.embedded.redis import Redis
from kb_project.embedded.supervisor import StopRequested, Supervisor
from kb_project.web import web_server

READY_WITHIN_S = 90.0
DEMO_WITHIN_S = 120
GRACE_S = 10  # for requests that are being answered
WORKER_PATIENCE_S = 20.0  # for documents that are being read; the next start takes up what is cut off


@dataclass(frozen=True, kw_only=True)
class Options:
    """What to run and where; an empty URL means the embedded server."""

    project: Path
    data: Path
    bind: str
    port: int
    web_processes: int
    concurrency: int
    classify_concurrency: int
    demo: bool
    pool_size: int = 10  # database connections of a web process
    trusted_proxies: tuple[str, ...] = ()
    database_url: str = ""
    redis_url: str = ""
    https: bool = False  # KB_HTTPS: pages that are asked for over plain HTTP lead to https, which nothing here speaks

    @property
    def local_host(self) -> str:
        """Where this machine reaches the web server."""
        return {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(self.bind, self.bind)

    @property
    def url(self) -> str:
        host = f"[{self.local_host}]" if ":" in self.local_host else self.local_host
        return f"http://{host}:{self.port}"

    @property
    def database_connections(self) -> int:
        """How many the programs may open together, with some to spare for commands."""
        worker, classifier = self.concurrency * 4, self.classify_concurrency * 2
        return max(100, self.web_processes * self.pool_size + worker + classifier + 40)

    @property
    def way_in(self) -> str:
        """What a person does with a service that is ready, in a sentence."""
        if self.https:
            return f"KB_HTTPS is set: have a proxy that speaks TLS pass requests on to {self.url}, and open its address"
        return f"open {self.url}/ in a browser"


class Stack:
    """`run` returns when it was asked to stop, and raises CannotStart; either way nothing is left running."""

    def __init__(self, options: Options, *, report: Callable[[str, str], None]) -> None:
        self._options = options
        self._report = report
        self._directory = DataDirectory(options.data)
        self._supervisor = Supervisor(say=lambda sentence: report("supervisor", sentence))
        self._environment: dict[str, str] = {}

    def request_stop(self) -> None:
        """Ask for an orderly end; a second time, for a quick one. Safe in a signal handler."""
        self._supervisor.request_stop()

    def run(self) -> None:
        with self._directory.locked():
            ports.require_free(self._options.port, self._options.bind)
            self._report("data directory", str(self._options.data))
            try:
                self._start()
                while True:
                    self._supervisor.check()
                    self._supervisor.pause(0.3)
            except StopRequested:
                self._report("stopping", "finishing what is in hand; Ctrl-C again to stop at once")
            finally:
                self._supervisor.stop()
                self._directory.forget_note()
            self._report("stopped", "nothing is left running")

    def _start(self) -> None:
        if self._options.database_url:
            outside.require_database(self._options.database_url)
        if self._options.redis_url:
            outside.require_broker(self._options.redis_url)
        database_url = self._options.database_url or self._start_postgres()
        redis_url = self._options.redis_url or self._start_redis()
        self._environment = {
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "kb_project.settings",
            "KB_DATA_DIR": str(self._options.data),
            "DATABASE_URL": database_url,
            "REDIS_URL": redis_url,
            "PYTHONUNBUFFERED": "1",
        }
        self._directory.note(
            database_url=database_url, redis_url=redis_url, url=self._options.url, pid=str(os.getpid())
        )
        admin = self._prepare()
        self._start_programs()
        self._await_ready()
        if self._options.demo and not self._directory.demo_loaded.exists():
            self._load_demo()
        self._report("ready", f"{self._options.way_in}; Ctrl-C here stops everything")
        if admin:
            self._report("sign in", admin)

    def _start_postgres(self) -> str:
        started = time.monotonic()
        server = Postgres(
            directory=self._directory.postgres,
            log=self._directory.log("postgres"),
            max_connections=self._options.database_connections,
        )
        url = server.start(self._supervisor)
        self._report("Postgres", f"running ({time.monotonic() - started:.1f} s)")
        return url

    def _start_redis(self) -> str:
        started = time.monotonic()
        server = Redis(directory=self._directory.redis, log=self._directory.log("redis"))
        url = server.start(self._supervisor)
        self._report("Redis", f"running ({time.monotonic() - started:.1f} s)")
        return url

    def _prepare(self) -> str:
        """Migrations, admin user and bootstrap key; gives the line about the admin user."""
        admin = ""

        def on_line(line: str) -> None:
            nonlocal admin
            label, _, text = line.partition(": ")
            if label == "admin user":
                admin = text
            self._report(label, text)

        self._supervisor.run(self._manage("prepare"), on_line=on_line)
        return admin

    def _start_programs(self) -> None:
        celery = [sys.executable, "-m", "celery", "-A", "kb_project"]
        self._start_program(
            "web",
            web_server.command(
                host=self._options.bind,
                port=self._options.port,
                processes=self._options.web_processes,
                grace_s=GRACE_S,
                proxies=list(self._options.trusted_proxies),
            ),
            environment={web_server.METRICS_DIRECTORY: str(self._directory.emptied("metrics"))},
            patience_s=GRACE_S + 5,
        )
        self._start_program(
            "worker",
            [*celery, "worker", "--loglevel", "INFO", "--without-gossip", "--without-mingle"],
            patience_s=WORKER_PATIENCE_S,
            orphan_signal=signal.SIGKILL,  # its processes end with it; a warm end would wait for lost servers
        )
        self._start_program(
            "classifier",
            [sys.executable, "manage.py", "classifier"],
            patience_s=WORKER_PATIENCE_S,
            orphan_signal=signal.SIGKILL,
        )
        self._start_program(
            "beat",
            [
                *(*celery, "beat", "--loglevel", "WARNING", "--pidfile", ""),
                *("--schedule", str(self._directory.beat_schedule)),
            ],
        )

    def _start_program(
        self,
        name: str,
        command: list[str],
        *,
        environment: Mapping[str, str] | None = None,
        patience_s: float = 10.0,
        orphan_signal: signal.Signals = signal.SIGTERM,
    ) -> None:
        self._supervisor.start(
            Program(
                name=name,
                command=command,
                log=self._directory.log(name),
                env={**self._environment, **(environment or {})},
                cwd=self._options.project,
                patience_s=patience_s,
                orphan_signal=orphan_signal,
            )
        )

    def _manage(self, command: str, *arguments: str) -> Program:
        return Program(
            name=f"manage.py {command}",
            command=[sys.executable, "manage.py", command, *arguments],
            log=self._directory.log(command),
            env=self._environment,
            cwd=self._options.project,
        )

    def _await_ready(self) -> None:
        deadline = time.monotonic() + READY_WITHIN_S
        for path, label, text in (
            ("/healthz", "web", f"{self._options.url} ({_count(self._options.web_processes)})"),
            ("/readyz", "worker", _count(self._options.concurrency)),
        ):
            while (trouble := self._trouble(path)) is not None:
                self._supervisor.require_running()
                if time.monotonic() > deadline:
                    raise CannotStart(
                        f"Not ready after {READY_WITHIN_S:.0f} s: {trouble}; logs: {self._directory.path}/log"
                    )
                self._supervisor.pause(0.1)
            self._report(label, text)
        self._supervisor.require_running()
        self._report("beat", "running")

    def _trouble(self, path: str) -> str | None:
        """What the web server's answer says is wrong; None when nothing is."""
        connection = http.client.HTTPConnection(self._options.local_host, self._options.port, timeout=10)
        try:
            connection.request("GET", path, headers={"Host": "127.0.0.1"})
            answer = connection.getresponse()
            body = answer.read().decode("utf-8", errors="replace")
        except (OSError, http.client.HTTPException) as error:
            return f"the web server does not answer ({error})"
        finally:
            connection.close()
        return None if answer.status == 200 else f"{path} answers {answer.status}: {body.strip()[:300]}"

    def _load_demo(self) -> None:
        step = self._manage("load_demo", "--wait", str(DEMO_WITHIN_S))
        try:
            self._supervisor.run(step, on_line=lambda line: self._report("demo documents", line))
        except CannotStart:
            self._report("demo documents", f"not loaded, which can wait; the log {step.log} says why")
        else:
            self._directory.demo_loaded.touch()


def _count(processes: int) -> str:
    return "1 process" if processes == 1 else f"{processes} processes"
