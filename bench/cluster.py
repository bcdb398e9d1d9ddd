"""A primary of the embedded Postgres and hot standbys of it, each a server of its own on this machine."""

import shutil
import signal
import subprocess
from pathlib import Path
from typing import Any, LiteralString, Self

import psutil
import psycopg
from psycopg import sql
from psycopg.conninfo import make_conninfo

from kb_project.embedded import machine
from kb_project.embedded.postgres import SUPERUSER, Postgres, program_folder
from kb_project.embedded.supervisor import Supervisor


class Server:
    """One of the servers; it can be stopped, killed, frozen and started again."""

    def __init__(self, directory: Path) -> None:
        self.postgres = Postgres(directory=directory, log=directory.with_suffix(".log"))
        self.url = ""
        self._supervisor = Supervisor()

    def start(self) -> Self:
        self._supervisor = Supervisor()
        self.url = self.postgres.start(self._supervisor)
        return self

    def stop(self) -> None:
        """Stop it as an administrator does; a frozen one goes on first."""
        self.signal(signal.SIGCONT)
        self._supervisor.stop()

    def kill(self) -> None:
        self.signal(signal.SIGKILL)
        self._supervisor.stop()

    def signal(self, number: signal.Signals) -> None:
        """Send the signal to all its processes."""
        try:
            note = (self.postgres.data / "postmaster.pid").read_text(encoding="ascii")
            postmaster = psutil.Process(int(note.split(maxsplit=1)[0]))
            for process in (postmaster, *postmaster.children()):
                process.send_signal(number)
        except (OSError, psutil.NoSuchProcess):
            pass  # it does not run

    def follow(self, other: "Server") -> None:
        """Have a standby receive from another server, which was promoted."""
        host, _, port = other.url.partition("@")[2].partition("/")[0].partition(":")
        password = other.url.partition("@")[0].rpartition(":")[2]
        source = make_conninfo(host=host, port=port, user=SUPERUSER, password=password)
        with psycopg.connect(self.url, autocommit=True, connect_timeout=5) as connection:
            connection.execute(sql.SQL("ALTER SYSTEM SET primary_conninfo = {}").format(source))
            connection.execute("SELECT pg_reload_conf()")

    def ask(self, statement: LiteralString) -> Any:
        """The first value that the statement gives."""
        with psycopg.connect(self.url, autocommit=True, connect_timeout=5) as connection:
            row: Any = connection.execute(statement).fetchone()
            return row[0] if row else None


class Cluster:
    """A primary and so many standbys under a directory; stop it at the end."""

    def __init__(self, directory: Path, *, standbys: int) -> None:
        self.directory = directory
        self.primary = Server(directory / "primary")
        self.standbys = [Server(directory / f"standby{number}") for number in range(1, standbys + 1)]

    def start(self) -> Self:
        self.primary.start()
        for standby in self.standbys:
            self._copy_to(standby.postgres.directory)
            standby.start()
        return self

    def stop(self) -> None:
        for server in (*self.standbys, self.primary):
            server.stop()

    def _copy_to(self, directory: Path) -> None:
        """Make the directory of a standby, as pg_basebackup writes it."""
        directory.mkdir(parents=True)
        shutil.copy2(self.primary.postgres.directory / "password", directory / "password")
        user = machine.server_user()
        if user:
            machine.hand_over(directory, user)
        subprocess.run(
            [
                *(str(program_folder() / "pg_basebackup"), "--pgdata", str(directory / "data"), "--dbname"),
                *(self.primary.url.rsplit("/", 1)[0], "--write-recovery-conf", "--checkpoint=fast", "--no-sync"),
            ],
            check=True,
            capture_output=True,
            cwd="/",
            **machine.identity(user),
        )
