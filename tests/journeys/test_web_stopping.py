"""A web server that is asked to stop: what runs ends, with an answer or an error, and nobody is turned away."""

import contextlib
import itertools
import json
import signal
import socket
import threading
import time
from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest
import requests

from sources.models import Source
from tests.anthropic_server import AnthropicServer, Block, cited
from tests.journeys.test_web import Web, running
from tests.proxy import Proxy
from tests.search.corpus import add_source, section
from tests.waiting import BREATH_S, wait_until

pytestmark = pytest.mark.deep

LEAVE_S, GRACE_S = 4.0, 12.0
QUESTION = "כמה ישלם המאחר בהחזרת ספר?"
ANSWER = Block("שקל ליום.", [cited(0)]), Block(" וכך הלאה.")
SILENCE: dict[str, Any] = {"breaks_after": 3}  # after the first sentence


@pytest.fixture
def law(transactional_db: None) -> Source:
    text = "המאחר בהחזרת ספר ישלם דמי איחור של שקל ליום. הספרן רשאי לפטור מטעמים שיירשמו."
    return add_source(section("3", "איחור", text), title="חוק הספריות הציבוריות לדוגמה", identifier="ח-7")


class Stream(threading.Thread):
    """A stream that is read to its end, by a reader of its own."""

    def __init__(self, web: Web) -> None:
        super().__init__(daemon=True)
        self.url = f"http://127.0.0.1:{web.port}/kb/ask/stream"
        self.events: list[tuple[str, Any]] = []
        self.start()

    def run(self) -> None:
        with requests.post(self.url, json={"question": QUESTION}, stream=True, timeout=60) as answer:
            name = ""
            for line in (raw.decode() for raw in answer.iter_lines()):
                if line.startswith("event: "):
                    name = line.removeprefix("event: ")
                elif line.startswith("data: "):
                    self.events.append((name, json.loads(line.removeprefix("data: "))))

    def names(self) -> list[str]:
        return [name for name, _ in self.events]


@pytest.mark.parametrize("processes", ["1", "2"])
def test_streams_end_properly_and_the_port_closes_first(law: Source, processes: str) -> None:
    with AnthropicServer() as claude:
        environment = {
            "ANTHROPIC_API_KEY": "only-for-tests",
            "ANTHROPIC_BASE_URL": claude.url,
            "KB_EXPANSION_TIMEOUT_S": "20",
            "KB_WEB_PROCESSES": processes,
        }
        with running(leave_s=LEAVE_S, grace_s=GRACE_S, **environment) as web:
            claude.will_stream(*ANSWER, **SILENCE, stall_s=60.0)
            hanging = Stream(web)
            wait_until(lambda: "delta" in hanging.names())
            claude.forget_promises()
            claude.will_stream(*ANSWER, **SILENCE, stall_s=2.5)
            slow = Stream(web)
            wait_until(lambda: "delta" in slow.names())

            web.process.send_signal(signal.SIGTERM)
            wait_until(lambda: web.get("/healthz")[0] == 503)
            found = requests.post(f"http://127.0.0.1:{web.port}/kb/search", json={"query": "ספר"}, timeout=60)
            assert (found.status_code, found.headers["connection"]) == (200, "close")
            wait_until(lambda: not is_open(web.port))
            assert web.process.poll() is None, "the streams still run"
            slow.join(60)
            assert slow.names()[-1] == "done", slow.events[-1]
            hanging.join(60)
            last, problem = hanging.events[-1]
            assert (last, problem["code"], problem["status"]) == ("error", "unavailable", 503)
            assert web.process.wait(60) == 0


def is_open(port: int) -> bool:
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=2):
        return True
    return False


def test_two_webs_restarted_in_turn_behind_a_proxy_turn_nobody_away(law: Source) -> None:
    options: dict[str, Any] = {"leave_s": 1.0, "grace_s": 5.0, "KB_WEB_PROCESSES": "1"}
    with contextlib.ExitStack() as stack:
        webs = [stack.enter_context(running(**options)) for _ in range(2)]
        proxy = stack.enter_context(Proxy(*(web.port for web in webs), probe="/healthz").running())
        wait_until(lambda: all(proxy.are_well()))
        with asking_all_the_while(proxy.url) as outcomes:
            for number, web in enumerate(webs):
                web.process.send_signal(signal.SIGTERM)
                assert web.process.wait(60) == 0
                wait_until(partial(is_out, proxy, number))
                assert proxy.are_well()[1 - number]
                stack.enter_context(running(port=web.port, **options))
                wait_until(lambda: all(proxy.are_well()))
                wait_until(partial(has_grown_beyond, outcomes, len(outcomes) + 20))
        assert set(outcomes) == {"200"}


def is_out(proxy: Proxy, number: int) -> bool:
    return not proxy.are_well()[number]


def has_grown_beyond(outcomes: list[str], count: int) -> bool:
    return len(outcomes) > count


@contextlib.contextmanager
def asking_all_the_while(url: str) -> Iterator[list[str]]:
    """What two clients are answered that search in a closed loop: one keeps its connection, one makes new ones."""
    outcomes: list[str] = []
    ended = threading.Event()

    def ask(session: requests.Session | None) -> None:
        for number in itertools.count():
            if ended.is_set():
                return
            body = {"query": f"ספר {number}"}
            try:
                answer = (session or requests).post(f"{url}/kb/search", json=body, timeout=60)
                outcomes.append(str(answer.status_code))
            except requests.RequestException as error:
                outcomes.append(repr(error))
            time.sleep(BREATH_S)

    clients = [threading.Thread(target=ask, args=[session], daemon=True) for session in (requests.Session(), None)]
    for client in clients:
        client.start()
    try:
        yield outcomes
    finally:
        ended.set()
        for client in clients:
            client.join(60)
