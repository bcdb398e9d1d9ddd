"""`python -m bench`: load data sets into a service over its API, measure, and print figures."""

import argparse
import dataclasses
import datetime as dt
import os
import platform
import subprocess
import sys
from pathlib import Path
from typing import Any

from bench import answers, classification, command, tables
from bench.answers import AnswerQuality, measure_answers
from bench.classification import Classification
from bench.client import Api
from bench.command import add_data_dir, add_limit, data_sets, parser_of
from bench.datasets import NAMES, DataSet, load_set
from bench.documents import Reading, check, texts_of
from bench.load import LoadedSet, load, topic_for
from bench.quality import Quality, measure_service
from bench.stack import PROJECT, embedded
from bench.stored import count_chunks

PARTS = ("quality", "ingest", "classification", "answers")
# Commands of their own.
OTHERS = ("clauses", "references", "kept_tables", "versions", "lay_questions", "vector_shares")


@dataclasses.dataclass
class Run:
    """Everything one run measured; what was not asked for stays empty."""

    started_at: str
    machine: dict[str, Any]
    limited: bool
    loads: dict[str, LoadedSet] = dataclasses.field(default_factory=dict)
    quality: dict[str, Quality] = dataclasses.field(default_factory=dict)
    readings: list[Reading] = dataclasses.field(default_factory=list)
    classification: Classification | None = None
    answers: dict[str, AnswerQuality] = dataclasses.field(default_factory=dict)


def arguments() -> argparse.Namespace:
    parser = parser_of("bench", __doc__)
    add_limit(parser)
    parser.add_argument("--sets", default=",".join(NAMES), help="which of %(default)s, separated by commas")
    parser.add_argument("--only", choices=[*PARTS, *OTHERS], help="only this part")
    add_data_dir(parser)
    chosen = parser.parse_args()
    chosen.sets = [name.strip() for name in chosen.sets.split(",")]
    if unknown := set(chosen.sets) - set(NAMES):
        parser.error(f"no such set: {', '.join(sorted(unknown))}")
    return chosen


def main() -> int:
    chosen = arguments()
    root = data_sets()
    code = measure_parts(chosen, root) if chosen.only not in OTHERS else 0
    limit = ["--limit", str(chosen.limit)] if chosen.limit else []
    for name in OTHERS:
        if chosen.only in (None, name):
            section(f"bench.{name}")
            code = max(code, subprocess.run([sys.executable, "-m", f"bench.{name}", *limit], cwd=PROJECT).returncode)
    return code


def measure_parts(chosen: argparse.Namespace, root: Path) -> int:
    """What one service is asked about, and the classification; 1 when a document was refused, failed or lost."""
    names = [] if chosen.only == "classification" else chosen.sets
    if chosen.only == "answers":
        names = [name for name in chosen.sets if name in answers.OFF_TOPIC]
    sets = [load_set(name, root=root, limit=chosen.limit) for name in names]
    run = Run(dt.datetime.now(dt.UTC).isoformat(timespec="seconds"), machine(), bool(chosen.limit))
    if chosen.only in (None, "classification"):
        run.classification = classification.measure(root, sets=chosen.sets, limit=chosen.limit)
    if chosen.only != "classification":
        with embedded(chosen.data_dir) as (stack, api):
            measure_all(sets, run=run, api=api, database_url=stack.database_url, chosen=chosen)
    report(run)
    unwell = [
        filename
        for name, loaded in run.loads.items()
        if name != "documents"  # there some are meant to fail
        for filename in (*loaded.lost, *loaded.refused, *loaded.failed)
    ]
    return 1 if unwell else 0


def measure_all(sets: list[DataSet], *, run: Run, api: Api, database_url: str, chosen: argparse.Namespace) -> None:
    """Everything that needs the service."""
    for dataset in sets:
        run.loads[dataset.name] = fill(dataset, api=api, database_url=database_url)
        loaded = run.loads[dataset.name]
        if dataset.name == "documents":
            run.readings = check(dataset, loaded, texts=texts_of(loaded, database_url=database_url))
    for dataset in sets:
        loaded = run.loads[dataset.name]
        if chosen.only in (None, "quality") and dataset.queries:
            run.quality[dataset.name] = measure_service(dataset, loaded, api=api, queries=dataset.queries)
        if chosen.only in (None, "answers") and dataset.name in answers.OFF_TOPIC:
            run.answers[dataset.name] = measure_answers(dataset, loaded, api=api, database_url=database_url)


def fill(dataset: DataSet, *, api: Api, database_url: str) -> LoadedSet:
    """Load the set into its own topic and count the chunks that came of it."""
    topic_id = topic_for(dataset, api=api)
    before = count_chunks(database_url, topic_id=topic_id)
    loaded = load(dataset, api=api, topic_id=topic_id)
    loaded.chunks = count_chunks(database_url, topic_id=topic_id)
    loaded.new_chunks = loaded.chunks - before
    return loaded


def machine() -> dict[str, Any]:
    revision = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], cwd=PROJECT, capture_output=True, text=True, timeout=10
    )
    return {
        "python": platform.python_version(),
        "system": platform.platform(),
        "cores": os.cpu_count(),
        "revision": revision.stdout.strip(),
    }


def report(run: Run) -> None:
    """Print the tables."""
    print(f"# Benchmark of {run.started_at}, revision {run.machine['revision']}\n")
    if run.limited:
        print("Parts of the sets only: these figures cannot be compared with others.\n")
    if run.classification and run.classification.scores:
        section("Classification by the offline rules", classification.table(run.classification))
    if run.loads:
        section("Ingest", tables.ingest(run.loads))
    if run.readings:
        section("Documents", tables.readings(run.readings), tables.readings_summary(run.readings))
    if run.quality:
        section("Quality", tables.quality(run.quality))
    if run.answers:
        section("Answers", answers.table(run.answers), answers.summary(run.answers))


def section(title: str, *texts: str) -> None:
    print(f"## {title}\n", flush=True)  # before what another process prints
    for text in texts:
        print(f"{text}\n")


if __name__ == "__main__":
    sys.exit(command.run(main))
