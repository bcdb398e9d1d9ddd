"""The service on several machines, as a drill starts it: each part is a program of its own, with links between them."""

import json
import os
import random
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Protocol

from bench.cluster import Cluster
from bench.drill.faulty_s3 import FaultyS3, environment
from bench.drill.machine import Processes
from bench.links import Links
from bench.stack import PROJECT, Stack, StackFailed, new_api_key
from kb_project.operations.local_stack.machine import is_free
from kb_project.operations.local_stack.redis import Redis
from kb_project.operations.local_stack.supervisor import Program, Supervisor, kill_group, spawn
from tests.proxy import Proxy
from tests.waiting import wait_until

WEBS, WORKERS, CLASSIFIERS, BEATS = (
    tuple(f"{part}{number}" for number in range(1, count + 1))
    for part, count in (("web", 2), ("worker", 3), ("classifier", 2), ("beat", 2))
)
STANDBYS = 2
CLIENT, QDRANT = "client", "qdrant"
STARTS_WITHIN_S, PATIENCE_S = 90.0, 40.0
PORTS = range(20_000, 30_000)  # below those that the system gives to connections, so that a part finds its own again
# What is answered is on two servers, so that a promotion loses nothing.
DATABASE = {"synchronous_standby_names": "ANY 1 (*)", "wal_keep_size": "1GB"}


class Part(Protocol):
    """What can be killed, as a machine that loses its power, and be started again."""

    name: str

    def start(self) -> object: ...
    def kill(self) -> None: ...


class PartOfService:
    """A web server, a worker, a classifier or a beat. `is_up` says whether it works, once it was started."""

    def __init__(self, name: str, command: list[str], *, log: Path, settings: Mapping[str, str]) -> None:
        self.name, self._log = name, log
        self.is_up: Callable[[], bool] = lambda: b" ready." in log.read_bytes()[self._seen :]
        self._program = Program(name=name, command=command, log=log, env=settings, cwd=PROJECT)
        self._process: subprocess.Popen[bytes] | None = None
        self._seen = 0

    def start(self) -> None:
        self._seen = self._log.stat().st_size if self._log.exists() else 0
        self._process = spawn(self._program)

    def kill(self) -> None:
        if self._process:
            kill_group(self._process)
            self._process = None

    def stop(self) -> None:
        """Ask it to end. Raises `subprocess.TimeoutExpired` when it does not."""
        if self._process:
            self._process.send_signal(signal.SIGTERM)
            self._process.wait(PATIENCE_S)
            self.kill()

    def ended(self) -> str:
        """What is wrong: it ended by itself."""
        code = self._process.poll() if self._process else None
        return "" if code is None else f"{self.name} ended by itself with {code}"


class Broker:
    """The one Redis. It keeps nothing."""

    name = "redis"

    def __init__(self, folder: Path) -> None:
        self._redis = Redis(directory=folder / "redis", log=folder / "log" / "redis.log")
        _keep_port(folder / "redis")
        self._supervisor = Supervisor()

    def start(self) -> str:
        return self._redis.start(self._supervisor)

    def kill(self) -> None:
        Processes(os.getpid()).kill("redis")
        self._supervisor.stop()


class Service:
    """All parts. `stop` ends what `start` started, however far that came.

    With the index "qdrant" a server of the embedded engine is one of them (bench.qdrant_edge).
    """

    def __init__(self, folder: Path, *, s3: FaultyS3, index: str) -> None:
        (folder / "log").mkdir(parents=True)
        self._folder, self._s3 = folder, s3
        self._key = new_api_key()
        self.cluster = Cluster(folder / "servers", standbys=STANDBYS)
        for server in self.cluster.servers:
            _keep_port(server.postgres.directory)
        self.redis = Broker(folder)
        self.parts: dict[str, PartOfService] = {}
        self.qdrant = _Qdrant(folder) if index == QDRANT else None
        self._ports = {name: _steady_port() for name in WEBS}
        self._direct: dict[str, str] = {}

    def start(self) -> None:
        self.cluster.start()
        urls = {server.name: server.url for server in self.cluster.servers}
        self._direct = {**urls, "redis": self.redis.start(), "storage": self._s3.url}
        if self.qdrant:
            self.qdrant.start()
            self.await_start(self.qdrant)
            self._direct[QDRANT] = self.qdrant.url
        ports = {name: _port_of(url) for name, url in self._direct.items()}
        parts = (*WEBS, *WORKERS, *CLASSIFIERS, *BEATS)
        self.links = Links(
            {(part, server): port for part in parts for server, port in ports.items()}
            | {(one, other): ports[other] for one in urls for other in urls if one != other}
            | {(CLIENT, web): port for web, port in self._ports.items()}
        )
        self.cluster.address = lambda server, other: self._linked(server.name, other.name)
        for server in self.cluster.servers:
            for name, value in DATABASE.items():
                server.set(name, value)
        for standby in self.cluster.standbys:
            standby.follow(self.cluster.address(standby, self.cluster.primary))
        self.prepare()
        celery = [sys.executable, "-m", "celery", "-A", "kb_project"]
        worker = [*celery, "worker", "--loglevel", "INFO", "--without-gossip", "--without-mingle", "--hostname"]
        beat = [*celery, "beat", "--loglevel", "INFO", "--pidfile", ""]
        manage = [sys.executable, "manage.py"]
        commands = {
            **{name: [*manage, "web", "--port", str(port), "--leave", "1"] for name, port in self._ports.items()},
            **{name: [*worker, f"{name}@%h"] for name in WORKERS},
            **{name: [*manage, "classifier", "--hostname", f"{name}@%h"] for name in CLASSIFIERS},
            **dict.fromkeys(BEATS, beat),
        }
        for name, command in commands.items():
            log = self._folder / "log" / f"{name}.log"
            part = PartOfService(name, command, log=log, settings=self._settings(name))
            if name in BEATS:
                part.is_up = lambda: True
            if name in WEBS:
                part.is_up = lambda port=self._ports[name]: _answer(port, "/healthz") is not None  # type: ignore[misc]
            self.parts[name] = part
            part.start()
        for part in self.parts.values():
            self.await_start(part)

    def stop(self) -> None:
        for part in self.parts.values():
            part.kill()
        if self.qdrant:
            self.qdrant.kill()
        self.redis.kill()
        self.cluster.stop()
        if self._direct:
            self.links.stop()

    def await_start(self, part: PartOfService) -> None:
        try:
            wait_until(part.is_up, within_s=STARTS_WITHIN_S)
        except AssertionError as error:
            raise StackFailed(f"{part.name} did not start") from error

    def prepare(self) -> None:
        """What is done before the first start and before each upgrade."""
        with (self._folder / "log" / "prepare.log").open("ab") as log:
            command = [sys.executable, "manage.py", "prepare"]
            subprocess.run(command, check=True, cwd=PROJECT, env=self._settings(""), stdout=log, stderr=log)

    def stack(self, balancer: Proxy) -> Stack:
        """The service as clients know it, and as commands reach it."""
        settings = self._settings("")
        return Stack(balancer.url, self._key, settings["DATABASE_URL"], settings)

    def balancer(self) -> Proxy:
        return Proxy(*(self.links.port(CLIENT, web) for web in WEBS), probe="/healthz")

    def is_whole(self) -> bool:
        """Whether every web is ready, and reads from every standby."""
        for web in WEBS:
            answer = _answer(self.links.port(CLIENT, web), "/readyz")
            if answer is None or sum(one["is_read"] for one in answer["standbys"]) < len(self.cluster.standbys):
                return False
        return True

    def promote(self) -> None:
        """Have a standby take the place of the primary, which does not answer."""
        self._gone = self.cluster.promote()

    def replace_old_primary(self) -> None:
        """Make the old primary, which is not to come back as one, a standby, and wait until it is read."""
        self._gone.kill()
        self.links.slow(self._gone.name, 0)
        self.cluster.copy_to(self._gone)
        self.cluster.standbys.append(self._gone)
        wait_until(self.is_whole)

    def upgrade(self) -> None:
        """Put a new program in the place of each old one, one after the other, in the order of docs/deployment.md."""
        self.prepare()
        for part in self.parts.values():
            part.stop()
            part.start()
            self.await_start(part)

    def _settings(self, part: str) -> dict[str, str]:
        """The environment of a part, which reaches servers over its links, or of a command (""), which needs none."""
        servers = [server.name for server in self.cluster.servers]
        urls = {name: self._linked(part, name) if part else url for name, url in self._direct.items()}
        hosts = ",".join(_host_of(urls[name]) for name in servers)
        user = urls[servers[0]].partition("@")[0]
        settings = {
            **{name: value for name, value in os.environ.items() if not name.startswith("KB_")},
            **environment(self._s3),
            "KB_S3_ENDPOINT_URL": urls["storage"],
            "DATABASE_URL": f"{user}@{hosts}/kb?target_session_attrs=read-write&connect_timeout=2",
            "DATABASE_REPLICA_URLS": ",".join(urls[name] for name in servers),
            "REDIS_URL": urls["redis"],
            "SECRET_KEY": f"drill-{self._key}",
            "KB_BOOTSTRAP_API_KEY": self._key,
            "KB_DATA_DIR": str(self._folder / (part or "command")),
            "KB_DEMO": "0",
            "KB_WEB_PROCESSES": "1",
            "KB_WORKER_CONCURRENCY": "1",
            "KB_WORKER_GRACE_S": "10",
            "KB_THROTTLE_ANON": "100000/s",
            "KB_THROTTLE_SEARCH": "100000/s",
            "KB_THROTTLE_ASK": "100000/s",
            "PYTHONUNBUFFERED": "1",
            **({"KB_INDEX": QDRANT, "KB_QDRANT_URL": urls[QDRANT]} if self.qdrant else {}),
        }
        return settings if part else {name: value for name, value in settings.items() if "REPLICA" not in name}

    def _linked(self, client: str, server: str) -> str:
        url = self._direct[server]
        return url.replace(_host_of(url), f"127.0.0.1:{self.links.port(client, server)}")


class _Qdrant(PartOfService):
    """A server that has its collections again when it is started again."""

    def __init__(self, folder: Path) -> None:
        (folder / QDRANT).mkdir()
        port = _steady_port()
        self.url = f"http://127.0.0.1:{port}"
        command = [sys.executable, "-m", "bench.qdrant_edge", "--port", str(port), "--dir", str(folder / QDRANT)]
        super().__init__(QDRANT, command, log=folder / "log" / "qdrant.log", settings=os.environ)
        self.is_up = lambda: _answer(port, "/collections") is not None


def _host_of(url: str) -> str:
    return url.partition("://")[2].rpartition("@")[2].partition("/")[0]


def _port_of(url: str) -> int:
    return int(_host_of(url).partition(":")[2])


def _steady_port() -> int:
    return next(port for port in random.sample(PORTS, 100) if is_free(port))


def _keep_port(directory: Path) -> None:
    """Have an embedded server take a port that stays its own while it does not run."""
    directory.mkdir(parents=True)
    (directory / "port").write_text(str(_steady_port()), encoding="ascii")


def _answer(port: int, path: str) -> dict[str, list[dict[str, bool]]] | None:
    """What the web server says; None when that is not 200."""
    with suppress(OSError), urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=10) as answer:
        return dict(json.load(answer))
    return None
