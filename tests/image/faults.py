"""One web and one worker container killed while documents come in, and what is lost by it."""

from __future__ import annotations

import http.client
import json
import threading
import time
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from tests.image.engine import Engine
from tests.smoke import Failed, journey

DOCUMENTS = 80
SECTIONS = 40
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
    """Upload to both web containers, kill one of them and a worker meanwhile; the report. Raises Failed on any loss."""
    searches = Searches(two)
    thread = threading.Thread(target=searches.run, daemon=True)
    thread.start()
    again = 0
    try:
        for number in range(DOCUMENTS):
            if number == KILLED_AFTER:
                for service in ("web", "worker"):
                    here.run("kill", "--signal", "KILL", here.container(service, 1))
            again += _upload(number, first=one if number % 2 else two, second=two)
        unfinished = _unfinished(two)
        _await_all(two)
        lost = [number for number in range(DOCUMENTS) if f"Document {number}" not in two.found(_word(number))]
    finally:
        searches.over.set()
        thread.join(30)
    if lost or searches.failures:
        raise Failed(f"Lost documents: {lost}; failed searches: {searches.failures[:3]}")
    slowest = max(searches.seconds) * 1000
    return (
        f"killed: web 1 and worker 1, after {KILLED_AFTER} of {DOCUMENTS} uploads; {again} uploads had no answer and "
        f"were sent again to web 2; {unfinished} documents were unfinished after the last upload\n"
        f"lost: {len(lost)} of {DOCUMENTS} documents; searches meanwhile: {len(searches.seconds)}, "
        f"failed {len(searches.failures)}, slowest {slowest:.0f} ms"
    )


def status(url: str, *, host: str) -> int:
    """The status of a GET with this Host header."""
    parts = urlsplit(url)
    connection = http.client.HTTPConnection(parts.netloc, timeout=10)
    connection.request("GET", parts.path, headers={"Host": host})
    return connection.getresponse().status


def _word(number: int) -> str:
    """A word that no other document has."""
    return "zq" + "".join("abcdefghij"[int(digit)] for digit in f"{number:03}") + "x"


def _upload(number: int, *, first: journey.Service, second: journey.Service) -> int:
    """Upload a document, to the second service when the first does not answer; 1 when that was needed."""
    sentence = f"The keeper of {_word(number)} writes down an entry of document {number} every day. "
    text = f"# Document {number}\n\n" + "\n\n".join(
        f"## {section}. Rule {section}\n{sentence * 3}" for section in range(1, SECTIONS)
    )
    body, content_type = journey.multipart(
        {f"document-{number}.md": text}, field="file", kind="circular", title=f"Document {number}"
    )
    for attempt, service in enumerate((first, second)):
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
