"""References of the 600 laws against the Ministry's markup: python -m bench.references [--samples N] [--found N].

In process and without a database: what resolving asks is answered from the 600 files. The markup is partial. It says
what was missed and what points elsewhere, not which other references are wrong: some of these are printed, to be
judged by eye. `glued` references lack a space in the text, and are counted apart.
"""

import json
import os
import random
import re
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import django
from tqdm import tqdm

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "kb_project.settings")
django.setup()  # the modules that read references import models

from bench.command import add_limit, data_sets, parser_of, run  # noqa: E402
from bench.datasets import json_lines  # noqa: E402
from bench.tables import markdown  # noqa: E402
from extraction import extract  # noqa: E402
from law.citations.titles import parse_title  # noqa: E402
from law.references.mentions import Citation, read_references  # noqa: E402
from law.structure.lines.document_lines import document_text, lines  # noqa: E402
from law.structure.provisions import Outline, ParsedProvision  # noqa: E402
from law.structure.recogniser import Recogniser  # noqa: E402
from law.timeline import Period  # noqa: E402
from sources.citations.acts_meant import sources_of  # noqa: E402
from sources.citations.lookups import CitableSource, Stored  # noqa: E402
from sources.citations.source_keys import section_key  # noqa: E402
from sources.citations.titles import closest  # noqa: E402
from sources.references.targets import ReferenceTarget, targets_in  # noqa: E402

SEED = 17
_YEAR = re.compile(r"(?<!\d)(?:1[89]|20)\d\d(?!\d)")
AROUND = 60  # characters shown on each side
Gold = dict[str, Any]


@dataclass
class Document:
    """One of the 600, read once; its id is its place among them."""

    name: str
    title: str
    kind: str
    text: str
    provisions: Sequence[ParsedProvision]


class Laws(Stored):
    """The documents as resolving asks for them, without a database."""

    def __init__(self, documents: Sequence[Document]) -> None:
        super().__init__(None)
        self._documents = documents
        self._by_start: dict[str, list[CitableSource]] = defaultdict(list)
        for number, document in enumerate(documents):
            start = parse_title(document.title).start
            self._by_start[start].append(CitableSource(number, document.title, [], [], number, None, None))

    def sources(self, *, starts: Collection[str], identifiers: Collection[str]) -> list[CitableSource]:
        return [one for start in starts for one in self._by_start.get(start, ())]

    def titles(self, source_ids: Collection[int]) -> dict[int, str]:
        return {number: self._documents[number].title for number in source_ids}

    def countries(self) -> frozenset[str]:
        return frozenset()

    def sections(self, source_ids: Collection[int], numbers: Collection[str]) -> list[tuple[int, str, str]]:
        return []

    def eids(
        self, source_ids: Collection[int], eids: Collection[str], *, divisions: bool
    ) -> Iterator[tuple[int, str, Period]]:
        return ((number, one.eid, one.days) for number in source_ids for one in self._documents[number].provisions)


@dataclass
class Score:
    """Counts of one sort of marked references."""

    marked: int = 0
    found: int = 0
    act_right: int = 0
    with_section: int = 0
    section_right: int = 0
    here: int = 0  # with the section, in an act among the 600
    address_right: int = 0

    def row(self) -> list[str]:
        shares = [(self.found, self.marked), (self.act_right, self.found), (self.section_right, self.with_section)]
        shares.append((self.address_right, self.here))
        return [str(self.marked), *(f"{part / whole:.4f} of {whole}" if whole else "" for part, whole in shares)]


@dataclass
class Result:
    scores: dict[str, Score] = field(default_factory=lambda: defaultdict(Score))
    missed: list[str] = field(default_factory=list)
    elsewhere: list[str] = field(default_factory=list)
    others: list[str] = field(default_factory=list)
    statuses: Counter[str] = field(default_factory=Counter)
    characters: int = 0
    size: int = 0
    seconds: float = 0.0


def read(folder: Path, *, limit: int | None = None) -> list[Document]:
    documents = []
    for entry in tqdm(list(json_lines(folder / "index.jsonl"))[:limit], desc="documents", unit="file"):
        outline = Outline()
        pages = list(extract(folder / "files" / entry["file"]))
        for _ in outline.follow(Recogniser(statutory=True).units(lines(pages))):
            pass
        text = document_text(pages)
        documents.append(Document(entry["file"], entry["title"], entry["kind"], text, outline.provisions))
    return documents


def measure(documents: Sequence[Document], marked: dict[str, list[Gold]]) -> Result:
    result, laws = Result(), Laws(documents)
    names = {document.name: number for number, document in enumerate(documents)}
    for number, document in enumerate(tqdm(documents, desc="references", unit="file")):
        started = time.process_time()
        mentions = read_references(document.text, document.provisions, title=document.title, kind=document.kind)
        result.seconds += time.process_time() - started
        result.characters += len(document.text)
        result.size += len(document.text.encode())
        days = [None] * len(mentions)
        meant = sources_of(laws, mentions, days=days)
        targets = targets_in(laws, mentions, meant, source_id=number, provisions=document.provisions, days=days)
        result.statuses.update(target.status.value for target in targets)
        found = list(zip(mentions, targets, strict=True))
        seen: set[int] = set()
        for gold in marked.get(document.name, ()):
            start, end = _place(document.text, gold)
            over = [pair for pair in found if pair[0].start < end and pair[0].end > start]
            seen.update(pair[0].start for pair in over)
            _count(result, document, gold, over, own=number, names=names, span=(start, end))
        result.others += [_shown(document, one) for one in mentions if one.start not in seen]
    return result


def _place(text: str, gold: Gold) -> tuple[int, int]:
    """Where the marked words stand; their context tells which of several."""
    before, after = ("".join(gold[side].split()) for side in ("before", "after"))
    best, place, start = -1, 0, text.find(gold["text"])
    while start >= 0:
        end = start + len(gold["text"])
        left = "".join(text[max(0, start - 200) : start].split())
        right = "".join(text[end : end + 200].split())
        fits = _same(left[::-1], before[::-1]) + _same(right, after)
        if fits > best:
            best, place = fits, start
        start = text.find(gold["text"], start + 1)
    return place, place + len(gold["text"])


def _same(one: str, other: str) -> int:
    """How many characters two strings begin with together."""
    return next(
        (place for place, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other))
    )


def _count(
    result: Result,
    document: Document,
    gold: Gold,
    over: Sequence[tuple[Citation, ReferenceTarget]],
    *,
    own: int,
    names: dict[str, int],
    span: tuple[int, int],
) -> None:
    score = result.scores[_sort(gold)]
    score.marked += 1
    shown = f"{document.name}: {_around(document.text, *span)} → {gold['target_title']} {gold['target_section'] or ''}"
    if not over:
        result.missed.append(shown)
        return
    score.found += 1
    wanted = own if gold["internal"] else names.get(gold["target_file"] or "")
    right = [(mention, target) for mention, target in over if _is_act(mention, target, gold, wanted, own)]
    if not right:
        result.elsewhere.append(f"{shown} ≠ {over[0][0].title or 'this document'}")
        return
    score.act_right += 1
    if not gold["target_section"]:
        return
    score.with_section += 1
    key = section_key(gold["target_section"])
    same = [target for mention, target in right if section_key(mention.number) == key]
    score.section_right += bool(same)
    if wanted is not None:
        score.here += 1
        score.address_right += any(target.found and target.eid for target in same)


def _sort(gold: Gold) -> str:
    """What a marked reference is counted as. The markup links some to the act of another year that took the place."""
    sort = "internal" if gold["internal"] else "external"
    printed, meant = (_YEAR.findall(text) for text in (gold["text"], gold["target_title"] or ""))
    if printed and meant and printed[-1] != meant[-1] and not gold["internal"]:
        sort += ", another year"
    return f"glued, {sort}" if gold.get("glued") else sort


def _is_act(mention: Citation, target: ReferenceTarget, gold: Gold, wanted: int | None, own: int) -> bool:
    if gold["internal"]:
        return mention.internal or target.source_id == own
    if wanted is not None and target.source_id is not None:
        return target.source_id == wanted
    return bool(mention.title) and bool(closest(mention.title, [(0, parse_title(gold["target_title"]))]))


def _shown(document: Document, mention: Citation) -> str:
    cited = mention.identifier or mention.title or ("this document" if mention.internal else "unknown")
    divisions = " ".join(f"{one.kind} {one.number}" for one in mention.divisions)
    clauses = "".join(f"({clause})" for clause in mention.clauses)
    place = _around(document.text, mention.start, mention.end)
    return f"{document.name}: {place} → {cited} {mention.number}{clauses} {divisions}"


def _around(text: str, start: int, end: int) -> str:
    shown = f"{text[max(0, start - AROUND) : start]}[[{text[start:end]}]]{text[end : end + AROUND]}"
    return " ".join(shown.split())


def table(result: Result) -> str:
    header = ["references", "marked", "found", "act right", "provision right", "address found"]
    return markdown(header, [[name, *score.row()] for name, score in sorted(result.scores.items())])


def main() -> int:
    parser = parser_of("bench.references", __doc__)
    add_limit(parser)
    parser.add_argument(
        "--samples", type=int, default=10, help="of what was missed, and points elsewhere (%(default)s)"
    )
    parser.add_argument("--found", type=int, default=20, help="of what is not marked (%(default)s)")
    chosen = parser.parse_args()
    folder = data_sets() / "israeli-law"
    marked: dict[str, list[Gold]] = defaultdict(list)
    for gold in json_lines(folder / "references-dev.jsonl"):
        marked[gold["file"]].append(gold)
    result = measure(read(folder, limit=chosen.limit), marked)
    print(table(result), end="\n\n")
    print(json.dumps(result.statuses, ensure_ascii=False), f"in {result.seconds:.1f} s of processor time:")
    print(f"{result.size / result.seconds / 1e6:.1f} MB/s, {result.characters / result.seconds / 1e6:.1f} Mchar/s")
    chooser = random.Random(SEED)
    for name, shown, count in (
        ("Missed", result.missed, chosen.samples),
        ("Elsewhere", result.elsewhere, chosen.samples),
        ("Found besides", result.others, chosen.found),
    ):
        print(f"\n## {name}: {len(shown)}\n")
        print(*(f"- {one}" for one in chooser.sample(shown, min(count, len(shown)))), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(run(main))
