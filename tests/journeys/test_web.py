"""`manage.py web`: several processes on one port, what they count together, and what becomes of one that is killed."""

import contextlib
import json
import re
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

import psutil
import pytest
from django.db import connection, transaction
from django.test import Client

from kb_project.operations.local_stack.machine import free_port
from search.models import SearchCount
from tests.factories import make_filed_source, make_staff
from tests.servers import PROJECT, subprocess_environment
from tests.waiting import wait_until

pytestmark = pytest.mark.deep

PROCESSES = 2
TOPICS = 'kb_http_requests_total{{method="GET",route="topics",status="200"}} {:.1f}'


class Web:
    """A running `manage.py web`."""

    def __init__(
        self, *, port: int = 0, leave_s: float | None = 0, grace_s: float = 2, code: Path = PROJECT, **environment: str
    ) -> None:
        self.port = port or free_port()
        self.log = TemporaryFile("w+", encoding="utf-8")  # noqa: SIM115  # a pipe that nobody reads would stop it
        times = ["--grace", str(grace_s), *(() if leave_s is None else ("--leave", str(leave_s)))]
        self.process = subprocess.Popen(
            [sys.executable, "manage.py", "web", "--port", str(self.port), *times],
            cwd=code,
            env=subprocess_environment(**{"KB_WEB_PROCESSES": str(PROCESSES), **environment}),
            stdout=self.log,
            stderr=subprocess.STDOUT,
        )

    def get(self, path: str, **headers: str) -> tuple[int, str]:
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}{path}",
            headers={name.replace("_", "-"): value for name, value in headers.items()},
        )
        try:
            with urllib.request.urlopen(request, timeout=10) as answer:
                return answer.status, answer.read().decode(errors="replace")
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode(errors="replace")
        except OSError as error:
            return 0, str(error)

    def leave_on(self, path: str, *, body: Any = None, within_s: float = 0.02, **headers: str) -> None:
        """Ask, and close the connection after a while, whatever has come."""
        content = json.dumps(body).encode() if body is not None else None
        sent = {**headers, **({"content-type": "application/json"} if content else {})}
        asking = HTTPConnection("127.0.0.1", self.port, timeout=within_s)
        with contextlib.closing(asking), contextlib.suppress(OSError):
            asking.request("POST" if content else "GET", path, content, sent)
            asking.getresponse().read()

    def said(self) -> str:
        self.log.seek(0)
        return self.log.read()

    def servers(self) -> list[psutil.Process]:
        """The processes that answer."""
        found = []
        for child in psutil.Process(self.process.pid).children():
            with contextlib.suppress(psutil.NoSuchProcess):  # it has ended
                if "spawn_main" in " ".join(child.cmdline()):
                    found.append(child)
        return found

    def metrics(self) -> str:
        return self.get("/metrics")[1]


def signed_in() -> str:
    """The cookie of somebody who may do everything."""
    client = Client()
    client.force_login(make_staff())
    return f"sessionid={client.cookies['sessionid'].value}"


@contextlib.contextmanager
def running(**options: Any) -> Iterator[Web]:
    """A server that answers, until the end of the block; `options` are those of `Web`."""
    web = Web(**options)
    try:
        wait_until(lambda: web.process.poll() is not None or web.get("/healthz")[0] == 200)
        assert web.process.poll() is None
        yield web
    except BaseException:
        print(web.said())  # pytest shows it with what failed
        raise
    finally:
        web.process.kill()
        web.process.wait()
        web.log.close()


def test_processes_count_together_and_a_killed_one_is_replaced(transactional_db: None) -> None:
    with running() as web:
        wait_until(lambda: len(re.findall(r"^process_resident_memory_bytes", web.metrics(), re.MULTILINE)) == PROCESSES)
        for _ in range(20):
            assert web.get("/kb/topics")[0] == 200
        # Whichever of them is asked.
        for _ in range(6):
            assert TOPICS.format(20) in web.metrics()
        asked = set(re.findall(r'^kb_db_pool_waiting{pid="(\d+)"}', web.metrics(), re.MULTILINE))
        assert asked <= {str(process.pid) for process in web.servers()}

        # Each writes down what was searched for.
        for _ in range(6):
            assert web.get("/?q=deposit")[0] == 200
        wait_until(lambda: SearchCount.objects.filter(query="deposit", searches=6).exists())

        # What a process counted stays when it is gone.
        wait_until(lambda: len(web.servers()) == PROCESSES)
        killed = web.servers()[0]
        killed.kill()
        wait_until(lambda: len(web.servers()) == PROCESSES and killed not in web.servers())
        wait_until(lambda: web.get("/healthz")[0] == 200)
        assert TOPICS.format(20) in web.metrics()
        wait_until(lambda: f'pid="{killed.pid}"' not in web.metrics())

        # All end with the first process.
        wait_until(lambda: len(web.servers()) == PROCESSES)
        processes = psutil.Process(web.process.pid).children()
        web.process.send_signal(signal.SIGKILL)
        web.process.wait()
        gone, alive = psutil.wait_procs(processes, timeout=20)
        assert alive == []
        assert len(gone) > PROCESSES


def test_mistakes_in_the_settings_are_said_and_nothing_started(transactional_db: None) -> None:
    web = Web(KB_DEMO="maybe", KB_MAX_PAGES="many", KB_TRUSTED_PROXIES="proxy.example.org,*")
    assert web.process.wait(60) == 1
    lines = web.said().splitlines()
    assert lines[:2] == [
        "KB_DEMO is 'maybe'; it must be 1 or 0. (kb.E010)",
        "KB_MAX_PAGES is 'many'; it must be a whole number. (kb.E010)",
    ]
    assert [line.split(";")[0] for line in lines[2:]] == [
        "KB_TRUSTED_PROXIES names 'proxy.example.org'",
        "KB_TRUSTED_PROXIES names '*'",
    ]


@pytest.mark.parametrize(("proxies", "refused"), [("", True), ("10.0.0.0/8", True), ("10.0.0.0/8,127.0.0.1", False)])
def test_forwarded_address_is_believed_of_named_proxies_alone(
    transactional_db: None, proxies: str, refused: bool
) -> None:
    """Each request says that it comes from another address; where nobody believes that, they are one client."""
    with running(KB_TRUSTED_PROXIES=proxies, KB_THROTTLE_ANON="3/min", KB_WEB_PROCESSES="1") as web:
        answers = [web.get("/kb/topics", X_Forwarded_For=f"192.0.2.{number}")[0] for number in range(8)]
        assert (429 in answers) is refused
        assert answers.count(200) == 8 - answers.count(429)


def test_streams_give_their_connections_back(transactional_db: None) -> None:
    """Read to their end, as most clients leave on the last byte, and cut at any moment."""
    session = signed_in()
    source = make_filed_source()
    with running(KB_WEB_PROCESSES="1", KB_DB_POOL_SIZE="2") as web:
        file, akn = f"/kb/sources/{source.pk}/file", f"/kb/sources/{source.pk}.akn.xml"
        paths = ["/library/export.csv", "/library/export.json", "/audit/export.csv", file, akn]
        for path in paths * 4:
            assert web.get(path, cookie=session)[0] == 200, path
        for path in paths * 4:
            web.leave_on(path, cookie=session)
        ask = {"question": "What does a keeper pay?", "topic_id": 1}
        for within_s in (5, 0.01, 0.05, 0.1) * 3:
            web.leave_on("/kb/ask/stream", body=ask, within_s=within_s)
        with ThreadPoolExecutor(2) as asking:
            answers = asking.map(lambda path: web.get(path, cookie=session)[0], paths * 2)
            assert set(answers) == {200}


def test_a_process_that_gets_no_connection_is_replaced(transactional_db: None) -> None:
    with running(KB_WEB_PROCESSES="2", KB_DB_POOL_SIZE="1") as web, ThreadPoolExecutor(8) as asking:
        wait_until(lambda: len(web.servers()) == 2)
        before = {one.pid for one in web.servers()}
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("LOCK TABLE kb_topic IN ACCESS EXCLUSIVE MODE")

            def is_replaced() -> bool:
                list(asking.map(lambda _: web.get("/kb/topics"), range(8)))
                return not before & {one.pid for one in web.servers()}

            wait_until(is_replaced, within_s=180)
        wait_until(lambda: web.get("/kb/topics")[0] == 200)
        assert "No database connection was free for 60 seconds" in web.said()
