"""Law in time: every changed section of dated acts, the day before, on the day and today. `python -m bench.versions`.

Takes `versions` under KB_DATA_SETS: 40 acts in 109 versions, with the sections that each changed. All are uploaded to
one topic as versions of their acts. Then each section that came or changed is asked for by its citation and by its
words, on the last day before its version, on its first day, and today: by search, by ask, and with the tools of an
agent over MCP.
"""

import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import date, timedelta
from itertools import groupby, pairwise
from pathlib import Path
from typing import Any

from tqdm import tqdm

from bench.client import Api
from bench.command import add_data_dir, add_limit, data_sets, parser_of, run
from bench.datasets import DataSet, Document, json_lines
from bench.load import ensure_topic, load
from bench.stack import StackFailed, embedded, settings_of_stack
from bench.tables import markdown
from tests.anthropic_server import AnthropicServer

WORDS = 14  # of a section, to ask for it
TOPIC = "bench-versions"
SEARCH, READ = "search_legal_kb", "read_legal_provision"
_SOURCE = re.compile(r"^(?:address: |provision: .*\()(\d+)#", re.MULTILINE)
_HEADS = re.compile(r"^<(\S+)(?: n=[^\n]*)?>$(.*?)^(?:quote|text|opening)[^\n]*:$", re.MULTILINE | re.DOTALL)
_DAY = re.compile(r"^in force (from|until before): (\S+)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Version:
    """A version of an act, the sections that came, changed or went with it, and its source once it is there."""

    act: str
    title: str
    path: Path
    begins: date
    changed: tuple[str, ...]
    removed: tuple[str, ...] = ()
    source_id: int = 0


@dataclass(frozen=True, slots=True)
class Question:
    """A section of an act, by citation or by its words, on a day. `expected` is the version that answers."""

    way: str
    text: str
    day: date
    expected: int


def main() -> int:
    parser = parser_of("bench.versions", __doc__)
    add_limit(parser)
    add_data_dir(parser)
    parser.add_argument("--model", action="store_true", help="ask a local server that quotes the passages it is sent")
    chosen = parser.parse_args()
    acts = read_acts(data_sets() / "versions")[: chosen.limit]
    with _answerer(chosen.model), embedded(chosen.data_dir) as (_, api):
        topic_id, there = take_in(acts, api=api)
        questions = [
            question for act in tqdm(there, desc="reading", unit="act") for question in questions_of(act, api=api)
        ]
        acts_of = {version.source_id: {one.source_id for one in act} for act in there for version in act}
        measured = measure(questions, acts_of, api=api, topic_id=topic_id)
        called = measure_tools(questions, acts_of, api=api)
    _report(measured)
    print()
    _report(called)
    return 0


@contextmanager
def _answerer(is_model: bool) -> Iterator[None]:
    """What is started meanwhile answers with a local server that speaks a model's API, or with `extractive`."""
    if not is_model:
        with settings_of_stack({"KB_ANSWERER": "extractive"}):
            yield
        return
    with AnthropicServer() as model:
        settings = {"KB_ANSWERER": "anthropic", "ANTHROPIC_API_KEY": "bench", "ANTHROPIC_BASE_URL": model.url}
        with settings_of_stack(settings):
            yield


def read_acts(root: Path) -> list[list[Version]]:
    """The versions of each act, the first one first."""
    rows = sorted(json_lines(root / "index.jsonl"), key=lambda row: (row["act"], row["version_date"]))
    return [
        [
            Version(
                act=act,
                title=row["title"],
                path=root / "files" / row["file"],
                begins=date.fromisoformat(row["version_date"]),
                changed=(*(row["changes"] or {}).get("changed", ()), *(row["changes"] or {}).get("added", ())),
                removed=tuple((row["changes"] or {}).get("removed", ())),
            )
            for row in versions
        ]
        for act, versions in groupby(rows, key=lambda row: row["act"])
    ]


def take_in(acts: list[list[Version]], *, api: Api) -> tuple[int, list[list[Version]]]:
    """Upload all versions that are not there: the first of each act, then the others as versions of it."""
    topic_id = ensure_topic(TOPIC, name="Acts of Canada in time", api=api)
    there = loaded([document_of(act[0]) for act in acts], api=api, topic_id=topic_id)
    later = [document_of(version, version_of=str(there[act[0].path.name])) for act in acts for version in act[1:]]
    there |= loaded(later, api=api, topic_id=topic_id)
    return topic_id, [[replace(version, source_id=there[version.path.name]) for version in act] for act in acts]


def document_of(version: Version, **more: str) -> Document:
    name = version.path.name
    more["valid_from"] = version.begins.isoformat()
    return Document(name, version.path, "law", name, title=version.title, more=more)


def loaded(documents: list[Document], *, api: Api, topic_id: int) -> dict[str, int]:
    """The sources of the documents, by file name. Raises `StackFailed` unless all are there."""
    dataset = DataSet(name="versions", title="Versions", documents=tuple(documents))
    loaded = load(dataset, api=api, topic_id=topic_id)
    if left := {**loaded.refused, **loaded.failed, **dict.fromkeys(loaded.lost, "lost")}:
        raise StackFailed(f"Not taken in: {left}")
    return {name: source_id for source_id, name in loaded.sources.items()}


def questions_of(act: list[Version], *, api: Api) -> Iterator[Question]:
    """What is asked about an act: whatever each version brought, around its first day and today."""
    eids = {version.source_id: _eids(api.provisions(version.source_id)) for version in act}
    for before, version in pairwise(act):
        days = (
            (version.begins - timedelta(days=1), before.source_id),
            (version.begins, version.source_id),
            (date.today(), act[-1].source_id),
        )
        for number in version.changed:
            for day, expected in days:
                if eid := eids[expected].get(number):
                    yield Question("citation", f"section {number} of the {version.title}", day, expected)
                    yield Question("words", _words(api.provision(expected, eid)), day, expected)


def _eids(provisions: list[dict[str, Any]]) -> dict[str, str]:
    """The sections by their numbers; a schedule without one is left out."""
    return {one["number"].rstrip("."): one["eid"] for one in provisions if one["number"]}


def _words(text: str) -> str:
    return " ".join(text.split()[:WORDS])


def measure(
    questions: Sequence[Question],
    acts_of: Mapping[int, set[int]],
    *,
    api: Api,
    topic_id: int,
) -> dict[str, Counter[str]]:
    """For each way: how many found the right version, among the first ten and first, or another one.

    And how many hits and quotes were not in force that day. `acts_of` has the versions of the act of each.
    """
    measured: dict[str, Counter[str]] = {"citation": Counter(), "words": Counter()}
    for question in tqdm(questions, desc="asking", unit="question"):
        row = measured[question.way]
        row["asked"] += 1
        as_of = question.day.isoformat()
        hits = api.search(question.text, topic_id=topic_id, as_of=as_of)["results"]
        row["hits not in force"] += sum(_is_out(hit["source"]) for hit in hits)
        of_act = {hit["source"]["id"] for hit in hits} & acts_of[question.expected]
        row["right version"] += question.expected in of_act
        row["another version"] += bool(of_act - {question.expected})
        row["first"] += bool(hits) and hits[0]["source"]["id"] == question.expected
        answer = api.ask(question.text, topic_id=topic_id, as_of=as_of)
        row["answered"] += answer["status"] == "answered"
        row["quotes not in force"] += sum(_is_out(citation) for citation in answer["citations"])
    return measured


def measure_tools(
    questions: Sequence[Question], acts_of: Mapping[int, set[int]], *, api: Api
) -> dict[str, Counter[str]]:
    """The same for what tools give. A citation is read, too."""
    measured: dict[str, Counter[str]] = {}
    for question in tqdm(questions, desc="calling tools", unit="question"):
        for name, argument in ((SEARCH, "query"), (READ, "reference")):
            if name == READ and question.way != "citation":
                continue
            arguments = {argument: question.text, "as_of": question.day.isoformat()}
            given = api.call_tool(name, arguments, topic=TOPIC)
            row = measured.setdefault(f"{name}, {question.way}", Counter())
            _count(row, given, question, acts_of[question.expected])
    return measured


def _count(row: Counter[str], text: str, question: Question, act: set[int]) -> None:
    """Count what a tool gave for a question; `act` are the versions of the act."""
    days = [dict(_DAY.findall(head)) for _, head in _HEADS.findall(text)]
    as_of = question.day.isoformat()
    out = [one for one in days if not one.get("from", "") <= as_of < one.get("until before", "9999")]
    of_act = {int(source_id) for source_id in _SOURCE.findall(text)} & act
    row["asked"] += 1
    row["right version"] += question.expected in of_act
    row["another version"] += bool(of_act - {question.expected})
    row["texts"] += len(days)
    row["texts not in force"] += len(out)


def _is_out(source: dict[str, Any]) -> bool:
    return source["status"] not in ("in_force", "undated")


def _report(measured: Mapping[str, Counter[str]]) -> None:
    names = list(dict.fromkeys(name for row in measured.values() for name in row))
    print(markdown(["way", *names], [[way, *(str(row[name]) for name in names)] for way, row in measured.items()]))


if __name__ == "__main__":
    sys.exit(run(main))
