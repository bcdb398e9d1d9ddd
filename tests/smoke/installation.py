"""An installation in a directory of its own: `make run` as a person gives it, Ctrl-C, and what is left running."""

import os
import re
import shutil
import signal
import socket
import subprocess
import threading
import time
from pathlib import Path

from tests.smoke import Failed
from tests.smoke.readme import Block, check

PROJECT = Path(__file__).resolve().parents[2]
READY_WITHIN_S = 900  # packages are downloaded
BLOCK_WITHIN_S = 180
STOP_WITHIN_S = 60
# What a developer's shell may say must not reach the installation.
OWN = re.compile(
    r"KB_|AWS_|ANTHROPIC_|DJANGO_|MAKE|MFLAGS|VIRTUAL_ENV$|PYTHON|DATABASE_|REDIS_|VENV$|SECRET_KEY$|DEBUG$"
)
LEFT = """
import os, psutil
for process in psutil.process_iter():
    try:
        line = " ".join(process.cmdline())
        if process.pid != os.getpid() and ({0!r} in line or process.environ().get("KB_SMOKE") == {0!r}):
            print(process.pid, line)
    except psutil.Error:
        pass
"""


class Installation:
    """A copy of the project as it stands, uncommitted changes included, and the processes of its `make run`."""

    def __init__(self, directory: Path, *, python: str) -> None:
        self.directory = directory
        self.port = _free_port()
        self.output = ""
        self._process: subprocess.Popen[str] | None = None
        self._environment = {
            **{name: value for name, value in os.environ.items() if not OWN.match(name)},
            "KB_PORT": str(self.port),
            "KB_SMOKE": str(directory),
            "PYTHON": python,
        }
        listed = subprocess.run(
            ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"],
            cwd=PROJECT,
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for name in filter(None, listed.split("\0")):
            if (PROJECT / name).is_file():
                (directory / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(PROJECT / name, directory / name)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self, command: str) -> float:
        """Give the command as in a terminal of its own, wait until it says that it is ready; the seconds that took."""
        started = time.monotonic()
        self.output = ""
        self._process = subprocess.Popen(
            ["sh", "-c", f"exec {command}"],
            cwd=self.directory,
            env=self._environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            process_group=0,  # Ctrl-C reaches the whole group, as the terminal sends it
        )
        ready = threading.Event()
        reader = threading.Thread(target=self._read, args=[self._process, ready], daemon=True)
        reader.start()
        while not ready.wait(0.2):
            if self._process.poll() is not None:
                reader.join()
                raise Failed(f"{command} ended with code {self._process.returncode}:\n{self.output}")
            if time.monotonic() - started > READY_WITHIN_S:
                raise Failed(f"{command} is not ready after {READY_WITHIN_S} s:\n{self.output}")
        return time.monotonic() - started

    def _read(self, process: subprocess.Popen[str], ready: threading.Event) -> None:
        assert process.stdout is not None
        for line in process.stdout:
            self.output += line
            if line.startswith("ready "):
                ready.set()

    def run(self, block: Block) -> str:
        """Run a block of the README in the directory, at this installation's port, and check what it prints."""
        script = block.script.replace("127.0.0.1:8000", f"127.0.0.1:{self.port}")
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", script],
            cwd=self.directory,
            env=self._environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=BLOCK_WITHIN_S,
        )
        if done.returncode:
            raise Failed(f"The README's block under {block.heading!r} ended with {done.returncode}:\n{done.stdout}")
        check(block, done.stdout)
        return done.stdout

    def manage(self, *arguments: str) -> str:
        return self._python("manage.py", *arguments)

    def interrupt(self) -> float:
        """Press Ctrl-C, wait for the end, see that nothing is left; the seconds that took."""
        assert self._process is not None
        started = time.monotonic()
        os.killpg(self._process.pid, signal.SIGINT)
        try:
            self._process.wait(STOP_WITHIN_S)
        except subprocess.TimeoutExpired:
            raise Failed(f"After Ctrl-C it goes on for {STOP_WITHIN_S} s:\n{self.output}") from None
        seconds = time.monotonic() - started
        if "nothing is left running" not in self.output:
            raise Failed(f"After Ctrl-C it did not end in order:\n{self.output}")
        if left := self._python("-c", LEFT.format(str(self.directory))):
            raise Failed(f"After Ctrl-C these are left running:\n{left}")
        return seconds

    def kill(self) -> None:
        """End what runs, whatever state it is in."""
        if self._process is not None and self._process.poll() is None:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()

    def _python(self, *arguments: str) -> str:
        done = subprocess.run(
            [".venv/bin/python", *arguments],
            cwd=self.directory,
            env={name: value for name, value in self._environment.items() if name != "KB_SMOKE"},
            capture_output=True,
            text=True,
            timeout=BLOCK_WITHIN_S,
        )
        if done.returncode:
            raise Failed(f"python {' '.join(arguments)} ended with {done.returncode}:\n{done.stderr}")
        return done.stdout.strip()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
