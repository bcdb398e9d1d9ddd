"""Clients that bring files in: as batches and one by one, each until it is certain what became of it."""

import queue
import random
import time
from collections.abc import Iterable, Sequence
from typing import Any

from bench.client import ApiError
from bench.drill.clients import Pieces
from bench.drill.ledger import Decision, Ledger
from bench.drill.patient import PatientApi, Unknown
from bench.drill.people import decision_of
from bench.made_up import MadeFile

TRIES_OF_A_FILE = 200


class Uploader:
    """Uploads into one topic."""

    def __init__(self, api: PatientApi, *, ledger: Ledger, topic_id: int) -> None:
        self._api, self._ledger, self._topic_id = api, ledger, topic_id

    def send(self, pieces: Pieces, seed: float) -> None:
        """Send each piece when it is due, until none is left; other uploaders take from the same pieces."""
        chance = random.Random(seed)
        while True:
            try:
                due, files, single = pieces.get_nowait()
            except queue.Empty:
                return
            self._api.pause(max(0.0, due - time.monotonic()))
            if not single:
                self.batch(files)
            for file in files if single else ():
                self.single(file, decision_of(file, chance=chance, version="as uploaded"))

    def single(self, file: MadeFile, decision: Decision) -> str | None:
        """Upload one file with its decision and give its job; None when it was refused.

        A repeated upload that meets its first try is told so by `duplicate_document`, which names the job.
        """
        form = {"kind": decision.kind, "title": decision.title, "topic_id": str(self._topic_id)}
        data: dict[str, Any] = {**form, "labels": sorted(decision.labels)}
        doubtful = False
        pause = self._api.patience(f"the upload of {file.name}")
        while True:
            try:
                answer = self._api.once(
                    "POST", "/admin/kb/upload", data=data, files={"file": (file.name, file.content)}
                )
            except Unknown:
                doubtful = True
                pause()
                continue
            except ApiError as refusal:
                job_id = refusal.problem.get("job_id") if doubtful else None
                if doubtful and refusal.code == "duplicate_document":
                    job_id = job_id or self._job_of(refusal.problem["source_id"])
                if not job_id:
                    self._ledger.refuse(file, refusal.code)
                    return None
                answer = {"job_id": job_id}
            self._ledger.accept(str(answer["job_id"]), file, decision=decision)
            return str(answer["job_id"])

    def _job_of(self, source_id: int) -> str | None:
        jobs = self._api.pages("/admin/kb/jobs", topic_id=self._topic_id)
        return next((str(job["id"]) for job in jobs if job["source_id"] == source_id and not job["reindex"]), None)

    def batch(self, files: Sequence[MadeFile]) -> None:
        """Upload the files as a batch, and those again that did not come in through a fault of the service."""
        waiting, batch_id = list(files), ""
        for _ in range(TRIES_OF_A_FILE):
            parts = [("files", (file.name, file.content)) for file in waiting]
            fields = {"batch_id": batch_id} if batch_id else {"topic_id": str(self._topic_id)}
            try:
                answer = self._api.once("POST", "/admin/kb/upload-batch", data=fields, files=parts)
            except Unknown:
                self._ledger.doubt(waiting)
                self._api.pause()
                waiting = self._not_there(waiting)
                answer = {"jobs": [], "rejected": []}
            except ApiError as refusal:
                rejected = refusal.problem.get("rejected", [])
                answer = {"jobs": [], "rejected": rejected}
                if not rejected:
                    self._ledger.complain(f"a batch was refused: {refusal}")
                    return
                self._api.pause()
            batch_id = answer.get("batch_id", batch_id)
            waiting = self._sorted_out(waiting, answer)
            if not waiting:
                return
        self._ledger.complain(f"{len(waiting)} files of a batch never came in")

    def _sorted_out(self, files: Iterable[MadeFile], answer: dict[str, Any]) -> list[MadeFile]:
        """Note what an answer says of each file; gives those to send again."""
        jobs = {job["filename"]: job["job_id"] for job in answer["jobs"]}
        rejected = {refusal["filename"]: refusal["code"] for refusal in answer["rejected"]}
        again = []
        for file in files:
            if file.name in jobs:
                self._ledger.accept(str(jobs[file.name]), file)
            elif rejected.get(file.name, "unavailable") != "unavailable":
                self._ledger.refuse(file, rejected[file.name])
            else:
                again.append(file)
        return again

    def _not_there(self, files: Sequence[MadeFile]) -> list[MadeFile]:
        """Those of the files that have no job; the others are accepted, though the answer was lost."""
        there = {job["filename"]: job["id"] for job in self._api.pages("/admin/kb/jobs", topic_id=self._topic_id)}
        for file in files:
            if file.name in there:
                self._ledger.accept(str(there[file.name]), file)
        return [file for file in files if file.name not in there]
