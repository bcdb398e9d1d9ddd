"""How often the offline classifier is right, on the data sets that have answers: a part of `python -m bench`.

`python -m bench.classification --misses` measures this alone and names every document that it got wrong.
"""

import json
import os
import re
import sys
import unicodedata
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from functools import partial
from itertools import islice, pairwise
from pathlib import Path
from typing import Any

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "kb_project.settings")
django.setup()  # what checks a proposal is of an app

from bench.command import data_sets, run  # noqa: E402
from bench.datasets import NAMES, DataMissing, json_lines  # noqa: E402
from bench.metrics import share  # noqa: E402
from bench.tables import markdown  # noqa: E402
from extraction import ExtractionFailed, extract  # noqa: E402
from ingest.stages.classify.proposal import FIELDS, RawProposal  # noqa: E402
from ingest.stages.classify.rules_classifier import RulesClassifier  # noqa: E402
from ingest.stages.classify.suggestions import verified  # noqa: E402
from law.languages.dates import find_dates  # noqa: E402
from law.metadata.head import DocumentHead, HeadPage  # noqa: E402
from law.metadata.lines import is_date_line  # noqa: E402

PAGES, CHARACTERS = 3, 6000
FIRST_PAGES = ("styles", "unseen")  # sets of which only titles and numbers are compared
_QUOTES = str.maketrans({"״": '"', "”": '"', "“": '"', "„": '"', "׳": "'", "’": "'", "‘": "'"})
# Looser than what the classifier goes by, so that it can miss what counts.
_TELLING = re.compile(
    r"פורס|פרסומ?[ום]|קבלה? ב|ניתנ|ניתן|נחתמ|רשומות|תאריך|publi|issu|filed|made|enact|adopt|sign|decid|dated?\b",
    re.IGNORECASE,
)
_TELLING_WITHIN = 60  # characters before the day
_BETWEEN_LETTERS = re.compile(r"[\W_]+")
_DASHES = re.compile("[-־‐‑‒–—]")


@dataclass
class Score:
    """Counts of one set; `misses` are lines for `--misses`."""

    counts: dict[str, int] = field(default_factory=dict)
    misses: list[str] = field(default_factory=list)

    def note(self, name: str, right: bool, miss: str) -> None:
        self.counts[name] = self.counts.get(name, 0) + 1
        self.counts[f"{name} right"] = self.counts.get(f"{name} right", 0) + right
        if not right:
            self.misses.append(f"{name}: {miss}")

    def share(self, name: str) -> str:
        return share(self.counts.get(f"{name} right", 0), self.counts.get(name, 0))


@dataclass
class Classification:
    """The scores by set, and the documents that no reader could read, with why."""

    scores: dict[str, Score] = field(default_factory=dict)
    unread: list[str] = field(default_factory=list)


def measure(root: Path, *, sets: Collection[str] = NAMES, limit: int | None = None) -> Classification:
    """The score of each of the `sets` that have answers, of the first `limit` documents. Raises `DataMissing`."""
    measured = Classification()
    readers = {"law": israeli_laws, "documents": lambda root: documents(root, measured.unread)}
    readers |= {name: partial(printed, folder=name) for name in FIRST_PAGES}
    for name in readers:
        if name in sets:
            try:
                measured.scores[name] = score(islice(readers[name](root), limit), is_first_pages=name in FIRST_PAGES)
            except FileNotFoundError as error:
                raise DataMissing(f"The data set '{name}' is not complete: {error.filename} is missing.") from error
    return measured


def printed(root: Path, *, folder: str) -> Iterator[tuple[dict[str, Any], DocumentHead]]:
    """Documents in the styles of many printers. Their titles are those under which they are known."""
    for row in json_lines(root / folder / "dev" / "index.jsonl"):
        yield row, _head(root / folder / "dev" / row["file"])


def _head(path: Path) -> DocumentHead:
    pages = list(islice(extract(path, filename=path.name), PAGES))
    if pages[0].number is None:
        return DocumentHead(pages=(HeadPage(None, pages[0].text[:CHARACTERS]),), filename=path.name)
    return DocumentHead(tuple(HeadPage(page.number, page.text) for page in pages), filename=path.name)


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
            yield row, _head(folder / row["file"])
        except ExtractionFailed as failure:
            unread.append(f"{row['file']}: {failure.code}")


def score(rows: Iterator[tuple[dict[str, Any], DocumentHead]], *, is_first_pages: bool = False) -> Score:
    """Classify every document and compare with what its index says.

    Of `is_first_pages` what is right of the titles and numbers that are proposed: a title is if the known one has it,
    or most of it, and a number if the index gives it, or the known title has it.
    """
    result, classifier = Score(), RulesClassifier()
    for row, head in rows:
        proposal = classifier.classify(head, deadline_s=45, is_unwanted=lambda: False)
        name = row["file"]
        if is_first_pages:
            _note_first_page(result, proposal, row)
            continue
        result.note("kind", proposal.kind == row["kind"], f"{name}: {proposal.kind}, not {row['kind']}; {row['title']}")
        result.note(
            "title", normal(proposal.title) == normal(row["title"]), f"{name}: {proposal.title!r}, not {row['title']!r}"
        )
        _note_date(result, proposal, row, head)
        result.note("summary", proposal.summary is not None, f"{name}: none")
        for evidence in proposal.evidence:
            held = verified(evidence, head.pages)
            result.note("evidence", held is not None and held["page"] == evidence.page, f"{name}: {evidence}")
        having = sum(bool(getattr(proposal, field)) for field in FIELDS if field != "labels")
        given = {evidence.field for evidence in proposal.evidence} - {"labels"}
        result.note("fields with evidence", len(given) == having, name)
    return result


def _note_first_page(result: Score, proposal: RawProposal, row: dict[str, Any]) -> None:
    miss = f"{row['file']}: {proposal.title!r}, not {row['title']!r}"
    is_right = _is_most_of(proposal.title or "", row["title"])
    result.note("title", is_right, miss)
    if proposal.title:
        result.note("title, where proposed", is_right, miss)
    number, known = _letters(proposal.identifier), row.get("identifier", "")
    if number and (known or number[-2:].isdigit()):
        has_number = number in (_letters(known), _letters(row["title"])) or number in _letters(row["title"])
        miss = f"{row['file']}: {proposal.identifier!r}, not {known!r} of {row['title']!r}"
        if known or has_number:
            result.note("number, where known", has_number, miss)


def _is_most_of(one: str, other: str) -> bool:
    shorter, longer = sorted((_letters(one), _letters(other)), key=len)
    return bool(shorter) and shorter in longer and 2 * len(shorter) >= len(longer)


def _letters(text: str | None) -> str:
    return _BETWEEN_LETTERS.sub("", (text or "").replace(" v. ", " v ").casefold().removeprefix("the "))


def _note_date(result: Score, proposal: RawProposal, row: dict[str, Any], head: DocumentHead) -> None:
    """The recall counts documents whose head prints the right day in full; the precision, every day proposed.

    Most statutes print only their year, and some happen to have been published on the very day on which, they say,
    they or a provision begin, or up to which something else went on. There is no telling such a day from the many
    that are not the day of publication, so what counts as *told* is a day that stands alone on its line or behind a
    word of publishing, making or giving.
    """
    days = [(line, date) for line in _lines_with_stamps(head.text) for date in find_dates(line)]
    printed = {date.date.isoformat() for _, date in days}
    told = {
        date.date.isoformat()
        for line, date in days
        if is_date_line(line) or _TELLING.search(line, max(0, date.start - _TELLING_WITHIN), date.start)
    }
    miss = f"{row['file']}: {proposal.published_at}, not {row['published_at']}"
    if row["published_at"] in printed:
        result.note("date, where printed", proposal.published_at == row["published_at"], miss)
    if row["published_at"] in told:
        result.note("date, where told", proposal.published_at == row["published_at"], miss)
    if proposal.published_at:
        result.note("date, where proposed", proposal.published_at == row["published_at"], miss)


def _lines_with_stamps(text: str) -> Iterator[str]:
    """The lines, a word such as `FILED` together with the day below it."""
    for above, line in pairwise(["", *text.split("\n")]):
        yield f"{above} {line}" if len(above) <= 30 else line


def normal(title: str | None) -> str:
    """A title without what differs between printers: white space, quotes, dashes."""
    text = unicodedata.normalize("NFKC", title or "").translate(_QUOTES)
    return " ".join(_DASHES.sub("-", text).split()).replace(" -", "-").replace("- ", "-").casefold()


ROWS = (
    "kind",
    "title",
    "title, where proposed",
    "number, where known",
    "date, where printed",
    "date, where told",
    "date, where proposed",
    "summary",
    "evidence",
    "fields with evidence",
)


def table(measured: Classification) -> str:
    """One column a set: how many are right, of how many."""
    scores = measured.scores
    rows = [[name, *(one.share(name) for one in scores.values())] for name in ROWS]
    unread = "; ".join(measured.unread) or "none"
    return f"{markdown(['', *scores], rows)}\n\nNot read, and so not counted: {unread}."


def main() -> int:
    measured = measure(data_sets(), sets=(*NAMES, *FIRST_PAGES))
    print(table(measured))
    if "--misses" in sys.argv[1:]:
        for name, one in measured.scores.items():
            print(f"\n{name}\n" + "\n".join(one.misses))
    return 0


if __name__ == "__main__":
    sys.exit(run(main))
