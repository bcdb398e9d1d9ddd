"""The data directory of an embedded stack: its lock, its logs, and what is noted in it."""

import contextlib
import fcntl
import json
import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from kb_project.configuration.environment import NOTE, running_stack
from kb_project.operations.local_stack import CannotStart, machine


@dataclass(frozen=True)
class DataDirectory:
    path: Path

    @property
    def postgres(self) -> Path:
        return self.path / "postgres"

    @property
    def redis(self) -> Path:
        return self.path / "redis"

    @property
    def demo_loaded(self) -> Path:
        """A mark, made once the demo documents have been queued: deleting them is for good."""
        return self.path / "demo_loaded"

    def emptied(self, name: str) -> Path:
        """The folder of that name with nothing in it."""
        folder = self.path / name
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        return folder

    def log(self, name: str) -> Path:
        return self.path / "log" / f"{name}.log"

    @contextlib.contextmanager
    def locked(self) -> Iterator[None]:
        """Hold the directory for this process. The lock ends with the process, however that ends.

        Raises CannotStart when another process holds it, or when nothing can be written there.
        """
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            (self.path / "log").mkdir(exist_ok=True)
            lock = os.open(self.path / "up.lock", os.O_CREAT | os.O_RDWR, 0o600)
        except OSError as error:
            raise CannotStart(f"Cannot write in KB_DATA_DIR={self.path}: {error.strerror}.") from error
        try:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise CannotStart(self._already_running()) from None
            yield
        finally:
            os.close(lock)

    def _already_running(self) -> str:
        note = self.noted()
        where = f" at {note['url']} (process {note['pid']})" if "url" in note and "pid" in note else ""
        return (
            f"The knowledge base of {self.path} is already running{where}: "
            "stop it first, or set KB_DATA_DIR and KB_PORT to run another."
        )

    def noted(self) -> dict[str, str]:
        """What the running stack noted, empty when none runs."""
        return running_stack(self.path)

    def note(self, **addresses: str) -> None:
        """Note where the running servers are, for `manage.py` commands given in another terminal.

        Only the owner can read it: the addresses carry passwords.
        """
        machine.write_private(self.path / NOTE, json.dumps(addresses, indent=1))

    def forget_note(self) -> None:
        (self.path / NOTE).unlink(missing_ok=True)
