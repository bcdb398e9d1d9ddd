"""One web and one worker container killed while documents come in, and what is lost by it."""

import http.client
import json
import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from tests.image.engine import Engine
from tests.smoke import Failed, journey

DOCUMENTS = 80
CLIENTS = 4
SECTIONS = 150
KILLED_AFTER = 25  # documents
DONE_WITHIN_S = 300
# User, effective capabilities, whether privileges can be gained, and whether the program can be changed.
RIGHTS = (
    "id -u; grep CapEff /proc/self/status | cut -f2; grep NoNewPrivs /proc/self/status | cut -f2; "
    "touch /app/manage.py 2>/dev/null && echo writable || echo read-only"
)


@dataclass
class Searches:
    """Searches that go on all the while, at the web container that is not killed."""

    service: journey.Service
    seconds: list[float] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)
    over: threading.Event = field(default_factory=threading.Event)

    def run(self) -> None:
        question = journey.QUESTIONS["rain-barrels.txt"]
        while not self.over.wait(0.1):
            started = time.monotonic()
            try:
                if not self.service.found(question):
                    self.failures.append("nothing found")
            except Failed as failure:
                self.failures.append(str(failure))
            self.seconds.append(time.monotonic() - started)


def kill_amid_an_ingest(here: Engine, *, one: journey.Service, two: journey.Service) -> str:
    """Upload to both web containers, kill one of them and a worker meanwhile; the report. Raises Failed on any loss.

    When they die, an upload to web 1 is half sent and worker 1 has a document in hand.
    """
    searches = Searches(two)
    watching = threading.Thread(target=searches.run, daemon=True)
    watching.start()
    try:
        with ThreadPoolExecutor(CLIENTS) as clients:
            sent = [clients.submit(_upload, number, one=one, two=two) for number in range(DOCUMENTS)]
            held = _hold_half_an_upload(one)
            while sum(upload.done() for upload in sent) < KILLED_AFTER:
                time.sleep(0.02)
            unfinished = _unfinished(two)
            for service in ("web", "worker"):
                here.run("kill", "--signal", "KILL", here.container(service, 1))
            again = sum(upload.result() for upload in sent)
        if held.recv(1):
            raise Failed("The half-sent upload was answered.")
        _await_all(two)
        lost = [number for number in range(DOCUMENTS) if f"Document {number}" not in two.found(_word(number))]
        jobs = two.get("/admin/kb/jobs?limit=200")["results"]
    finally:
        searches.over.set()
        watching.join(30)
    taken_over = sum(job["attempts"] > 1 for job in jobs)
    if lost or searches.failures:
        raise Failed(f"Lost documents: {lost}; failed searches: {searches.failures[:3]}")
    titles = [source["title"] for source in two.get("/kb/sources?limit=200")["results"]]
    if doubled := [number for number in range(DOCUMENTS) if titles.count(f"Document {number}") > 1]:
        raise Failed(f"Documents are there twice: {doubled}")
    if not (unfinished and taken_over):
        raise Failed("The worker that was killed had nothing in hand: this run shows nothing.")
    return (
        f"killed: web 1 with an upload half sent, and worker 1, after {KILLED_AFTER} of {DOCUMENTS} uploads by "
        f"{CLIENTS} clients; {unfinished} documents were unfinished then\n"
        f"{again} uploads were sent again to web 2; {taken_over} documents in hand were taken over by worker 2\n"
        f"lost: {len(lost)}, doubled: {len(doubled)} of {DOCUMENTS}; searches meanwhile: {len(searches.seconds)}, "
        f"failed {len(searches.failures)}, slowest {max(searches.seconds) * 1000:.0f} ms"
    )


def _hold_half_an_upload(service: journey.Service) -> socket.socket:
    """A connection over which half of a body has come."""
    parts = urlsplit(service.url)
    connection = socket.create_connection((parts.hostname or "", parts.port or 80), timeout=60)
    head = "POST /admin/kb/upload HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n"
    connection.sendall(head.encode() + b"x" * 500)
    return connection


def status(url: str, *, host: str) -> int:
    """The status of a GET with this Host header."""
    parts = urlsplit(url)
    connection = http.client.HTTPConnection(parts.netloc, timeout=10)
    connection.request("GET", parts.path, headers={"Host": host})
    return connection.getresponse().status


def _word(number: int) -> str:
    """A word that no other document has."""
    return "zq" + "".join("abcdefghij"[int(digit)] for digit in f"{number:03}") + "x"


def _upload(number: int, *, one: journey.Service, two: journey.Service) -> int:
    """Upload a document to either service, and to the second one when there is no answer; 1 when that was needed."""
    sentence = f"The keeper of {_word(number)} writes down an entry of document {number} every day. "
    text = f"# Document {number}\n\n" + "\n\n".join(
        f"## {section}. Rule {section}\n{sentence * 3}" for section in range(1, SECTIONS)
    )
    body, content_type = journey.multipart(
        {f"document-{number}.md": text}, field="file", kind="circular", title=f"Document {number}"
    )
    for attempt, service in enumerate((one if number % 2 else two, two)):
        try:
            service.call("POST", "/admin/kb/upload", body=body, content_type=content_type)
            return attempt
        except Failed as failure:
            if "duplicate_document" in str(failure):  # it had come in, only the answer was lost
                return attempt
            if attempt:
                raise
    return 1


def _unfinished(service: journey.Service) -> int:
    return sum(service.get(f"/admin/kb/jobs?status={state}&limit=1")["count"] for state in ("queued", "processing"))


def _await_all(service: journey.Service) -> None:
    ends = time.monotonic() + DONE_WITHIN_S
    while _unfinished(service):
        if time.monotonic() > ends:
            raise Failed(f"After {DONE_WITHIN_S} s jobs are still unfinished.")
        time.sleep(0.5)
    if failed := service.get("/admin/kb/jobs?status=failed&limit=5")["results"]:
        raise Failed(f"Jobs failed: {json.dumps([job['error'] for job in failed])}")
