"""`python -m bench.classification`: how often the offline classifier is right, on the data sets that have answers."""

from __future__ import annotations

import json
import os
import re
import sys
import unicodedata
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

from ingest.classify.dates import find_dates
from ingest.classify.evidence import verified
from ingest.classify.proposal import DocumentHead, HeadPage, RawProposal
from ingest.classify.rules import RulesClassifier
from sources.extraction import ExtractionFailed, extract

PROJECT = Path(__file__).resolve().parents[1]
PAGES, CHARACTERS = 3, 6000
_QUOTES = str.maketrans({"״": '"', "”": '"', "“": '"', "„": '"', "׳": "'", "’": "'", "‘": "'"})
_BEGINNING = re.compile(r"תחיל(?:ת|ה)|החל ב?מ?יום|היום הקובע|come[s]? into (?:force|operation)")
_DASHES = re.compile("[-־‐‑‒–—]")


@dataclass
class Score:
    """Counts of one set; `misses` are lines for `--misses`."""

    counts: Counter[str] = field(default_factory=Counter)
    misses: list[str] = field(default_factory=list)

    def note(self, name: str, right: bool, miss: str) -> None:
        self.counts[name] += 1
        self.counts[f"{name} right"] += right
        if not right:
            self.misses.append(f"{name}: {miss}")

    def share(self, name: str) -> str:
        total, right = self.counts[name], self.counts[f"{name} right"]
        return f"{right}/{total}" + (f" = {right / total:.1%}" if total else "")


def israeli_laws(root: Path) -> Iterator[tuple[dict[str, Any], DocumentHead]]:
    folder = root / "israeli-law"
    with (folder / "index.jsonl").open(encoding="utf-8") as index:
        for row in map(json.loads, index):
            text = (folder / "files" / row["file"]).read_text(encoding="utf-8")[:CHARACTERS]
            yield row, DocumentHead(pages=(HeadPage(None, text),), filename=row["file"])


def documents(root: Path, unread: list[str]) -> Iterator[tuple[dict[str, Any], DocumentHead]]:
    """The files that can be read; those that cannot, scans where there is no OCR among them, go into `unread`."""
    folder = root / "documents"
    for row in json.loads((folder / "index.json").read_text(encoding="utf-8")):
        try:
            pages = list(islice(extract(folder / row["file"], filename=row["file"]), PAGES))
        except ExtractionFailed as failure:
            unread.append(f"{row['file']}: {failure.code}")
            continue
        if pages[0].number is None:
            yield row, DocumentHead(pages=(HeadPage(None, pages[0].text[:CHARACTERS]),), filename=row["file"])
        else:
            yield row, DocumentHead(tuple(HeadPage(page.number, page.text) for page in pages), filename=row["file"])


def score(rows: Iterator[tuple[dict[str, Any], DocumentHead]]) -> Score:
    """Classify every document and compare with what its index says."""
    result, classifier = Score(), RulesClassifier()
    for row, head in rows:
        proposal = classifier.classify(head, deadline_s=45)
        name = row["file"]
        result.note("kind", proposal.kind == row["kind"], f"{name}: {proposal.kind}, not {row['kind']}; {row['title']}")
        result.note(
            "title", normal(proposal.title) == normal(row["title"]), f"{name}: {proposal.title!r}, not {row['title']!r}"
        )
        _note_date(result, proposal, row, head)
        result.note("summary", proposal.summary is not None, f"{name}: none")
        for evidence in proposal.evidence:
            held = verified(evidence, head.pages)
            result.note("evidence", bool(held) and held["page"] == evidence.page, f"{name}: {evidence}")
        having = sum(bool(getattr(proposal, field)) for field in ("kind", "title", "subject", "summary", "identifier"))
        having += proposal.published_at is not None
        given = {evidence.field for evidence in proposal.evidence} - {"labels"}
        result.note("fields with evidence", len(given) == having, name)
    return result


def _note_date(result: Score, proposal: RawProposal, row: dict[str, Any], head: DocumentHead) -> None:
    """The recall counts documents whose head prints the right day in full; the precision, every day proposed.

    Most statutes print only their year, and a few happen to have been published on the very day on which, they say,
    something in them begins: such a sentence does not tell the day of publication, so it is counted on its own.
    """
    printed = {date.date.isoformat() for date in find_dates(head.text)}
    as_such = {
        date.date.isoformat()
        for line in head.text.split("\n")
        for date in find_dates(line)
        if not _BEGINNING.search(line[: date.start].rpartition(".")[2])
    }
    miss = f"{row['file']}: {proposal.published_at}, not {row['published_at']}"
    if row["published_at"] in printed:
        result.note("date, where printed", proposal.published_at == row["published_at"], miss)
    if row["published_at"] in as_such:
        result.note("date, where printed as its own", proposal.published_at == row["published_at"], miss)
    if proposal.published_at:
        result.note("date, where proposed", proposal.published_at == row["published_at"], miss)


def normal(title: str | None) -> str:
    """A title without what differs between printers: white space, quotes, dashes."""
    text = unicodedata.normalize("NFKC", title or "").translate(_QUOTES)
    return " ".join(_DASHES.sub("-", text).split()).replace(" -", "-").replace("- ", "-").casefold()


NAMES = (
    "kind",
    "title",
    "date, where printed",
    "date, where printed as its own",
    "date, where proposed",
    "summary",
    "evidence",
    "fields with evidence",
)


def main() -> int:
    root = Path(os.environ.get("KB_DATA_SETS", PROJECT / "../shared/data")).resolve()
    if not (root / "israeli-law" / "index.jsonl").is_file() or not (root / "documents" / "index.json").is_file():
        print(f"There are no data sets at {root}: set KB_DATA_SETS to where they are. Skipped.")
        return 0
    unread: list[str] = []
    scores = {"israeli-law": score(israeli_laws(root)), "documents": score(documents(root, unread))}
    print("| | " + " | ".join(scores) + " |\n|---" + "|---" * len(scores) + "|")
    for name in NAMES:
        print(f"| {name} | " + " | ".join(one.share(name) for one in scores.values()) + " |")
    print(f"\nNot read, and so not counted: {'; '.join(unread) or 'none'}.")
    if "--misses" in sys.argv[1:]:
        for name, one in scores.items():
            print(f"\n{name}\n" + "\n".join(one.misses))
    return 0


if __name__ == "__main__":
    sys.exit(main())
