"""The parts of a drill that need no stack: what clients remember, in which order faults come, what is said of it."""

import random
import threading
from collections.abc import Iterator
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar

import httpx2
import pytest

from bench.client import ApiError
from bench.drill.__main__ import Cost, slowest
from bench.drill.faults import STEADY_S, Fault, Order
from bench.drill.faulty_s3 import FaultyS3
from bench.drill.ledger import Decision, Ledger
from bench.drill.machine import small_disk
from bench.drill.patient import NotHealed, PatientApi, Unknown
from bench.drill.uploaders import Uploader
from bench.drill.verdict import documented_codes
from bench.made_up import MadeFile

FILE = MadeFile("a.txt", b"a law", "law", "word")


class Scripted(BaseHTTPRequestHandler):
    """Answers as the list says; `None` hangs up without an answer."""

    protocol_version = "HTTP/1.1"
    answers: ClassVar[list[tuple[int, str] | None]] = []
    asked: ClassVar[list[str]] = []

    def log_message(self, format: str, *args: Any) -> None:
        pass

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers.get("content-length") or 0))
        self.do_GET()

    def do_GET(self) -> None:
        self.asked.append(f"{self.command} {self.path}")
        answer = self.answers.pop(0)
        if answer is None:
            self.close_connection = True
            return
        self.send_response(answer[0])
        self.send_header("content-length", str(len(answer[1])))
        self.end_headers()
        self.wfile.write(answer[1].encode())


@pytest.fixture
def server() -> Iterator[ThreadingHTTPServer]:
    Scripted.answers, Scripted.asked = [], []
    server = ThreadingHTTPServer(("127.0.0.1", 0), Scripted)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


@pytest.fixture
def ledger() -> Ledger:
    return Ledger()


@pytest.fixture
def api(server: ThreadingHTTPServer, ledger: Ledger) -> Iterator[PatientApi]:
    api = PatientApi(f"http://127.0.0.1:{server.server_address[1]}", "key", ledger=ledger, stop=threading.Event())
    yield api
    api.close()


def test_what_may_be_done_already_is_not_sent_again_by_itself(api: PatientApi, ledger: Ledger) -> None:
    Scripted.answers = [None, (503, "{}"), (409, '{"code": "wrong_state"}'), (500, "{}")]
    for _ in range(2):
        with pytest.raises(Unknown):
            api.once("POST", "/thing")
    with pytest.raises(ApiError) as refusal:
        api.once("POST", "/thing")
    assert refusal.value.code == "wrong_state"
    assert ledger.problems == []
    with pytest.raises(Unknown):
        api.once("POST", "/thing")
    assert ledger.problems == ["POST /thing was answered with 500 ?: {}"]
    assert len(Scripted.asked) == 4


def test_what_changes_nothing_twice_is_repeated_until_it_is_answered(api: PatientApi) -> None:
    Scripted.answers = [(503, "{}"), None, (200, '{"id": 1}')]
    assert api.safe("GET", "/thing") == {"id": 1}
    assert len(Scripted.asked) == 3


@pytest.mark.parametrize("how", ["no answer", "no connection", "upload"])
def test_a_service_that_never_heals_is_given_up_and_reported(
    server: ThreadingHTTPServer, ledger: Ledger, how: str
) -> None:
    Scripted.answers = [None] * 100
    address = f"http://127.0.0.1:{9 if how == 'no connection' else server.server_address[1]}"
    api = PatientApi(address, "key", ledger=ledger, stop=threading.Event(), heals_within_s=0.7)
    uploader, decision = Uploader(api, ledger=ledger, topic_id=1), Decision(title="A law", kind="law")
    act = partial(uploader.single, FILE, decision) if how == "upload" else partial(api.safe, "GET", "/thing")
    with pytest.raises(NotHealed):
        act()
    api.close()
    (problem,) = ledger.problems
    assert problem.endswith("was given up: no answer within 1 s")


def test_upload_whose_answer_was_lost_is_known_by_its_duplicate(api: PatientApi, ledger: Ledger) -> None:
    Scripted.answers = [None, (409, '{"code": "duplicate_document", "job_id": "j1"}')]
    decision = Decision(title="A law", kind="law")
    assert Uploader(api, ledger=ledger, topic_id=1).single(FILE, decision) == "j1"
    assert ledger.accepted["j1"].decision == decision
    Scripted.answers = [(409, '{"code": "duplicate_document", "job_id": "j1"}')]
    assert Uploader(api, ledger=ledger, topic_id=1).single(FILE, decision) is None
    assert ledger.refused == {"a.txt": "duplicate_document"}


def test_a_batch_whose_answer_was_lost_sends_only_what_did_not_come_in(api: PatientApi, ledger: Ledger) -> None:
    other = MadeFile("b.txt", b"another")
    listed = '{"count": 1, "results": [{"id": "j1", "filename": "a.txt"}]}'
    taken = '{"batch_id": "b", "jobs": [{"job_id": "j2", "filename": "b.txt"}], "rejected": []}'
    Scripted.answers = [None, (200, listed), (202, taken)]
    Uploader(api, ledger=ledger, topic_id=1).batch([FILE, other])
    assert {job_id: one.file.name for job_id, one in ledger.accepted.items()} == {"j1": "a.txt", "j2": "b.txt"}
    assert ledger.uncertain == {"a.txt", "b.txt"}


def test_a_label_is_followed_through_all_its_merges(ledger: Ledger) -> None:
    ledger.merge("Harbor", "Harbour")
    ledger.merge("Harbour", "Ports")
    assert [ledger.label_now(name) for name in ("Harbor", "Harbour", "Ports", "Fees")] == ["Ports"] * 3 + ["Fees"]


def test_faults_come_in_turn_and_each_rests_as_long_as_it_must() -> None:
    faults = [
        Fault(name=name, begin=lambda: None, rest_s=rest) for name, rest in (("a", 0.0), ("b", STEADY_S), ("c", 0.0))
    ]
    order = Order(faults, random.Random(1))
    first = [fault.name for at in range(3) if (fault := order.next(float(at)))]
    assert sorted(first) == ["a", "b", "c"]
    second = [fault.name for at in range(3, 5) if (fault := order.next(float(at)))]
    assert sorted(second) == ["a", "c"]
    assert order.next(5.0) is None
    late = order.next(100.0)
    assert late is not None
    assert late.name == "b"


def test_the_slowest_job_is_the_last_to_rest_of_those_under_way_at_the_moment() -> None:
    histories = {
        "rested before": [(1.0, "queued", ""), (2.0, "done", "")],
        "waited": [(1.0, "queued", ""), (8.0, "processing/embedding", ""), (12.0, "done", "")],
        "came later": [(6.0, "queued", ""), (90.0, "done", "")],
    }
    assert slowest(histories, 5.0) == 7.0


def test_the_table_says_when_the_service_never_was_whole_again() -> None:
    assert Cost(times=2, recoveries=[1.0, 3.0], waits=[4.0, 0.0]).cells() == ["2", "2.0", "3.0", "4", "0", "0"]
    assert Cost(times=2, recoveries=[1.0], never=1).cells()[2] == "never"


def test_codes_of_jobs_are_read_from_table_in_the_documentation() -> None:
    codes = documented_codes()
    assert {"empty", "corrupt", "storage_error", "worker_lost", "discarded", "provider_error"} <= codes
    assert "throttled" not in codes


def test_a_small_disk_is_full_when_it_is_filled(tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk", megabytes=1) as disk:
        if disk is None:
            pytest.skip("only root can mount a disk")
        disk.fill()
        with pytest.raises(OSError, match="No space"), (disk.folder / "more").open("wb", buffering=0) as file:
            file.write(b"x" * 8192)
        disk.clear()
        assert (disk.folder / "later").write_bytes(b"x" * 8192) == 8192
    assert not (tmp_path / "disk" / "later").exists()


def test_the_proxy_refuses_hangs_and_heals(server: ThreadingHTTPServer) -> None:
    with FaultyS3(("127.0.0.1", server.server_address[1])) as proxy:
        Scripted.answers = [(200, "first"), (200, "second")]
        assert httpx2.get(f"{proxy.url}/key").text == "first"
        proxy.refuse()
        assert httpx2.get(f"{proxy.url}/key").status_code == 503
        proxy.hang()
        with pytest.raises(httpx2.ReadTimeout):
            httpx2.get(f"{proxy.url}/key", timeout=0.3)
        proxy.heal()
        assert httpx2.get(f"{proxy.url}/key").text == "second"
