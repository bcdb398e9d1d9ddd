"""The whole service on a primary with two hot standbys, for tests of what it reads from where."""

import random
import re
import signal
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import psycopg
import requests

from kb_project.operations.local_stack.machine import free_port
from tests.cluster import Cluster, Server
from tests.journeys.up import Up
from tests.waiting import BREATH_S, wait_until

KEY = "standbys.0123456789abcdef0123456789abcdef"
TIMEOUT_S = 60
READERS = 4


class Service:
    """A run of `manage.py up` whose database is a cluster. Each call is made over a new connection."""

    def __init__(self, directory: Path) -> None:
        self.cluster = Cluster(directory / "servers", standbys=2).start()
        hosts = [server.url.partition("@")[2].partition("/")[0] for server in self.servers[:2]]
        primary = self.cluster.primary.url
        self.up = Up(
            directory / "data",
            KB_PORT=str(free_port()),
            KB_DEMO="0",
            KB_WEB_PROCESSES="2",  # what one of them changed, the other reads
            KB_BOOTSTRAP_API_KEY=KEY,
            # The first standby may become the primary.
            DATABASE_URL=f"{primary.partition('@')[0]}@{','.join(hosts)}/kb?target_session_attrs=read-write",
            DATABASE_REPLICA_URLS=",".join(standby.url for standby in self.cluster.standbys),
        )
        self.up.until_ready()

    @property
    def servers(self) -> list[Server]:
        return [self.cluster.primary, *self.cluster.standbys]

    def call(self, method: str, path: str, **given: Any) -> requests.Response:
        headers = {"Authorization": f"Api-Key {KEY}"}
        return requests.request(method, self.up.url + path, headers=headers, timeout=TIMEOUT_S, **given)

    def add(self, word: str, *, title: str = "", **more: Any) -> int:
        """Take in a document that holds the word, and wait until it is done; its id."""
        data = {"kind": "circular", "title": title or f"Circular on {word}", **more}
        files = {"file": (f"{word}.txt", f"Circular\n\nWho keeps a {word} must say so within thirty days.\n".encode())}
        answer = self.call("POST", "/admin/kb/upload", data=data, files=files)
        assert answer.status_code == 202, answer.text
        job = wait_until(lambda: self._done(answer.json()["job_id"]))
        return int(job["source_id"])

    def _done(self, job_id: str) -> dict[str, Any] | None:
        job: dict[str, Any] = self.call("GET", f"/admin/kb/jobs/{job_id}").json()
        assert job["status"] != "failed", job
        return job if job["status"] == "done" else None

    def found(self, word: str, **more: Any) -> list[int]:
        """The ids of the documents whose passages hold the word."""
        answer = self.call("POST", "/kb/search", json={"query": word, "mode": "lexical", "topic_id": 1, **more})
        assert answer.status_code == 200, answer.text
        return [hit["source"]["id"] for hit in answer.json()["results"] if word in hit["text"]]

    def title(self, source_id: int) -> str:
        answer = self.call("GET", f"/kb/sources/{source_id}")
        assert answer.status_code == 200, answer.text
        return str(answer.json()["title"])

    def edited(self, source_id: int, title: str) -> bool:
        """Whether the title could be changed; not while there is no primary."""
        answer = self.call("PATCH", f"/admin/kb/sources/{source_id}", json={"title": title})
        assert answer.status_code in (200, 503), answer.text
        return answer.status_code == 200

    def troubles(self) -> list[str]:
        """Why each standby is not read, as one of the web processes knows it.

        The service is not ready while its worker waits for the processor, and then says why.
        """
        answer = self.call("GET", "/readyz")
        return [one["trouble"] for one in answer.json()["standbys"]] if answer.ok else [answer.text] * 2

    def reads(self, on: str) -> float:
        """How many requests were read from the server, by the metrics."""
        said = re.search(rf'^kb_reads_total{{on="{on}"}} (.+)$', self.call("GET", "/metrics").text, re.MULTILINE)
        return float(said[1]) if said else 0.0

    def until_read(self) -> None:
        """Wait until all standbys are read, by whichever process one asks."""
        self.until(lambda troubles: troubles == ["", ""])

    def until(self, is_so: Callable[[list[str]], bool]) -> None:
        """Wait until the troubles are so in six looks, so that each process is asked.

        These need not follow one another: on a busy machine a standby that is sound may answer late now and then.
        """
        for _ in range(6):
            wait_until(lambda: is_so(self.troubles()))

    def pause(self, *standbys: Server) -> None:
        """Have the standbys, or all, replay nothing."""
        for standby in standbys or self.cluster.standbys:
            standby.ask("SELECT pg_wal_replay_pause()::text")
            wait_until(partial(_is_paused, standby))

    def resume(self, *standbys: Server) -> None:
        for standby in standbys or self.cluster.standbys:
            standby.ask("SELECT pg_wal_replay_resume()::text")

    def write(self, statement: str, *parameters: Any) -> None:
        """Change a row behind the service's back."""
        with psycopg.connect(self.cluster.primary.url, autocommit=True) as connection:
            connection.execute(statement.encode(), parameters)

    def read_while(self, work: Callable[[], object], *, source_id: int, word: str) -> int:
        """Read in threads until the work is done; how many answers there were. Every one must be right."""
        done = False

        def read() -> int:
            answers = 0
            while not done:
                if random.random() < 0.5:
                    assert self.found(word) == [source_id]
                else:
                    self.title(source_id)
                answers += 1
                time.sleep(BREATH_S)
            return answers

        with ThreadPoolExecutor(READERS) as threads:
            readers = [threads.submit(read) for _ in range(READERS)]
            try:
                work()
            finally:
                done = True
            return sum(reader.result() for reader in readers)

    def stop(self) -> None:
        self.resume_quietly()
        self.up.end(signal.SIGTERM)
        self.cluster.stop()

    def resume_quietly(self) -> None:
        for standby in self.cluster.standbys:
            with suppress(psycopg.Error):  # it does not run, or is none any more
                self.resume(standby)


def _is_paused(standby: Server) -> bool:
    return bool(standby.ask("SELECT pg_get_wal_replay_pause_state()") == "paused")
