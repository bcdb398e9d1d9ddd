"""The whole stack of one data directory: servers, preparation, web, workers and beat, from start to stop."""

import http.client
import os
import signal
import sys
import time
from collections.abc import Callable, Mapping

from django.conf import settings

from kb_project.operations.local_stack import CannotStart, external, machine
from kb_project.operations.local_stack.directory import DataDirectory
from kb_project.operations.local_stack.movement import Movement
from kb_project.operations.local_stack.postgres import Postgres
from kb_project.operations.local_stack.redis import Redis
from kb_project.operations.local_stack.supervisor import Program, StopRequested, Supervisor
from kb_project.web import web_server

SAY_EVERY_S = 10.0  # what is waited for
DEMO_WITHIN_S = 120
GRACE_S = 10  # for requests that are being answered
WORKER_GRACE_S = 10.0  # for documents that are being read; the next start takes up what is cut off
LOCAL_EMBEDDER = "local"
WORKER_PATIENCE_S = WORKER_GRACE_S + 10.0


class Stack:
    """What the settings ask for. An outside server is used where they name one.

    `run` returns when it was asked to stop, and raises CannotStart. Either way nothing is left running."""

    def __init__(self, *, report: Callable[[str, str], None]) -> None:
        self._report = report
        self._directory = DataDirectory(settings.DATA_DIR)
        self._supervisor = Supervisor(say=lambda sentence: report("supervisor", sentence))
        self._environment: dict[str, str] = {}

    def request_stop(self) -> None:
        """Ask for an orderly end. A second time, for a quick one. Safe in a signal handler."""
        self._supervisor.request_stop()

    def run(self) -> None:
        machine.require_linux()
        with self._directory.locked():
            machine.require_free(settings.KB_PORT, settings.KB_BIND)
            self._report("data directory", str(settings.DATA_DIR))
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
        if settings.EXTERNAL_DATABASE_URL:
            external.require_database(settings.EXTERNAL_DATABASE_URL)
        if settings.EXTERNAL_REDIS_URL:
            external.require_broker(settings.EXTERNAL_REDIS_URL)
        directory = self._directory
        database_url = settings.EXTERNAL_DATABASE_URL or self._start_server(
            Postgres(
                directory=directory.postgres,
                log=directory.log("postgres"),
                max_connections=database_connections(),
            )
        )
        redis_url = settings.EXTERNAL_REDIS_URL or self._start_server(
            Redis(directory=directory.redis, log=directory.log("redis"))
        )
        self._environment = {
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "kb_project.settings",
            "KB_DATA_DIR": str(settings.DATA_DIR),
            "DATABASE_URL": database_url,
            "REDIS_URL": redis_url,
            "PYTHONUNBUFFERED": "1",
            "MALLOC_ARENA_MAX": "2",  # else each of many threads keeps memory of its own
        }
        embedder = self._embedder_address()
        self._directory.note(
            database_url=database_url, redis_url=redis_url, url=web_url(), pid=str(os.getpid()), **embedder
        )
        admin = self._prepare()
        self._start_programs()
        self._await_ready()
        if embedder:
            self._start_embedder()
        if settings.KB_DEMO and not self._directory.demo_loaded.exists():
            self._load_demo()
        self._report("ready", f"{way_in()}; Ctrl-C here stops everything")
        if admin:
            self._report("sign in", admin)

    def _start_server(self, server: Postgres | Redis) -> str:
        started = time.monotonic()
        url = server.start(self._supervisor)
        self._report(type(server).__name__, f"running ({time.monotonic() - started:.1f} s)")
        return url

    def _prepare(self) -> str:
        """Migrations, admin user and bootstrap key. Gives the line about the admin user."""
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
        self._start_program(
            "web",
            web_server.command(
                host=settings.KB_BIND,
                port=settings.KB_PORT,
                processes=settings.KB_LOCAL_WEB_PROCESSES,
                leave_s=0,  # no proxy is to notice
                grace_s=GRACE_S,
                proxies=settings.KB_TRUSTED_PROXIES,
            ),
            environment={web_server.METRICS_DIRECTORY: str(self._directory.emptied("metrics"))},
            patience_s=GRACE_S + 5,
        )
        self._start_program(
            "worker",
            [sys.executable, "manage.py", "worker", "--with-classifier"],
            environment={
                "KB_WORKER_GRACE_S": str(WORKER_GRACE_S),
                "KB_WORKER_CONCURRENCY": str(settings.KB_LOCAL_WORKER_CONCURRENCY),
            },
            patience_s=WORKER_PATIENCE_S,
            orphan_signal=signal.SIGKILL,  # its processes end with it; a warm end would wait for lost servers
        )

    def _embedder_address(self) -> dict[str, str]:
        """Where the model of this machine will answer, told to all programs, or {} where none is to be started."""
        if settings.KB_EMBEDDER != LOCAL_EMBEDDER or os.environ.get("KB_LOCAL_EMBEDDER_URL"):
            return {}
        self._embedder_port = machine.kept_port(self._directory.path / "embedder_port")
        url = f"http://{machine.LOOPBACK}:{self._embedder_port}/v1"
        self._environment["KB_LOCAL_EMBEDDER_URL"] = url
        return {"embedder_url": url}

    def _start_embedder(self) -> None:
        """Once all else runs, as nothing else needs it: where the package cannot run, words are searched."""
        command = [sys.executable, "-m", "search.local_model.server", "--port", str(self._embedder_port)]
        self._start_program("embedder", command, orphan_signal=signal.SIGKILL)
        self._report("embedder", "starting; passages are found by their meaning when it has read them")

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
                cwd=settings.BASE_DIR,
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
            cwd=settings.BASE_DIR,
        )

    def _await_ready(self) -> None:
        for path, label, text in (
            ("/healthz", "web", f"{web_url()} ({_count(settings.KB_LOCAL_WEB_PROCESSES)})"),
            ("/readyz", "worker", _count(settings.KB_LOCAL_WORKER_CONCURRENCY)),
        ):
            self._await(path, label)
            self._report(label, text)
        self._supervisor.require_running()
        self._report("classifier", "running, with beat in it")

    def _await(self, path: str, label: str) -> None:
        """Wait until the path answers, as long as the programs get on."""
        movement, said_at = Movement(self._supervisor.running), time.monotonic()
        while (trouble := self._trouble(path)) is not None:
            self._supervisor.require_running()
            if movement.has_stopped():
                logs = f"logs: {self._directory.path}/log"
                raise CannotStart(f"Not ready after {movement.seconds:.0f} s, and nothing moves: {trouble}; {logs}")
            if time.monotonic() - said_at > SAY_EVERY_S:
                said_at = time.monotonic()
                self._report("waiting", f"for {label}, {movement.seconds:.0f} s so far ({trouble})")
            self._supervisor.pause(0.1)

    def _trouble(self, path: str) -> str | None:
        """What the web server's answer says is wrong, or None when nothing is."""
        connection = http.client.HTTPConnection(local_host(), settings.KB_PORT, timeout=10)
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


def local_host() -> str:
    """Where this machine reaches the web server."""
    return {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(settings.KB_BIND, settings.KB_BIND)


def web_url() -> str:
    host = f"[{local_host()}]" if ":" in local_host() else local_host()
    return f"http://{host}:{settings.KB_PORT}"


def database_connections() -> int:
    """How many the programs may open together, with some to spare for commands."""
    worker = settings.KB_LOCAL_WORKER_CONCURRENCY * 4
    classifier = settings.KB_CLASSIFIER_THREADS * 2
    return max(100, settings.KB_LOCAL_WEB_PROCESSES * settings.KB_DB_POOL_SIZE + worker + classifier + 40)


def way_in() -> str:
    """What a person does with a service that is ready, in a sentence."""
    if settings.KB_HTTPS:  # pages that are asked for over plain HTTP lead to https, which nothing here speaks
        return f"KB_HTTPS is set: have a proxy that speaks TLS pass requests on to {web_url()}, and open its address"
    return f"open {web_url()}/ in a browser"


def _count(processes: int) -> str:
    return "1 process" if processes == 1 else f"{processes} processes"
