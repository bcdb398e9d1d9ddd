"""What became of the files of a batch, and whether its sources, labels and search results add up."""

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from bench.batch_client import BatchApi, Job
from bench.made_up import MadeFile

FOLDED_WITHIN_S = 30.0  # new words count in search after the next fold of the term statistics


@dataclass(slots=True)
class Outcome:
    """What became of a batch; `problems` are sentences about what does not add up, none when all is well.

    Times are seconds: from the first upload to the last proposal, and from the first commit to the last source.
    """

    files: int
    batch_id: str = ""
    refused: Counter[str] = field(default_factory=Counter)
    failed: Counter[str] = field(default_factory=Counter)
    duplicates: int = 0
    awaiting: int = 0
    kinds_right: int = 0
    sources: int = 0
    found: int = 0
    labels: int = 0
    classify_s: float = 0.0
    embed_s: float = 0.0
    problems: list[str] = field(default_factory=list)

    def expect(self, holds: object, problem: str) -> None:
        if not holds:
            self.problems.append(problem)


def check_sources(
    files: Sequence[MadeFile], jobs: Sequence[Job], *, api: BatchApi, topic_id: int, outcome: Outcome
) -> None:
    """Whether every good file is one source with its labels, and every label counts its sources."""
    good = {file.name: file for file in files if file.word}
    decided = {job["filename"]: job for job in jobs if job["filename"] in good}
    sources = {source["id"]: source for source in api.sources(topic_id=topic_id)}
    outcome.sources = len(sources)
    outcome.expect(len(sources) == len(good), f"{len(sources)} sources of {len(good)} good files")
    outcome.expect(len({job["source_id"] for job in decided.values()}) == len(good), "a file has no source of its own")
    for name, job in decided.items():
        outcome.expect((job["status"], job["attempts"]) == ("done", 1), f"{name}: {job['status']}, {job['attempts']}")
        source = sources.get(job["source_id"])
        if source is None:
            outcome.problems.append(f"{name}: its source is not in the list")
            continue
        wanted = {label["slug"] for label in job["confirmed"]["labels"]}
        has = {label["slug"] for label in source["labels"]}
        outcome.expect(has == wanted, f"{name}: labels {sorted(has)}, not {sorted(wanted)}")
        outcome.expect(source["kind"] == good[name].kind, f"{name}: kind {source['kind']}")
    labels = {label["id"]: label for source in sources.values() for label in source["labels"]}
    carried = Counter(label["id"] for source in sources.values() for label in source["labels"])
    confirmed = Counter(label["slug"] for job in decided.values() for label in job["confirmed"]["labels"])
    outcome.labels = len(labels)
    names = {label["name"] for job in decided.values() for label in job["confirmed"]["labels"]}
    outcome.expect(len(labels) == len(names), f"{len(labels)} labels for {len(names)} names")
    for label_id, label in labels.items():
        counts = {
            "usage_count": label["usage_count"],
            "carried": carried[label_id],
            "listed": api.count_sources(label_id=label_id),
            "confirmed": confirmed[label["slug"]],
        }
        outcome.expect(len(set(counts.values())) == 1, f"label {label['slug']}: {counts}")


def check_search(
    files: Sequence[MadeFile], jobs: Sequence[Job], *, api: BatchApi, topic_id: int, outcome: Outcome
) -> None:
    """Whether the word that only one file has leads to that file's source, and to no other."""
    source_of = {job["filename"]: job["source_id"] for job in jobs}
    missing = [file for file in files if file.word]
    ends = time.monotonic() + FOLDED_WITHIN_S
    results: dict[str, list[int]] = {}
    while True:
        for file in missing:
            results[file.name] = api.sources_with(file.word, topic_id=topic_id)
        missing = [file for file in missing if set(results[file.name]) != {source_of[file.name]}]
        if not missing or time.monotonic() > ends:
            break
        time.sleep(1)
    outcome.found = len(results) - len(missing)
    for file in missing:
        outcome.problems.append(
            f"{file.name}: {file.word} finds {results[file.name]}, not source {source_of[file.name]}"
        )
