"""What a drill runs on: the processes of its own stack, and small disks that can be filled."""

import contextlib
import os
import shutil
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import psutil

FORKING = ("manage.py worker", "--with-classifier")  # of it worker and classifier are forked


class Processes:
    """The processes below one `manage.py up`; nothing else is ever touched."""

    def __init__(self, supervisor_pid: int) -> None:
        self._supervisor = psutil.Process(supervisor_pid)

    def supervised(self) -> bool:
        """Whether `manage.py up` still runs."""
        with contextlib.suppress(psutil.NoSuchProcess):
            return self._supervisor.status() != psutil.STATUS_ZOMBIE
        return False

    def named(self, part: str) -> psutil.Process | None:
        """The process of `web`, `worker`, `classifier`, `redis` or `postgres`; None while it is not there."""
        marks = {
            "web": ("kb_project.web.web_server",),
            "classifier": FORKING,
            "worker": FORKING,
            "redis": ("-server 127.0.0.1:",),  # the title of redis-server and of valkey-server
            "postgres": ("bin/postgres",),
        }[part]
        with contextlib.suppress(psutil.NoSuchProcess):
            for process in self._supervisor.children():
                with contextlib.suppress(psutil.NoSuchProcess):
                    line = " ".join(process.cmdline())
                    if all(mark in line for mark in marks):
                        if marks is not FORKING:
                            return process
                        return next((forked for forked in process.children() if forked.name() == part), None)
        return None

    def pool(self) -> list[psutil.Process]:
        """The processes of the worker that do the work."""
        worker = self.named("worker")
        if worker is None:
            return []
        with contextlib.suppress(psutil.NoSuchProcess):
            line = worker.cmdline()
            return [child for child in worker.children() if child.cmdline() == line]
        return []

    def kill(self, part: str, *, number: signal.Signals = signal.SIGKILL) -> None:
        """Send the signal to a part of the stack, if it runs."""
        with contextlib.suppress(psutil.NoSuchProcess):
            if process := self.named(part):
                process.send_signal(number)


class SmallDisk:
    """A disk of its own in memory, mounted on a folder; `None` where this user may not mount one."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._filler = folder / "filler"

    def fill(self) -> None:
        """Write until nothing fits any more."""
        with contextlib.suppress(OSError), self._filler.open("ab", buffering=0) as file:
            for size in (1024 * 1024, 4096, 1):
                with contextlib.suppress(OSError):
                    while file.write(b"\0" * size) == size:
                        pass

    def clear(self) -> None:
        self._filler.unlink(missing_ok=True)


@contextlib.contextmanager
def small_disk(folder: Path, *, megabytes: int) -> Iterator[SmallDisk | None]:
    """Mount a small disk on the folder, which is made; it goes at the end with all that is on it."""
    folder.mkdir(parents=True, exist_ok=True)
    mount, umount = shutil.which("mount"), shutil.which("umount")
    if os.geteuid() != 0 or not mount or not umount:
        yield None
        return
    options = f"size={megabytes}m,mode=1777"
    done = subprocess.run([mount, "-t", "tmpfs", "-o", options, "kb-drill", str(folder)], capture_output=True)
    if done.returncode:
        yield None
        return
    try:
        yield SmallDisk(folder)
    finally:
        subprocess.run([umount, "--lazy", str(folder)], capture_output=True)
