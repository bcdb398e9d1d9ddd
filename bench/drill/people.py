"""Clients that do what people do: decide what awaits review, edit, merge, reindex, delete, search and ask."""

import random
from collections.abc import Callable
from typing import Any

from bench.client import ApiError
from bench.drill.ledger import AcceptedUpload, Decision, Ledger
from bench.drill.patient import PatientApi, Unknown
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
        def is_kept(job: dict[str, Any]) -> bool:
            kept = job["confirmed"]
            if kept is not None and kept["title"] != decision.title:
                self._ledger.complain(f"job {job_id}: {kept['title']!r} was decided, not {decision.title!r}")
            return kept is not None

        labels = [{"name": name} for name in sorted(decision.labels)]
        body = {"kind": decision.kind, "title": decision.title, "labels": labels}
        if self._until_certain(job_id, "commit", is_kept, json=body):
            self._ledger.decide(job_id, decision)

    def _discard(self, job_id: str) -> None:
        if self._until_certain(job_id, "discard", lambda job: (job["error"] or {}).get("code") == "discarded"):
            self._ledger.discard(job_id)

    def _until_certain(self, job_id: str, act: str, is_done: Callable[[dict[str, Any]], bool], **body: Any) -> bool:
        """Decide, again where the answer was lost and the job tells that it was not done. False where it is refused."""
        pause = self._api.patience(f"the {act} of job {job_id}")
        while True:
            try:
                self._api.once("POST", f"/admin/kb/jobs/{job_id}/{act}", **body)
                return True
            except Unknown:
                pause()
                if is_done(self._api.job(job_id)):
                    return True
            except ApiError as refusal:
                self._ledger.complain(f"job {job_id} awaited review, and its {act} was refused: {refusal}")
                return False


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
        self._api.once_or_gone("DELETE", f"/admin/kb/sources/{source_id}")
        self._ledger.delete(source_id, self._sources[source_id].job_id)

    def _merge(self, chance: random.Random) -> None:
        """Merge a label that is there into its better name, if one is; a later decision may bring it no more."""
        labels = {label["name"]: label["id"] for label in self._api.pages("/admin/kb/labels")}
        ready = [(name, target) for name, target in self._to_merge if name in labels and target in labels]
        if not ready:
            return
        name, target = chance.choice(ready)
        self._to_merge.remove((name, target))
        self._api.once_or_gone("POST", f"/admin/kb/labels/{labels[name]}/merge", json={"target_id": labels[target]})
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
