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

from kb_project.operations.local_stack import machine
from kb_project.operations.local_stack.postgres import SUPERUSER, Postgres, program_folder
from kb_project.operations.local_stack.server_account import server_account
from kb_project.operations.local_stack.supervisor import Supervisor


class Server:
    """One of the servers; it can be stopped, killed, frozen and started again."""

    def __init__(self, directory: Path) -> None:
        self.name = directory.name
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
            if Path(postmaster.cwd()) != self.postgres.data.resolve():
                return  # it was killed, and its number went to another program
            for process in (postmaster, *postmaster.children()):
                process.send_signal(number)
        except (OSError, psutil.NoSuchProcess):
            pass  # it does not run

    def follow(self, url: str) -> None:
        """Have a standby receive from the server at this URL, say one that was promoted."""
        host, _, port = url.partition("@")[2].partition("/")[0].partition(":")
        password = url.partition("@")[0].rpartition(":")[2]
        self.set("primary_conninfo", make_conninfo(host=host, port=port, user=SUPERUSER, password=password))

    def set(self, name: str, value: str) -> None:
        """Change a setting that needs no restart."""
        with psycopg.connect(self.url, autocommit=True, connect_timeout=5) as connection:
            connection.execute(sql.SQL("ALTER SYSTEM SET {} = {}").format(sql.Identifier(name), value))
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
            self.copy_to(standby)
        return self

    @property
    def servers(self) -> list[Server]:
        return [self.primary, *self.standbys]

    def stop(self) -> None:
        for server in (*self.standbys, self.primary):
            server.stop()

    def promote(self) -> Server:
        """Have the standby that received most take the place of the primary, which is gone; the others follow it.

        Gives the server that is gone, which is none of the cluster any more: `copy_to` makes it a standby of it.
        """
        promoted = max(self.standbys, key=lambda one: one.ask("SELECT pg_last_wal_receive_lsn() - '0/0'::pg_lsn"))
        promoted.ask("SELECT pg_promote()")
        gone, self.primary = self.primary, promoted
        self.standbys = [standby for standby in self.standbys if standby is not promoted]
        for standby in self.standbys:
            standby.follow(promoted.url)
        return gone

    def copy_to(self, standby: Server) -> None:
        """Start a standby from a copy of the primary, as pg_basebackup writes it."""
        directory = standby.postgres.directory
        directory.mkdir(parents=True, exist_ok=True)
        shutil.rmtree(directory / "data", ignore_errors=True)
        machine.write_private(directory / "password", self.primary.url.partition("@")[0].rpartition(":")[2])
        account = server_account(program_folder() / "postgres", directory / "data")
        account.give(directory)
        subprocess.run(
            [
                *account.before,
                *(str(program_folder() / "pg_basebackup"), "--pgdata", str(directory / "data"), "--dbname"),
                *(self.primary.url.rsplit("/", 1)[0], "--write-recovery-conf", "--checkpoint=fast", "--no-sync"),
            ],
            check=True,
            capture_output=True,
            cwd="/",
            **account.identity,
        )
        standby.start()
