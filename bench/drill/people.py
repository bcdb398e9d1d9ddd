"""Clients that do what people do: decide what awaits review, edit, merge, reindex, delete, search and ask."""

import random
from typing import Any

from bench.client import ApiError
from bench.drill.ledger import AcceptedUpload, Decision, Ledger
from bench.drill.patient import PatientApi, Refused, Unknown
from bench.made_up import MadeFile

LABELS = ("Harbours", "נמלים", "Licences", "רישוי", "Fees", "אגרות", "Registers", "פנקסים")
MERGED = ("Harbor", "נמל", "Licenses", "רשיונות", "Fee", "אגרה", "Register", "פנקס")


def decision_of(file: MadeFile, *, chance: random.Random, version: str) -> Decision:
    """A decision that is this file's alone; some labels of it will be merged into others."""
    labels = {chance.choice(LABELS), chance.choice(LABELS + MERGED)}
    return Decision(title=f"{file.name} {version}", kind=file.kind or "circular", labels=frozenset(labels))


class Reviewer:
    """Decides every file of a batch that awaits a person: copies are discarded, and now and then an original."""

    def __init__(self, api: PatientApi, *, ledger: Ledger, topic_id: int, files: dict[str, MadeFile]) -> None:
        self._api, self._ledger, self._topic_id, self._files = api, ledger, topic_id, files

    def look(self, chance: random.Random) -> int:
        """Decide what awaits review now, the oldest first; gives how many jobs wait."""
        waiting = self._api.pages("/admin/kb/jobs", topic_id=self._topic_id, status="awaiting_review")
        for job in reversed(waiting):
            self._decide(job, chance)
        return len(waiting)

    def _decide(self, job: dict[str, Any], chance: random.Random) -> None:
        """One whose upload is being answered at this moment waits for the next look."""
        file = self._files[job["filename"]]
        if job["id"] not in self._ledger.accepted:
            if file.name not in self._ledger.uncertain:
                return
            self._ledger.accept(job["id"], file)
        if file.copy_of or job["duplicate_of"] or chance.random() < 0.03:
            self._discard(job["id"])
        else:
            self._commit(job["id"], decision_of(file, chance=chance, version="as decided"))

    def _commit(self, job_id: str, decision: Decision) -> None:
        body = {
            "kind": decision.kind,
            "title": decision.title,
            "labels": [{"name": name} for name in sorted(decision.labels)],
        }
        pause = self._api.patience(f"the commit of job {job_id}")
        while True:
            try:
                self._api.once("POST", f"/admin/kb/jobs/{job_id}/commit", json=body)
            except Unknown:
                pause()
                kept = self._api.job(job_id)["confirmed"]
                if kept is None:
                    continue
                if kept["title"] != decision.title:
                    self._ledger.complain(f"job {job_id}: {kept['title']!r} was decided, not {decision.title!r}")
            except Refused as refusal:
                self._ledger.complain(f"job {job_id} awaited review, and its commit was refused: {refusal}")
                return
            self._ledger.decide(job_id, decision)
            return

    def _discard(self, job_id: str) -> None:
        pause = self._api.patience(f"the discard of job {job_id}")
        while True:
            try:
                self._api.once("POST", f"/admin/kb/jobs/{job_id}/discard")
            except Unknown:
                pause()
                error = self._api.job(job_id)["error"]
                if error is None or error["code"] != "discarded":
                    continue
            except Refused as refusal:
                self._ledger.complain(f"job {job_id} awaited review, and its discard was refused: {refusal}")
                return
            self._ledger.discard(job_id)
            return


class Curator:
    """Changes what is there: titles, labels, the index, and takes sources out. Each act until it is certain."""

    def __init__(self, api: PatientApi, *, ledger: Ledger, topic_id: int) -> None:
        self._api, self._ledger, self._topic_id = api, ledger, topic_id
        self._sources: dict[int, AcceptedUpload] = {}
        self._to_merge = list(zip(MERGED, LABELS, strict=True))

    def act(self, chance: random.Random) -> None:
        """One change of a random source or label."""
        self._look_for_sources()
        kept = sorted(self._sources.keys() - self._ledger.deleted.keys())
        if len(kept) < 3:
            return
        source_id = chance.choice(kept)
        match chance.choices(("edit", "reindex", "delete", "merge"), (45, 20, 20, 15))[0]:
            case "edit":
                self._edit(source_id, f"{self._sources[source_id].file.name} as edited, {chance.randrange(10**6)}")
            case "reindex":
                self._api.safe("POST", f"/admin/kb/sources/{source_id}/reindex")
                self._ledger.count("reindexes")
            case "delete":
                self._delete(source_id)
            case "merge":
                self._merge(chance)

    def _look_for_sources(self) -> None:
        for job in self._api.pages("/admin/kb/jobs", topic_id=self._topic_id, status="done"):
            accepted = self._ledger.accepted.get(job["id"])
            if accepted is not None and job["source_id"] is not None and not job["reindex"]:
                self._sources.setdefault(job["source_id"], accepted)

    def _edit(self, source_id: int, title: str) -> None:
        self._api.safe("PATCH", f"/admin/kb/sources/{source_id}", json={"title": title})
        self._ledger.edit(source_id, title)

    def _delete(self, source_id: int) -> None:
        try:
            self._api.once("DELETE", f"/admin/kb/sources/{source_id}")
        except Unknown:
            self._api.pause()
            try:
                self._api.safe("DELETE", f"/admin/kb/sources/{source_id}")
            except Refused as refusal:
                if refusal.status != 404:
                    raise
        self._ledger.delete(source_id, self._sources[source_id].job_id)

    def _merge(self, chance: random.Random) -> None:
        """Merge a label that is there into its better name, if one is; a later decision may bring it no more."""
        labels = {label["name"]: label["id"] for label in self._api.pages("/admin/kb/labels")}
        ready = [(name, target) for name, target in self._to_merge if name in labels and target in labels]
        if not ready:
            return
        name, target = chance.choice(ready)
        self._to_merge.remove((name, target))
        body = {"target_id": labels[target]}
        try:
            self._api.once("POST", f"/admin/kb/labels/{labels[name]}/merge", json=body)
        except Unknown:
            self._api.pause()
            try:
                self._api.safe("POST", f"/admin/kb/labels/{labels[name]}/merge", json=body)
            except Refused as refusal:
                if refusal.status != 404:
                    raise
        self._ledger.merge(name, target)


class Reader:
    """Searches, and asks now and then; what it gets may be nothing, but never a fault of the program."""

    def __init__(self, api: PatientApi, *, ledger: Ledger, topic_id: int) -> None:
        self._api, self._ledger, self._topic_id = api, ledger, topic_id

    def look(self, chance: random.Random) -> None:
        accepted = [one for one in self._ledger.uploads() if one.file.word]
        word = chance.choice(accepted).file.word if accepted else "harbour"
        query = {"query": f"{word} register", "topic_id": self._topic_id}
        gone = dict(self._ledger.deleted)
        for hit in self._api.safe("POST", "/kb/search", json=query)["results"]:
            if hit["source"]["id"] in gone:
                self._ledger.complain(f"search: source {hit['source']['id']} was found after it was deleted")
        if gone:
            self._read_gone(chance.choice(list(gone)))
        self._ledger.count("searches")
        if chance.random() < 0.1:
            question = {"question": f"Who keeps the register of {word}?", "topic_id": self._topic_id}
            self._api.safe("POST", "/kb/ask", json=question)
            self._ledger.count("answers")

    def _read_gone(self, source_id: int) -> None:
        try:
            self._api.safe("GET", f"/kb/sources/{source_id}")
        except ApiError as refusal:
            if refusal.status == 404:
                return
            raise
        self._ledger.complain(f"source {source_id} was read after it was deleted")
