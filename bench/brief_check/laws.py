"""The laws that briefs are made from: taken in by the service, and read back from it."""

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from pathlib import Path

from bench.client import Api
from bench.datasets import DataSet, Document, json_lines
from bench.load import ensure_topic, load
from bench.stack import StackFailed
from law.structure.lines.clauses import outline

TOPIC = "bench-briefs"
HEBREW_LAWS, VERSIONED = 45, 12
STYLES = (
    *("uk_act", "uk_si", "ie_act", "sg_act", "in_act", "ke_act", "ni_act"),
    *("eu", "us_code", "us_cfr", "treaty", "za_bylaw"),
)
MIN_SECTIONS = 6
REPEALED_ON = "2020-01-01"
REPEALED_EVERY = 9  # of the laws one
MAX_SECTIONS = 24  # of a law that are read
MIN_WORDS, MAX_WORDS = 8, 32  # of a quotation


@dataclass(frozen=True)
class Section:
    """A section as the service has it. `clauses` are the ways to its clauses with what each says."""

    number: str
    text: str
    clauses: tuple[tuple[tuple[str, ...], str], ...] = ()


@dataclass(frozen=True)
class LawText:
    """`before` are sections of an earlier version, by number, whose words differ. `numbers` are all that it has."""

    source_id: int
    title: str
    style: str
    repealed: bool
    sections: tuple[Section, ...]
    numbers: frozenset[str]
    before: dict[str, str] = field(default_factory=dict)

    @property
    def is_hebrew(self) -> bool:
        return self.style == "he"


def _documents(root: Path) -> Iterator[tuple[str, Document, str]]:
    """The style, the document, and for an earlier version the name of the later one's file."""
    hebrew = [row for row in json_lines(root / "israeli-law" / "index.jsonl") if row["sections"] >= MIN_SECTIONS]
    step = len(hebrew) // HEBREW_LAWS
    for place, row in enumerate(hebrew[::step][:HEBREW_LAWS]):
        path = root / "israeli-law" / "files" / row["file"]
        yield "he", _document(path, row["title"], row["kind"], place), ""
    for place, row in enumerate(json_lines(root / "styles" / "dev" / "index.jsonl")):
        if row["style"] in STYLES and row["sections"] >= MIN_SECTIONS:
            path = root / "styles" / "dev" / row["file"]
            yield row["style"], _document(path, row["title"], row["kind"], place), ""
    versions = sorted(json_lines(root / "versions" / "index.jsonl"), key=lambda row: (row["act"], row["version_date"]))
    changed = [list(rows) for _, rows in groupby(versions, key=lambda row: row["act"])]
    for rows in [rows for rows in changed if len(rows) > 1 and rows[-1]["changes"]["changed"]][:VERSIONED]:
        for row in rows[-2:]:
            path = root / "versions" / "files" / row["file"]
            more = {"valid_from": row["version_date"]}
            document = Document(path.name, path, "law", path.name, title=row["title"], more=more)
            yield "ca", document, rows[-1]["file"] if row is rows[-2] else ""


def _document(path: Path, title: str, kind: str, place: int) -> Document:
    more = {"valid_to": REPEALED_ON} if place % REPEALED_EVERY == 0 and kind in ("law", "regulation") else {}
    return Document(path.name, path, kind, path.name, title=title, more=more)


def take_in(root: Path, *, api: Api) -> tuple[int, list[LawText]]:
    """The topic, and the laws with their sections."""
    topic_id = ensure_topic(TOPIC, name="Laws of briefs", api=api)
    rows = list(_documents(root))
    there = _loaded([document for _, document, later in rows if not later], api=api, topic_id=topic_id)
    earlier = [
        (replace(document, more={**document.more, "version_of": str(there[later])}), later)
        for _, document, later in rows
        if later
    ]
    before = _loaded([document for document, _ in earlier], api=api, topic_id=topic_id)
    older = {later: before[document.filename] for document, later in earlier}
    laws = [
        _read(api, there[document.filename], style, document, older.get(document.filename))
        for style, document, later in rows
        if not later
    ]
    return topic_id, [law for law in laws if len(law.sections) >= MIN_SECTIONS - 2]


def _loaded(documents: Sequence[Document], *, api: Api, topic_id: int) -> dict[str, int]:
    dataset = DataSet(name="briefs", title="Laws of briefs", documents=tuple(documents))
    loaded = load(dataset, api=api, topic_id=topic_id)
    names = {document.filename for document in documents}
    there = {name: pk for pk, name in loaded.sources.items() if name in names}
    if missing := names - set(there):
        raise StackFailed(f"Not taken in: {missing}")
    return there


def _read(api: Api, source_id: int, style: str, document: Document, older: int | None) -> LawText:
    provisions = [one for one in api.provisions(source_id) if one["kind"] in ("section", "paragraph") and one["number"]]
    plain = [one for one in provisions if one["eid"].count("__") <= 3 and "_" in one["eid"]]
    counted = [one for one in plain if one["eid"].startswith(("sec_", "para_"))]
    chosen = counted if len(counted) <= MAX_SECTIONS else random.Random(document.filename).sample(counted, MAX_SECTIONS)
    sections = [_section(one["number"], api.provision(source_id, one["eid"])) for one in chosen]
    before = {}
    if older is not None:
        old = {one["eid"]: one for one in api.provisions(older)}
        for one, now in zip(chosen, sections, strict=True):
            if one["eid"] in old and (text := api.provision(older, one["eid"])) != now.text:
                before[one["number"]] = text
    return LawText(
        source_id=source_id,
        title=document.title,
        style=style,
        repealed="valid_to" in document.more,
        sections=tuple(one for one in sections if len(one.text.split()) >= 12),
        numbers=frozenset(one["number"].casefold() for one in provisions),
        before=before,
    )


def _section(number: str, text: str) -> Section:
    found = outline(text)
    clauses = []
    for place, (start, path) in enumerate(found):
        ends = (at for at, other in found[place + 1 :] if other[: len(path)] != path)
        clauses.append((path, text[start : next(ends, len(text))]))
    return Section(number.rstrip("."), text, tuple(clauses))


_LEAD = re.compile(
    r"^\s*(?:\d[\w.]{0,10}[.)]?(?:\s*[—–]+\s*|\s+))?(?:\([^)]{1,4}\)\s?)*"
)  # a number and marks of clauses
_WORD = re.compile(r"[^\W\d_]{2}")
_UNQUOTABLE = re.compile(r'["“”״\[\]…]|\.\.|\d$|—\(|^[A-Za-z ,]{3,60}\.—')


def quotable(text: str) -> list[str]:
    """Stretches of a text that somebody may quote: of one line, from a word that nothing stands before."""
    found = []
    for line in text.split("\n"):
        for part in re.split(r"[.;:](?=\s|$)", _LEAD.sub("", line)):
            words = part.split()[:MAX_WORDS]
            if sum(bool(_WORD.search(word)) for word in words) >= MIN_WORDS:
                found.append(" ".join(words).strip(" ,–—-"))
    return [part for part in found if not _UNQUOTABLE.search(part)]
