"""How often the rules find the days and the ended documents that clauses give: `python -m bench.clauses [--misses]`.

`clauses.jsonl` has labels of sentences in the data sets, which were found with a broad net and judged by reading: where
each stands, a hash of its words, and what it says of its document. Half of the sentences say nothing of it, though they
speak of beginnings and repeals. In process, without a database: each sentence is classified as the second page of
a document whose first one has the title, and the day of publication where a clause counts from it.

The halves are parted by file. The rules were written with the first one. The second was read when it was labelled.
"""

import hashlib
import json
import os
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "kb_project.settings")
django.setup()  # what reads the names of ended documents imports models

from bench.classification import normal  # noqa: E402
from bench.command import add_limit, data_sets, parser_of, run  # noqa: E402
from bench.datasets import DataMissing, json_lines  # noqa: E402
from bench.metrics import share  # noqa: E402
from bench.tables import markdown  # noqa: E402
from ingest.similar.naming import documents_named  # noqa: E402
from ingest.stages.classify.rules_classifier import RulesClassifier  # noqa: E402
from ingest.stages.classify.suggestions import ending_clauses, verified  # noqa: E402
from law.metadata.head import DocumentHead, HeadPage  # noqa: E402

LABELS = Path(__file__).with_name("clauses.jsonl")
FOLDERS = {"israeli-law": "files", "versions": "files", "obliqa": "files", "documents": ""}
TITLE_CHARACTERS = 400
DEVELOPMENT, HELD = "development", "held back"
QUESTIONS = ("in force from", "in force until", "ends")


@dataclass(frozen=True, slots=True)
class Clause:
    """A labelled sentence; `truth` has a day, the names of documents, or None for each of the questions."""

    name: str
    half: str
    head: DocumentHead
    truth: dict[str, str | frozenset[str] | None]


@dataclass
class Score:
    """How many clauses of a half were right, missed and wrong, by question; `misses` are lines for `--misses`."""

    counts: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    misses: list[str] = field(default_factory=list)

    def note(self, clause: Clause, question: str, proposed: str | frozenset[str] | None) -> None:
        truth = clause.truth[question]
        if proposed == truth:
            outcome = "right" if truth else "rightly silent"
        else:
            outcome = "wrong" if proposed else "missed"
            self.misses.append(f"{clause.half}, {question}, {outcome}: {clause.name}: {proposed}, not {truth}")
        self.counts[clause.half, question, outcome] += 1


def clauses(root: Path) -> Iterator[Clause]:
    """The labelled sentences. Raises `DataMissing` where the data are not there, or are others than those labelled."""
    texts: dict[tuple[str, str], str] = {}
    paragraphs: dict[str, str] = {}
    titles = _titles(root)
    for label in json_lines(LABELS):
        key = (label["set"], label["file"])
        if key not in texts:
            try:
                if label["set"] == "hebrew-qa":
                    paragraphs = paragraphs or {
                        row["id"]: row["text"] for row in json_lines(root / "hebrew-qa" / "paragraphs-dev.jsonl")
                    }
                    texts[key] = paragraphs[label["file"]]
                else:
                    path = root / label["set"] / FOLDERS[label["set"]] / label["file"]
                    texts[key] = path.read_text(encoding="utf-8")
            except FileNotFoundError as error:
                raise DataMissing(f"{error.filename} is missing.") from error
        words = texts[key][label["at"] : label["at"] + label["length"]]
        if hashlib.sha256(words.encode()).hexdigest()[:12] != label["hash"]:
            raise DataMissing(f"{label['file']} of '{label['set']}' is not as it was when its clauses were labelled.")
        published = f"\nPublished on: {label['published']}" if label.get("published") else ""
        first = HeadPage(1, f"{titles.get(key, texts[key][:TITLE_CHARACTERS])}{published}")
        ended = frozenset(normal(words[at : at + length]) for at, length in label.get("ends", ()))
        yield Clause(
            name=f"{label['set']}/{label['file']}, {label['at']}",
            half=half_of(label["file"]),
            head=DocumentHead(pages=(first,), further=(HeadPage(2, words),), filename=label["file"]),
            truth={
                "in force from": label.get("valid_from"),
                "in force until": label.get("valid_to"),
                "ends": ended or None,
            },
        )


def half_of(file: str) -> str:
    return DEVELOPMENT if int(hashlib.sha1(file.encode()).hexdigest(), 16) % 2 else HELD


def _titles(root: Path) -> dict[tuple[str, str], str]:
    laws, documents = root / "israeli-law" / "index.jsonl", root / "documents" / "index.json"
    try:
        return {("israeli-law", row["file"]): row["title"] for row in json_lines(laws)} | {
            ("documents", f"{row['file']}.truth.txt"): row["title"]
            for row in json.loads(documents.read_text(encoding="utf-8"))
            if row.get("title")
        }
    except FileNotFoundError as error:
        raise DataMissing(f"{error.filename} is missing.") from error


def measure(root: Path, *, limit: int | None = None) -> Score:
    """Classify every sentence. Words that do not stand on their page count as missed. Raises `DataMissing`."""
    score, classifier = Score(), RulesClassifier()
    for clause in islice(clauses(root), limit):
        proposal = classifier.classify(clause.head, deadline_s=45, is_unwanted=lambda: False)
        supported = {
            one.field
            for one in proposal.evidence
            if (place := verified(one, (*clause.head.pages, *clause.head.further))) and place["page"] == one.page == 2
        }
        for name, question in (("valid_from", "in force from"), ("valid_to", "in force until")):
            score.note(clause, question, getattr(proposal, name) if name in supported else None)
        named = [one for ending in ending_clauses(clause.head) for one in documents_named(ending["named"])]
        score.note(clause, "ends", frozenset(normal(one.title or one.identifier) for one in named) or None)
    return score


def table(score: Score) -> str:
    """One row for each half and question."""
    rows = []
    for half in (DEVELOPMENT, HELD):
        for question in (*QUESTIONS, "all"):
            asked = QUESTIONS if question == "all" else (question,)
            right, missed, wrong, silent = (
                sum(score.counts[half, one, outcome] for one in asked)
                for outcome in ("right", "missed", "wrong", "rightly silent")
            )
            clauses_there, proposed = right + missed + wrong, right + wrong
            rows.append([half, question, share(right, clauses_there), str(missed), share(wrong, proposed), str(silent)])
    return markdown(["half", "", "right", "missed", "wrong of proposed", "rightly silent"], rows)


def main() -> int:
    parser = parser_of("bench.clauses", __doc__)
    add_limit(parser)
    parser.add_argument("--misses", action="store_true", help="name what was missed or wrong")
    chosen = parser.parse_args()
    score = measure(data_sets(), limit=chosen.limit)
    print(table(score))
    if chosen.misses:
        print("\n".join(score.misses))
    return 0


if __name__ == "__main__":
    sys.exit(run(main))
