"""`python -m tests.releases.make`: make an installation of this version, use it, and pack it for the tests of upgrades.

Done once for each release, in the commit that makes it. What is there already is never made again.
"""

import io
import os
import re
import signal
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path
from typing import Any

import psycopg
import requests

from kb_project.configuration.api_settings import SPECTACULAR_SETTINGS
from kb_project.configuration.environment import running_stack
from kb_project.operations.local_stack.machine import free_port
from kb_project.operations.local_stack.postgres import program_folder
from tests.folders import passable
from tests.journeys.up import Up
from tests.releases import DUMP, FOLDER, KEY, SUFFIX
from tests.servers import ENVIRONMENT
from tests.waiting import wait_until

# What only this server, or only a program that reads dumps, understands.
LEFT_OUT = re.compile(rb"^(\\(un)?restrict \w+|SET transaction_timeout = 0;)\n", re.MULTILINE)
AT_REST = """
SELECT NOT EXISTS (SELECT FROM kb_fresh_source) AND NOT EXISTS (SELECT FROM kb_reference_work)
    AND NOT EXISTS (SELECT FROM kb_change_work)
    AND NOT EXISTS (SELECT FROM kb_ingest_job WHERE status IN ('queued', 'processing'))
"""
ACT = """Pier Act 2021

1. Meaning
A pier is a landing place for ships.

2. Who decides about the pier?
The harbour master decides about the pier{whom}.

3. Fees
A fee under section 2 is paid within {days} days.
"""
SHORT_ACT = "Lighthouse Act 2022\n\n1. Light\nA lighthouse is lit at dusk. Section 2 of the Pier Act 2021 applies.\n"


class Installation:
    """A service that runs, and the requests that fill it."""

    def __init__(self, run: Up) -> None:
        self.run = run
        self.session = requests.Session()
        self.session.headers["Authorization"] = f"Api-Key {KEY}"

    def call(self, method: str, path: str, **request: Any) -> Any:
        answer = self.session.request(method, self.run.url + path, timeout=60, **request)
        if not answer.ok:
            raise RuntimeError(f"{method} {path}: {answer.status_code} {answer.text}")
        return answer.json() if answer.content else None

    def job(self, job_id: str) -> Any:
        """The job when nothing more happens to it by itself."""
        found = self.call("GET", f"/admin/kb/jobs/{job_id}")
        return found if found["status"] not in ("queued", "processing") else None

    def upload(self, name: str, text: str, **fields: Any) -> Any:
        files = {"file": (name, text.encode())}
        made = self.call("POST", "/admin/kb/upload", data={"kind": "law", **fields}, files=files)
        return wait_until(lambda: self.job(made["job_id"]))

    def fill(self) -> None:
        """Something of all that people and programs make, beside the demo documents."""
        topic = self.call("POST", "/admin/kb/topics", json={"name": "Ports", "slug": "ports"})["id"]
        self.call("PATCH", f"/admin/kb/topics/{topic}", json={"slug": "harbours"})
        there = {"topic_id": topic, "title": "Pier Act 2021", "labels": "Piers"}
        first = self.upload("pier-2021.txt", ACT.format(whom="", days=30), **there, valid_from="2021-01-01")
        self.upload(
            "pier-2024.txt",
            ACT.format(whom=" after hearing the town", days=14),
            **{**there, "version_of": first["source_id"], "valid_from": "2024-01-01"},
        )
        gone = self.upload("lighthouse.txt", SHORT_ACT, topic_id=topic, title="Lighthouse Act 2022")
        self.upload("rowing.txt", SHORT_ACT.replace("ighthouse", "ifeboat"), topic_id=topic, title="Lifeboat Act 2022")
        self.upload("wordless.html", "<html><body><script>pier()</script></body></html>")
        trash = "from ingest.documents import trash; trash.throw_away(%d, by='release')"
        self.run.manage("shell", "-c", trash % gone["source_id"])
        self.label()
        self.review(topic)
        self.ask(topic)
        for path, values in {
            "/admin/kb/synonyms": {"topic_id": topic, "words": ["jetty"], "means": ["pier"]},
            "/admin/kb/webhooks": {"topic_id": topic, "url": "https://example.org/", "events": ["source.deleted"]},
            "/admin/kb/evaluation": {"topic_id": topic, "question": "Who decides about the pier?", "words": "decides"},
        }.items():
            self.call("POST", path, json=values)
        self.run.manage("evaluate", "--topic", "harbours")

    def label(self) -> None:
        """A label that became another's alias."""
        kept, gone = (self.call("POST", "/admin/kb/labels", json={"name": name})["id"] for name in ("Piers", "Jetties"))
        self.call("POST", f"/admin/kb/labels/{gone}/merge", json={"target_id": kept})

    def review(self, topic: int) -> None:
        """A batch of which one document is confirmed, one discarded, and one still waits."""
        act = ACT.format(whom="", days=30)
        names = ("Ferry", "Canal", "Lock")
        files = [("files", (f"{name}.txt", act.replace("Pier", name).replace("pier", name.lower()))) for name in names]
        batch = self.call("POST", "/admin/kb/upload-batch", data={"topic_id": topic}, files=files)
        confirmed, discarded, _ = (wait_until(lambda: self.job(job["job_id"])) for job in batch["jobs"])  # noqa: B023
        decision = {"kind": "law", "title": "Ferry Act 2021", "labels": [{"name": "Ferries"}]}
        self.call("POST", f"/admin/kb/jobs/{confirmed['id']}/commit", json=decision)
        self.call("POST", f"/admin/kb/jobs/{discarded['id']}/discard")
        wait_until(lambda: self.job(confirmed["id"]))

    def ask(self, topic: int) -> None:
        """Searches, and an answer with what somebody says of it."""
        self.call("POST", "/kb/search", json={"query": "fees of a pier", "topic_id": topic})
        question = {"question": "Who decides about the pier?", "topic_id": topic}
        answer = self.call("POST", "/kb/ask", json=question)
        said = {"helpful": True, "note": "It names the section."}
        self.call("POST", f"/kb/answers/{answer['id']}/feedback", json=said)


def dump(url: str) -> bytes:
    """The database as statements that any client can send."""
    command = [str(program_folder() / "pg_dump"), "--inserts", "--rows-per-insert=50", "--no-owner"]
    command += ["--no-privileges", "--exclude-table-data=django_session", url]
    return LEFT_OUT.sub(b"", subprocess.run(command, capture_output=True, check=True).stdout)


def pack(target: Path, database: bytes, files: Path) -> None:
    draft = target.with_suffix(".partial")
    with tarfile.open(draft, "w:xz", preset=9) as tar:
        member = tarfile.TarInfo(DUMP)
        member.size = len(database)
        tar.addfile(member, io.BytesIO(database))
        tar.add(files, files.name)
    draft.rename(target)


def main() -> None:
    target = FOLDER / f"{SPECTACULAR_SETTINGS['VERSION']}{SUFFIX}"
    if target.exists():
        sys.exit(f"{target} is there already. Raise the version: a release is made once.")
    for name in ("DATABASE_URL", "REDIS_URL"):
        os.environ.pop(name, None)
    settings = {**ENVIRONMENT, "DJANGO_SETTINGS_MODULE": "kb_project.settings", "KB_BOOTSTRAP_API_KEY": KEY}
    with tempfile.TemporaryDirectory(prefix="kb-release-") as folder:
        data = passable(Path(folder)) / "var"
        run = Up(data, **settings, KB_PORT=str(free_port()))
        try:
            Installation(run.until_ready()).fill()
            url = running_stack(data)["database_url"]
            with psycopg.connect(url, autocommit=True) as connection:
                wait_until(lambda: connection.execute(AT_REST).fetchone() == (True,))
            run.manage("check_integrity")
            pack(target, dump(url), data / "files")
        finally:
            run.end(signal.SIGTERM)
    print(f"{target.relative_to(Path.cwd())}: {target.stat().st_size / 1000:.0f} KB")


if __name__ == "__main__":
    main()
