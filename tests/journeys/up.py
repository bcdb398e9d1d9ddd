"""`manage.py up` in a process of its own, as the person at the terminal has it."""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import urllib.parse
import urllib.request
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any

import psutil
import pytest

from tests.servers import PROJECT


class Up:
    """One run of `manage.py up` on a data directory, with what it printed."""

    def __init__(self, data: Path, **environment: str) -> None:
        self.data = data
        self.output = ""
        self.environment = {
            **{name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "REDIS_URL")},
            "KB_DATA_DIR": str(data),
            "KB_WORKER_CONCURRENCY": "1",
            "KB_WEB_PROCESSES": "1",
            **environment,
        }
        self.url = f"http://127.0.0.1:{self.environment['KB_PORT']}"
        self.process = subprocess.Popen(
            [sys.executable, "manage.py", "up"],
            cwd=PROJECT,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )

    def until_ready(self) -> Up:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.output += line
            if line.startswith("ready "):
                return self
        pytest.fail(f"`up` ended with code {self.process.wait()}:\n{self.output}")

    def end(self, number: signal.Signals) -> int:
        """Send the signal and wait for the end; gives the exit code."""
        self.process.send_signal(number)
        rest, _ = self.process.communicate(timeout=60)
        self.output += rest
        return self.process.returncode

    def get(self, path: str) -> Any:
        with urllib.request.urlopen(self.url + path, timeout=60) as answer:
            return json.load(answer)

    def manage(self, *arguments: str) -> str:
        """Give a command in another terminal."""
        command = [sys.executable, "manage.py", *arguments]
        done = subprocess.run(command, cwd=PROJECT, env=self.environment, capture_output=True, text=True, check=True)
        return done.stdout.strip()


def refused(data: Path, **environment: str) -> str:
    """What `up` says when it does not start."""
    run = Up(data, **environment)
    said, _ = run.process.communicate(timeout=60)
    assert run.process.returncode == 1
    return said.strip()


def runs(process: psutil.Process) -> bool:
    """Whether it still does: psutil's `is_running` says so of one that ended and that pid 1 has yet to collect."""
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def workers_of(run: Up) -> dict[str, psutil.Process]:
    """The worker and the classifier of a run, as far as they are there."""
    found: dict[str, psutil.Process] = {}
    for program in psutil.Process(run.process.pid).children():
        with contextlib.suppress(psutil.NoSuchProcess):
            if "--with-classifier" in program.cmdline():
                found |= {process.name(): process for process in program.children() if runs(process)}
    return found


def processes_of(data: Path) -> list[psutil.Process]:
    """Every process that works on the data directory, whoever started it."""
    found = []
    for process in filter(runs, psutil.process_iter()):
        with contextlib.suppress(psutil.Error):  # it ended while we looked
            if process.environ().get("KB_DATA_DIR") == str(data) or str(data) in " ".join(process.cmdline()):
                found.append(process)
    return found


def sign_in(run: Up, *, user: str, password: str) -> int:
    """Sign in to Django's admin as a browser does; gives the status of the page one lands on."""
    return 200 if page_of("/admin/", run, user=user, password=password) else 403


def page_of(path: str, run: Up, *, user: str, password: str) -> str:
    """Sign in as a browser does, and give the page that one lands on; "" for who does not come in."""
    jar = CookieJar()
    browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(jar))
    page = browser.open(f"{run.url}/admin/login/", timeout=60).read().decode()
    token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page)
    assert token is not None
    form = {"csrfmiddlewaretoken": token[1], "username": user, "password": password, "next": path}
    request = urllib.request.Request(
        f"{run.url}/admin/login/", urllib.parse.urlencode(form).encode(), {"Referer": f"{run.url}/admin/login/"}
    )
    landed = str(browser.open(request, timeout=60).read().decode())
    return landed if any(cookie.name == "sessionid" for cookie in jar) else ""
