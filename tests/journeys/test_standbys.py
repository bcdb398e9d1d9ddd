"""The service on a primary and two hot standbys that lag, die, freeze, and are promoted."""

import random
import signal
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import psycopg
import pytest
import redis

from kb_project.operations.local_stack.directory import DataDirectory
from tests.folders import passable
from tests.journeys.served_on_standbys import Service
from tests.waiting import BREATH_S, PATIENCE_S, wait_until

pytestmark = [pytest.mark.timeout(300), pytest.mark.deep]
PROPERTY_S = 8.0


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    service = Service(passable(tmp_path_factory.mktemp("standbys")))
    yield service
    service.stop()


@pytest.fixture
def service(running: Service) -> Iterator[Service]:
    """Both standbys are read when the test begins."""
    running.until_read()
    yield running
    running.resume_quietly()


def test_documents_are_read_from_standbys_until_these_lag(service: Service) -> None:
    """What nobody noted, a change behind the service's back, is seen when the standby has it, or lags for too long."""
    source_id = service.add("samovar", title="Before")
    time.sleep(0.5)  # they have that
    assert {service.title(source_id) for _ in range(20)} == {"Before"}  # both processes have asked how far they must be
    service.pause()
    service.write("UPDATE kb_source SET title = 'After' WHERE id = %s", source_id)
    assert {service.title(source_id) for _ in range(8)} == {"Before"}
    wait_until(lambda: {service.title(source_id) for _ in range(8)} == {"After"})
    wait_until(lambda: any("behind" in trouble for trouble in service.troubles()))


def test_who_changed_something_reads_what_they_changed(service: Service) -> None:
    source_id = service.add("astrolabe")
    service.pause()
    for number in range(3):
        assert service.call("PATCH", f"/admin/kb/sources/{source_id}", json={"title": f"v{number}"}).status_code == 200
        assert {service.title(source_id) for _ in range(6)} == {f"v{number}"}


def test_what_was_deleted_is_not_shown_again(service: Service) -> None:
    kept, deleted = service.add("theodolite"), service.add("clepsydra")
    assert service.found("clepsydra") == [deleted]
    service.pause()
    assert service.call("DELETE", f"/admin/kb/sources/{deleted}").status_code == 204
    for _ in range(6):
        assert service.found("clepsydra") == []
        assert service.call("GET", f"/kb/sources/{deleted}").status_code == 404
        assert service.call("GET", f"/documents/{deleted}/").status_code == 404
    assert service.found("theodolite") == [kept]


def test_what_a_worker_published_is_found_when_its_job_is_done(service: Service) -> None:
    service.pause()
    source_id = service.add("orrery")
    assert service.found("orrery") == [source_id]


def test_what_was_noted_holds_after_redis_was_emptied(service: Service) -> None:
    source_id = service.add("gnomon")
    service.pause()
    assert service.call("PATCH", f"/admin/kb/sources/{source_id}", json={"title": "New"}).status_code == 200
    note = DataDirectory(service.up.data).noted()
    with redis.Redis.from_url(note["redis_url"]) as client:
        assert client.delete("kb:standby:positions") == 1
    assert {service.title(source_id) for _ in range(6)} == {"New"}


def test_document_that_a_standby_lacks_is_read_from_the_primary(service: Service) -> None:
    source_id = service.add("quadrant")
    time.sleep(0.5)
    service.pause()
    service.write("UPDATE kb_source SET valid_from = '2000-01-01' WHERE id = %s", source_id)
    columns = "topic_id, kind, subject, identifier, description, filename, file_key, content_sha256, work_id, size"
    service.write(
        f"INSERT INTO kb_source (title, valid_to, created_at, chunk_count, pages, {columns})"
        f" SELECT 'Unnoted', '2000-01-01', now(), 0, 1, {columns} FROM kb_source WHERE id = %s",
        source_id,
    )
    with psycopg.connect(service.cluster.primary.url) as connection:
        row: Any = connection.execute("SELECT id FROM kb_source WHERE title = 'Unnoted'").fetchone()
    assert service.title(row[0]) == "Unnoted"


def test_no_request_fails_while_connections_to_standbys_end(service: Service) -> None:
    source_id = service.add("sextant")

    def end_connections() -> None:
        for _ in range(10):
            for standby in service.cluster.standbys:
                standby.ask(
                    "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE application_name LIKE 'kb%'"
                )
            time.sleep(0.2)

    assert service.read_while(end_connections, source_id=source_id, word="sextant")


@pytest.mark.parametrize("how", ["killed", "frozen"])
def test_no_request_fails_when_a_standby_is(service: Service, how: str) -> None:
    source_id = service.add(f"armillary{how}")
    standby = service.cluster.standbys[1]

    def take_away() -> None:
        time.sleep(0.5)
        if how == "killed":
            standby.kill()
        else:
            standby.signal(signal.SIGSTOP)
        service.until(lambda troubles: troubles == ["", "It does not answer."])
        time.sleep(1)

    assert service.read_while(take_away, source_id=source_id, word=f"armillary{how}")
    if how == "killed":
        standby.start()
    else:
        standby.signal(signal.SIGCONT)
    service.until_read()


def test_a_damaged_segment_is_noted_on_the_primary(service: Service) -> None:
    source_id = service.add("dioptra")
    service.up.manage("shell", "-c", "from search.index import engine; engine().maintain()")
    service.write("UPDATE kb_segment SET chunk_ids = substr(chunk_ids, 1, 3)")
    cut = "SELECT bool_and(octet_length(chunk_ids) = 3) FROM kb_segment"
    wait_until(lambda: all(standby.ask(cut) for standby in service.cluster.standbys))
    service.pause()  # what is noted of it they do not get
    service.found("dioptra")
    damaged = service.cluster.primary.ask("SELECT count(*) FROM kb_segment WHERE damaged")
    assert damaged > 0
    service.resume()
    service.up.manage("shell", "-c", "from search.index import engine; engine().maintain()")
    wait_until(lambda: service.found("dioptra") == [source_id])


def test_changes_are_read_and_deletions_gone_whatever_lags(service: Service) -> None:
    """Documents are edited and deleted while others read, and the standbys stop and go on replaying at random."""
    history = History(service, documents=16)
    until = time.monotonic() + PROPERTY_S
    work = [history.edit, history.delete, *[history.read] * 4, *[history.stop_and_go] * 2]
    with ThreadPoolExecutor(len(work)) as threads:
        for outcome in [threads.submit(one, number, until) for number, one in enumerate(work)]:
            outcome.result()
    assert history.reads > 40
    assert sum(service.reads(f"replica{number}") for number in (1, 2)) > 10
    assert history.changes > 10


class History:
    """Documents, and what was answered to those who changed them."""

    def __init__(self, service: Service, *, documents: int) -> None:
        self._service = service
        self._titles = {service.add(f"phlogiston{number}", title="v0"): 0 for number in range(documents)}
        self._gone: set[int] = set()
        self._lock = threading.Lock()
        self.reads = self.changes = 0

    def edit(self, seed: int, until: float) -> None:
        numbers = random.Random(seed)
        while time.monotonic() < until:
            source_id = numbers.choice(list(self._titles))
            with self._lock:
                number = self._titles[source_id] + 1
            path = f"/admin/kb/sources/{source_id}"
            answer = self._service.call("PATCH", path, json={"title": f"v{number}"})
            if answer.status_code == 200:
                with self._lock:
                    self._titles[source_id] = number
                    self.changes += 1
            else:  # 503: made and not noted, as where the machine is too busy for its database; it is made again
                assert answer.status_code in (404, 503), answer.text
            time.sleep(BREATH_S)

    def delete(self, seed: int, until: float) -> None:
        numbers = random.Random(seed)
        for source_id in numbers.sample(list(self._titles), len(self._titles) // 2):
            time.sleep(PROPERTY_S / len(self._titles))
            path = f"/admin/kb/sources/{source_id}"
            while (status := self._service.call("DELETE", path).status_code) == 503:
                assert time.monotonic() < until + PATIENCE_S
            assert status in (204, 404)
            with self._lock:
                self._gone.add(source_id)
                self.changes += 1

    def read(self, seed: int, until: float) -> None:
        numbers = random.Random(seed)
        while time.monotonic() < until:
            with self._lock:
                gone, titles = set(self._gone), dict(self._titles)
            if numbers.random() < 0.5:
                hits = self._service.call("POST", "/kb/search", json={"query": "keeps must say thirty", "limit": 100})
                found = {hit["source"]["id"]: hit["source"]["title"] for hit in hits.json()["results"]}
                assert not gone & found.keys(), "a deleted document was found"
            else:
                source_id = numbers.choice(list(titles))
                answer = self._service.call("GET", f"/kb/sources/{source_id}")
                assert answer.status_code in (200, 404), answer.text
                found = {source_id: answer.json()["title"]} if answer.status_code == 200 else {}
                assert not gone & found.keys(), "a deleted document was read"
            for source_id in found.keys() & titles.keys():
                assert int(found[source_id][1:]) >= titles[source_id], "a title was read that was changed before"
            self.reads += 1
            time.sleep(BREATH_S)

    def stop_and_go(self, seed: int, until: float) -> None:
        numbers = random.Random(seed)
        standby = self._service.cluster.standbys[seed % 2]
        while time.monotonic() < until:
            time.sleep(numbers.uniform(0.05, 0.6))
            self._service.pause(standby)
            time.sleep(numbers.uniform(0.05, 1.0))
            self._service.resume(standby)


def test_the_service_goes_on_when_a_standby_becomes_the_primary(service: Service) -> None:
    """The last of all: the primary is gone afterwards."""
    source_id = service.add("planisphere", title="Before")
    first, second = service.cluster.standbys
    time.sleep(1)  # they have that
    service.cluster.primary.kill()
    first.ask("SELECT pg_promote()")
    wait_until(lambda: service.edited(source_id, "After"))
    assert {service.title(source_id) for _ in range(20)} == {"After"}
    wait_until(lambda: service.troubles()[0] == "It is no standby any more.")
    assert service.troubles()[1] != ""  # it follows the server that is gone
    second.follow(first.url)
    service.until(lambda troubles: troubles[1] == "")
    assert service.edited(source_id, "Later")
    assert {service.title(source_id) for _ in range(20)} == {"Later"}
