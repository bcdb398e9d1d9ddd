"""Whether everything adds up in the end: nothing lost, nothing doubled, nothing left over, every decision kept."""

import json
import re
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

import psycopg

from bench.client import ApiError
from bench.drill.act import Act
from bench.drill.ledger import AcceptedUpload, Ledger
from bench.stack import PROJECT

FOLDED_WITHIN_S = 30.0  # new words count in search after the next fold of the term statistics
AT_REST = ("done", "failed", "awaiting_review")
SAID = 5  # of many alike

DOUBLES = {
    "a source twice for the same bytes": "SELECT content_sha256 FROM kb_source GROUP BY 1 HAVING count(*) > 1",
    "a source of two uploads": (
        "SELECT source_id, count(*) FROM kb_ingest_job WHERE NOT reindex AND source_id IS NOT NULL"
        " GROUP BY 1 HAVING count(*) > 1"
    ),
    "a source of no upload": (
        "SELECT id, filename FROM kb_source s WHERE NOT EXISTS"
        " (SELECT FROM kb_ingest_job j WHERE j.source_id = s.id AND NOT j.reindex AND j.status = 'done')"
    ),
    "a chunk twice": "SELECT source_id, seq FROM kb_chunk GROUP BY 1, 2 HAVING count(*) > 1",
    "a text twice in a source": (
        "SELECT source_id, min(seq) FROM kb_chunk GROUP BY source_id, span_start, md5(text) HAVING count(*) > 1"
    ),
    "chunks that are not numbered through": (
        "SELECT source_id, count(*), max(seq) FROM kb_chunk GROUP BY 1 HAVING count(*) <> max(seq) + 1"
    ),
    "a job still held": "SELECT id, claim FROM kb_ingest_job WHERE claim <> '' AND status IN ('done', 'failed')",
}
FILES = """
from datetime import timedelta
from ingest.integrity.files import find_missing_files, find_stray_files
for finding in [*find_missing_files(), *find_stray_files(young=timedelta(0))]:
    print(f"{finding.object}: {finding.sentence}")
"""


def judge(act: Act) -> list[str]:
    """Sentences about what does not add up, with the names of what it is about; none when all is well."""
    jobs = {job["id"]: job for job in act.api.pages("/admin/kb/jobs", topic_id=act.topic_id)}
    sources = {source["id"]: source for source in act.api.pages("/kb/sources", topic_id=act.topic_id)}
    found: list[str] = list(act.ledger.problems)
    found += _of_jobs(act, jobs)
    found += _of_sources(act.ledger, jobs, sources)
    found += _of_deletions(act, sources)
    found += _of_search(act, jobs, sources)
    found += _of_rows(act.stack.database_url)
    found += [f"files: {line}" for line in act.stack.shell(FILES).splitlines()]
    found += _of_integrity(act)
    return found


def documented_codes() -> set[str]:
    """The codes of jobs that docs/operations.md explains."""
    text = (PROJECT / "docs" / "operations.md").read_text(encoding="utf-8")
    return set(re.findall(r"^\| `(\w+)` \| [^|]*\bjob\b", text, re.MULTILINE))


def _of_jobs(act: Act, jobs: dict[str, dict[str, Any]]) -> Iterator[str]:
    ledger, codes = act.ledger, documented_codes()
    for job in jobs.values():
        if not job["reindex"] and job["id"] not in ledger.accepted and job["filename"] not in ledger.uncertain:
            yield f"{job['filename']}: job {job['id']} was accepted, and no client knows of it"
        if job["status"] == "failed" and job["error"]["code"] not in codes:
            yield f"{job['filename']}: failed with {job['error']['code']!r}, which is not documented"
        if job["reindex"] and job["status"] == "failed" and job["error"]["code"] != "source_deleted":
            yield f"{job['filename']}: its reindex failed for good with {job['error']['code']}"
    names = Counter(one.file.name for one in ledger.uploads())
    for name in act.files:
        if not names[name] and name not in ledger.refused:
            yield f"{name}: neither accepted nor refused"
    for one in ledger.uploads():
        yield from _of_upload(one, jobs.get(one.job_id), ledger)


def _of_upload(one: AcceptedUpload, job: dict[str, Any] | None, ledger: Ledger) -> Iterator[str]:
    name = f"{one.file.name} (job {one.job_id})"
    if job is None:
        yield f"{name}: accepted, and lost"
        return
    if wrong := _wrong_end(one, job, ledger):
        yield f"{name}: {wrong}"
    if one.decision and not one.discarded:
        confirmed = job["confirmed"] or {}
        if (confirmed.get("title"), confirmed.get("kind")) != (one.decision.title, one.decision.kind):
            yield f"{name}: decided as {one.decision.title!r}, kept as {confirmed.get('title')!r}"


def _wrong_end(one: AcceptedUpload, job: dict[str, Any], ledger: Ledger) -> str:
    """How the job of an upload ended otherwise than it should have; "" where it did not."""
    code = (job["error"] or {}).get("code")
    wanted = "discarded" if one.discarded else one.file.code
    if job["status"] not in AT_REST:
        return f"{job['status']}, not at rest"
    if wanted:
        return "" if code == wanted else f"should be {wanted}, and is {job['status']} ({code})"
    if job["status"] != "done":
        return f"its file is sound, and it is {job['status']} ({code}) after a retry"
    is_gone = job["source_id"] is None and one.job_id not in ledger.deleted.values()
    return "done, without a source" if is_gone else ""


def _of_sources(ledger: Ledger, jobs: dict[str, Any], sources: dict[int, Any]) -> Iterator[str]:
    for one in ledger.uploads():
        source_id = (jobs.get(one.job_id) or {}).get("source_id")
        if source_id is None or one.decision is None:
            continue
        source = sources.get(source_id)
        if source is None:
            yield f"{one.file.name}: its source {source_id} is not there"
            continue
        title = ledger.titles.get(source_id, one.decision.title)
        labels = {ledger.label_now(name) for name in one.decision.labels}
        has = {label["name"] for label in source["labels"]}
        if source["title"] != title:
            yield f"{one.file.name}: the title {title!r} was decided, and it has {source['title']!r}"
        if has != labels:
            yield f"{one.file.name}: the labels {sorted(labels)} were decided, and it has {sorted(has)}"
        if not source["chunks"]:
            yield f"{one.file.name}: its source {source_id} has no chunks"


def _of_deletions(act: Act, sources: dict[int, Any]) -> Iterator[str]:
    for source_id, job_id in act.ledger.deleted.items():
        name = act.ledger.accepted[job_id].file.name
        if source_id in sources:
            yield f"{name}: source {source_id} was deleted, and is listed"
        try:
            act.api.safe("GET", f"/kb/sources/{source_id}")
            yield f"{name}: source {source_id} was deleted, and is there"
        except ApiError as refusal:
            if refusal.status != 404:
                yield f"{name}: source {source_id} was deleted, and is answered with {refusal}"


def _of_search(act: Act, jobs: dict[str, Any], sources: dict[int, Any]) -> Iterator[str]:
    """Each word that only one file has leads to that file's source alone, or to nothing when it has none."""
    wanted: dict[str, set[int]] = {}
    for one in act.ledger.uploads():
        if one.file.word and one.job_id in jobs:  # a file that was sent twice has two jobs, of which one is discarded
            wanted.setdefault(one.file.word, set()).update({jobs[one.job_id]["source_id"]} & sources.keys())
    ends = time.monotonic() + FOLDED_WITHIN_S
    while True:
        wrong = {word: ids for word, ids in wanted.items() if _found(act, word) != ids}
        if not wrong or time.monotonic() > ends:
            break
        wanted = wrong
        time.sleep(1.0)
    for word, ids in wrong.items():
        yield f"search: {word} finds sources {sorted(_found(act, word))}, not {sorted(ids)}"


def _found(act: Act, word: str) -> set[int]:
    query = {"query": word, "topic_id": act.topic_id, "mode": "lexical"}
    results = act.api.safe("POST", "/kb/search", json=query)["results"]
    return {result["source"]["id"] for result in results}


def _of_rows(database_url: str) -> Iterator[str]:
    with psycopg.connect(database_url, connect_timeout=10) as connection:
        for meaning, statement in DOUBLES.items():
            rows = connection.execute(statement).fetchall()
            yield from _some(f"{meaning}: {row}" for row in rows)


def _of_integrity(act: Act) -> Iterator[str]:
    done = subprocess.run(
        [sys.executable, "manage.py", "check_integrity", "--json"],
        cwd=PROJECT,
        env=act.stack.environment,
        capture_output=True,
        text=True,
        timeout=300,
    )
    if done.returncode == 0:
        return
    try:
        for check in json.loads(done.stdout)["checks"]:
            if check.get("found") or check.get("error"):
                yield f"check_integrity: {check['name']}: {check.get('error') or check.get('examples')}"
    except (ValueError, KeyError):
        yield f"check_integrity: {done.stderr[-1000:]}"


def _some(sentences: Iterable[str]) -> Iterator[str]:
    for number, sentence in enumerate(sentences):
        if number == SAID:
            yield "… and more of the same"
            return
        yield sentence
