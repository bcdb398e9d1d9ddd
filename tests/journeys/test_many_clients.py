"""Many clients at once on default settings: exports, searches, streams that are cut. Nothing is kept by any of them."""

import re
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from urllib.parse import urlencode

import pytest

from tests.factories import make_filed_source
from tests.journeys.test_web import Web, running, signed_in
from tests.security import walking
from tests.security.hidden_topics import World
from tests.waiting import wait_until

pytestmark = pytest.mark.deep
LASTS_S = 120
EXPORTERS, SEARCHERS, CUT = 4, 40, 10
EXPORTS = ("/library/export.csv", "/library/export.json", "/audit/export.csv", "/no-such-page/", "/check/")
WHO = "manager of all"
AT_ONCE = 20  # addresses, between two looks at the connections
UNHURRIED = {f"KB_THROTTLE_{name}": "100000/s" for name in ("ANON", "READING", "SEARCH", "ASK", "CHECK")}


def in_use(web: Web) -> int:
    """Connections that something holds, of all processes."""
    [used] = re.findall(r'kb_db_pool_connections\{state="in_use"\} (\S+)', web.metrics())
    return int(float(used))


def all_came_back(web: Web) -> bool:
    """Whether no connection is held but that of the last request, which is counted before its end."""
    with suppress(AssertionError):
        return wait_until(lambda: in_use(web) <= 1)
    return False


def test_nobody_is_refused_but_by_rate_and_all_connections_come_back(transactional_db: None) -> None:
    session = signed_in()
    source = make_filed_source()
    with running(KB_WEB_PROCESSES="1") as web, ThreadPoolExecutor(EXPORTERS + SEARCHERS + CUT) as people:
        ends = time.monotonic() + LASTS_S
        answers: Counter[int] = Counter()

        def again(ask: Callable[[int], int]) -> None:
            turn = 0
            while time.monotonic() < ends:
                answers[ask(turn)] += 1
                turn += 1

        def export(turn: int) -> int:
            return web.get(EXPORTS[turn % len(EXPORTS)], cookie=session)[0]

        def search(turn: int) -> int:
            return web.get(("/kb/search.md?query=keeper", f"/documents/{source.pk}/", "/?q=keeper")[turn % 3])[0]

        def leave(turn: int) -> int:
            ask = {"question": f"What does keeper {turn} pay?", "topic_id": 1}
            web.leave_on("/kb/ask/stream", body=ask, within_s=(0.01, 0.05, 0.3)[turn % 3])
            web.leave_on(EXPORTS[turn % 3], cookie=session, within_s=(0.01, 0.03)[turn % 2])
            return 0

        tasks = [(export, EXPORTERS), (search, SEARCHERS), (leave, CUT)]
        asking = [people.submit(again, ask) for ask, count in tasks for _ in range(count)]
        for one in asking:
            one.result()
        assert set(answers) <= {0, 200, 404, 429}, answers
        assert answers[200] > SEARCHERS, answers
        assert all_came_back(web)


def test_no_address_keeps_a_connection_however_its_answer_is_left(transactional_db: None) -> None:
    """Every page, file, export and stream: read to its end, and left before and in the middle of it."""
    world = World()
    asked = [one for one in (*walking.pages(world, WHO), *walking.operations(world, WHO)) if one.method == "GET"]
    paths = list(dict.fromkeys(f"{one.path}?{urlencode(one.query, doseq=True)}" for one in asked))
    session = signed_in()
    answers: Counter[int] = Counter()
    with running(KB_WEB_PROCESSES="1", **UNHURRIED) as web, ThreadPoolExecutor(4) as people:

        def read_and_leave(path: str) -> None:
            answers[web.get(path, cookie=session)[0]] += 1
            for within_s in (0.001, 0.01, 0.05):
                web.leave_on(path, cookie=session, within_s=within_s)

        for start in range(0, len(paths), AT_ONCE):
            some = paths[start : start + AT_ONCE]
            list(people.map(read_and_leave, some))
            assert all_came_back(web), some
    assert answers[200] > len(paths) / 2, answers
    assert answers[500] == 0, answers
