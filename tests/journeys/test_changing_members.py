"""The members of a topic change while people ask, in two web processes and on standbys: who sees what then."""

import itertools
import threading
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import pytest
import requests

from tests.folders import passable
from tests.journeys.served_on_standbys import TIMEOUT_S, Service
from tests.waiting import PASSING_STEP_S

pytestmark = [pytest.mark.timeout(900), pytest.mark.deep]
WORD = "zibeline"  # in all that the topic has, and in no request
CHANGES, REQUESTS, READERS = 200, 2_000, 4
MAKE_PERSON = """
from django.contrib.auth.models import User
from topics.keys import make_personal_key
print(make_personal_key(User.objects.create_user("reader"), "reads", with_rights=False, last_day=None)[1])
"""
RPC = {"jsonrpc": "2.0", "id": 1, "method": "tools/call"}
CALL = {**RPC, "params": {"name": "search_legal_kb", "arguments": {"query": "say so within thirty days"}}}


@dataclass(frozen=True)
class Asked:
    """One request. `surely`: whether it shows something of the topic to each of its members."""

    method: str
    path: str
    body: Any = None
    surely: bool = True


@dataclass(frozen=True)
class Change:
    """From `began` to `ended`, on the clock, the reader was made a member, or was made none."""

    is_member: bool
    began: float
    ended: float


class Furs:
    """A topic for its members only, and a reader who is one or is none."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self.key = service.up.manage("shell", "--verbosity", "0", "-c", MAKE_PERSON).splitlines()[-1]
        made = service.call("POST", "/admin/kb/topics", json={"name": f"{WORD} trade", "slug": "furs"})
        self.id = made.json()["id"]
        assert service.call("PATCH", f"/admin/kb/topics/{self.id}", json={"open_to": "members"}).status_code == 200
        self.source_id = service.add(WORD, topic_id=self.id)
        label_id = service.call("POST", "/admin/kb/labels", json={"name": f"{WORD} pelts"}).json()["id"]
        labelled = service.call("PATCH", f"/admin/kb/sources/{self.source_id}", json={"label_ids": [label_id]})
        assert labelled.status_code == 200, labelled.text
        service.add("ermine", title="Circular on ermine")  # of another topic, which everybody sees
        self.changes: list[Change] = []
        self.answered = itertools.count(1)

    def asked(self) -> list[Asked]:
        return [
            Asked("POST", "/kb/search", {"query": "who must say so within thirty days"}),
            Asked("GET", "/kb/suggest?q=circular"),
            Asked("POST", "/kb/ask", {"question": "Who must say so within thirty days?"}, surely=False),
            Asked("GET", "/changes/feed/", surely=False),
            Asked("GET", "/kb/sources?limit=50"),
            Asked("GET", f"/kb/sources/{self.source_id}"),
            Asked("GET", "/kb/topics"),
            Asked("GET", "/kb/labels"),
            Asked("GET", f"/kb/sources/{self.source_id}/file"),
            Asked("GET", "/kb/radar", surely=False),
            Asked("POST", "/mcp/furs/", CALL),
        ]

    def set_member(self, is_member: bool) -> None:
        members = [{"person": "reader", "role": "reader"}] if is_member else []
        began = time.monotonic()
        answer = self._service.call("PUT", f"/admin/kb/topics/{self.id}/members", json=members)
        assert answer.status_code == 200, answer.text
        self.changes.append(Change(is_member, began, time.monotonic()))

    def shows(self, asked: Asked) -> bool:
        """Whether the answer has anything of the topic."""
        headers = {"Authorization": f"Api-Key {self.key}", "Accept": "application/json, text/event-stream, */*"}
        address = self._service.up.url + asked.path
        said = requests.request(asked.method, address, headers=headers, json=asked.body, timeout=TIMEOUT_S)
        assert said.status_code in (200, 404), said.text
        return WORD in said.text.lower()

    def was_member(self, began: float, ended: float) -> bool | None:
        """Whether the reader was one during all of that time; None where it changed meanwhile."""
        before = [change for change in self.changes if change.began < ended]
        last = before[-1]
        return last.is_member if last.ended < began else None


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    service = Service(passable(tmp_path_factory.mktemp("members")))
    yield service
    service.stop()


@pytest.fixture(scope="module")
def furs(service: Service) -> Furs:
    return Furs(service)


def test_each_request_shows_what_is_theirs_at_the_time(service: Service, furs: Furs) -> None:
    service.until_read()
    furs.set_member(False)
    seen: list[tuple[Asked, float, float, bool]] = []
    done = threading.Event()

    def read(place: int) -> None:
        for asked in itertools.islice(itertools.cycle(furs.asked()), place, None):
            if done.is_set():
                return
            began = time.monotonic()
            shown = furs.shows(asked)
            seen.append((asked, began, time.monotonic(), shown))

    with ThreadPoolExecutor(READERS) as pool:
        reading = [pool.submit(read, place * 3) for place in range(READERS)]
        try:
            for number in range(1, CHANGES + 1):
                furs.set_member(number % 2 == 1)
                while len(seen) < number * REQUESTS // CHANGES and not any(one.done() for one in reading):
                    time.sleep(PASSING_STEP_S)
        finally:
            done.set()
    for one in reading:
        one.result()

    assert len(seen) >= REQUESTS
    told = [(asked, furs.was_member(began, ended), shown) for asked, began, ended, shown in seen]
    assert [asked.path for asked, theirs, shown in told if theirs is False and shown] == []
    assert [asked.path for asked, theirs, shown in told if theirs and asked.surely and not shown] == []
    judged = Counter(theirs for _asked, theirs, _shown in told if theirs is not None)
    assert min(judged.values()) > REQUESTS / 20
    assert sum(service.reads(f"replica{number}") for number in (1, 2)) > 0


def test_a_change_holds_while_standbys_replay_nothing(service: Service, furs: Furs) -> None:
    furs.set_member(True)
    service.until_read()
    surely = [asked for asked in furs.asked() if asked.surely]
    assert [asked.path for asked in surely if not furs.shows(asked)] == []
    service.pause()
    try:
        for is_member in (False, True, False):
            furs.set_member(is_member)
            for _process in range(4):
                assert {furs.shows(asked) for asked in surely} == {is_member}
    finally:
        service.resume_quietly()
