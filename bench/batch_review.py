"""Taking a batch through the review over HTTP: upload, classification, and a decision on every file."""

import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from tqdm import tqdm

from bench.batch_client import BatchApi, Job
from bench.batch_outcome import Outcome
from bench.client import ApiError
from bench.made_up import MadeFile

FILES_OF_A_REQUEST = 40
FILES_OF_A_GROUP = 10
CONNECTIONS = 8
POLL_S = 0.25
STALLED_AFTER_S = 120.0


def take_in(files: Sequence[MadeFile], *, api: BatchApi, topic_id: int) -> tuple[Outcome, list[Job]]:
    """Upload all files into one batch and give its jobs once each is at rest, with what is wrong about them."""
    outcome = Outcome(len(files))
    started = time.monotonic()
    rejected: dict[str, str] = {}
    taken: set[str] = set()
    for start in tqdm(range(0, len(files), FILES_OF_A_REQUEST), desc="upload", unit="request"):
        fields = {"batch_id": outcome.batch_id} if outcome.batch_id else {"topic_id": str(topic_id)}
        answer = api.upload_batch(files[start : start + FILES_OF_A_REQUEST], **fields)
        outcome.expect(outcome.batch_id in ("", answer["batch_id"]), f"a second batch began: {answer['batch_id']}")
        outcome.batch_id = answer["batch_id"]
        rejected |= {refusal["filename"]: refusal["code"] for refusal in answer["rejected"]}
        taken |= {job["filename"] for job in answer["jobs"]}
    batch = at_rest(outcome.batch_id, api=api, what="classify")
    outcome.classify_s = time.monotonic() - started
    outcome.refused = Counter(rejected.values())
    outcome.awaiting = batch["counts"]["awaiting_review"]
    jobs = {job["filename"]: job for job in batch["jobs"]}
    outcome.expect(len(jobs) == len(batch["jobs"]), "a file has two jobs")
    outcome.expect(taken == set(jobs), f"taken in, but not in the batch, or the other way round: {taken ^ set(jobs)}")
    counted = sum(batch["counts"].values()) + len(rejected)
    outcome.expect(counted == len(files), f"{counted} files are accounted for, and {len(files)} were sent")
    for file in files:
        _judge(file, jobs=jobs, rejected=rejected, outcome=outcome)
    return outcome, batch["jobs"]


def _judge(file: MadeFile, *, jobs: dict[str, Job], rejected: dict[str, str], outcome: Outcome) -> None:
    """Compare what became of a file after classification with what was to be expected of it."""
    if file.refused:
        outcome.expect(rejected.get(file.name) == file.code, f"{file.name}: refused as {rejected.get(file.name)}")
        outcome.expect(file.name not in jobs, f"{file.name}: refused, and has a job")
        return
    job = jobs.get(file.name)
    if job is None:
        outcome.problems.append(f"{file.name}: has no job ({rejected.get(file.name, 'not refused either')})")
        return
    if file.code:
        code = (job["error"] or {}).get("code")
        outcome.failed[str(code)] += 1
        outcome.expect((job["status"], code) == ("failed", file.code), f"{file.name}: {job['status']} ({code})")
        return
    outcome.expect(job["status"] == "awaiting_review", f"{file.name}: {job['status']} {job['error']}")
    original = {"job_id": jobs[file.copy_of]["id"]} if file.copy_of else None
    outcome.expect(job["duplicate_of"] == original, f"{file.name}: duplicate of {job['duplicate_of']}, not {original}")
    outcome.duplicates += job["duplicate_of"] is not None
    if not file.copy_of:
        outcome.expect(job["ai_suggestions"].get("provider") == "rules", f"{file.name}: no proposal by the rules")
        outcome.kinds_right += job["ai_suggestions"].get("kind") == file.kind


def at_rest(batch_id: str, *, api: BatchApi, what: str) -> dict[str, Any]:
    """The batch once nothing is queued or processed in it, or once nothing has moved for a long while."""
    with tqdm(desc=what, unit="job") as bar:
        moved_at = time.monotonic()
        while True:
            batch = api.batch(batch_id)
            counts = batch["counts"]
            bar.total = sum(counts.values())
            resting = bar.total - counts["queued"] - counts["processing"]
            if resting != bar.n:
                bar.update(resting - bar.n)
                moved_at = time.monotonic()
            if resting == bar.total or time.monotonic() - moved_at > STALLED_AFTER_S:
                return batch
            time.sleep(POLL_S)


def decide(files: Sequence[MadeFile], jobs: Sequence[Job], *, api: BatchApi, outcome: Outcome) -> list[Job]:
    """Commit every good file, discard the copies, and give the jobs once all are at rest.

    Each gets the label of its kind and of its group, new names that many commits bring at the same moment, and every
    second one a label that is there already.
    """
    by_name = {file.name: file for file in files}
    waiting = [job for job in jobs if job["status"] == "awaiting_review"]
    for job in waiting:
        if by_name[job["filename"]].copy_of:
            _decide_copy(job, decision=_decision(job, by_name[job["filename"]], labels=[]), api=api, outcome=outcome)
    good = [job for job in waiting if by_name[job["filename"]].word]
    started = time.monotonic()

    def send(numbered: tuple[int, Job], *, slug: str = "") -> Job | str:
        number, job = numbered
        file = by_name[job["filename"]]
        labels = [{"name": f"Batch: {file.kind}"}, {"name": f"קבוצה {number // FILES_OF_A_GROUP}"}]
        if number % 2 == 0:
            labels.append({"slug": slug} if slug else {"name": "Batch: every second"})
        try:
            return api.commit(job["id"], _decision(job, file, labels=labels))
        except ApiError as error:
            return f"{file.name}: {error}"

    first = send((0, good[0]))
    slug = "" if isinstance(first, str) else first["confirmed"]["labels"][2]["slug"]
    with ThreadPoolExecutor(CONNECTIONS) as pool:
        answers = [first, *pool.map(lambda numbered: send(numbered, slug=slug), list(enumerate(good))[1:])]
    for answer in answers:
        if isinstance(answer, str):
            outcome.problems.append(answer)
        else:
            outcome.expect(answer["attempts"] == 0, f"{answer['filename']}: {answer['attempts']} attempts at commit")
    decided = at_rest(outcome.batch_id, api=api, what="embed")["jobs"]
    outcome.embed_s = time.monotonic() - started
    return list(decided)


def _decision(job: Job, file: MadeFile, *, labels: list[dict[str, str]]) -> dict[str, Any]:
    """What a person would confirm: the proposal, with the kind put right and a title where there is none."""
    proposed = job["ai_suggestions"]
    return {
        "kind": file.kind or "circular",
        "title": proposed.get("title") or file.name,
        **{name: proposed.get(name) for name in ("subject", "summary", "identifier", "published_at")},
        "labels": labels,
    }


def _decide_copy(job: Job, *, decision: dict[str, Any], api: BatchApi, outcome: Outcome) -> None:
    """A copy is not committed by someone who does not want duplicates; then it is discarded."""
    try:
        api.commit(job["id"], {**decision, "allow_duplicate": False})
        outcome.problems.append(f"{job['filename']}: committed, though it is a copy")
    except ApiError as error:
        outcome.expect(error.code == "duplicate_document", f"{job['filename']}: {error}")
        discarded = api.discard(job["id"])
        outcome.expect(discarded["error"]["code"] == "discarded", f"{job['filename']}: {discarded['error']}")
