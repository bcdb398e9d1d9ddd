"""Six hundred Israeli laws and an English rulebook: sections are found, and only sections."""

import json
import os
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest

from extraction import Page, extract
from law.chunking import SECTION_SIZES, chunk

pytestmark = pytest.mark.deep

DATA_SETS = Path(os.environ.get("KB_DATA_SETS") or Path(__file__).resolve().parents[4] / "shared" / "data")
LAWS = DATA_SETS / "israeli-law"
RULES = DATA_SETS / "obliqa" / "files"

needs_laws = pytest.mark.skipif(not LAWS.is_dir(), reason=f"no {LAWS} (set KB_DATA_SETS)")
needs_rules = pytest.mark.skipif(not RULES.is_dir(), reason=f"no {RULES} (set KB_DATA_SETS)")


Section = tuple[str, str]  # number, heading


def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def true_sections() -> dict[str, list[Section]]:
    """Numbered sections by file; the set also holds unnumbered provisions and lost clauses, which have no number."""
    found = defaultdict(list)
    for row in rows(LAWS / "sections.jsonl"):
        if row["section"][:1].isdigit():
            found[row["file"]].append((row["section"], " ".join(row["heading"].split())))
    return found


def as_printed(pages: Iterable[Page], sections: Iterable[Section]) -> Iterable[Page]:
    return pages


def with_marginal_headings(pages: Iterable[Page], sections: Iterable[Section]) -> Iterator[Page]:
    """The same law as the gazette prints it: the heading on a line before the number, the text right after it."""
    known = set(sections)
    for page in pages:
        lines = []
        pending = ""
        for line in page.paragraphs:
            found = re.match(r"(\d+[א-ת]*\d*[א-ת]*)\.(?: (.*))?$", line)
            if found and (found.group(1), (found.group(2) or "").strip()) in known:
                lines += [pending] * bool(pending) + [found.group(2)] * bool(found.group(2))
                pending = f"{found.group(1)}."
            elif pending and not line.startswith("("):
                lines.append(f"{pending} {line}")
                pending = ""
            else:
                lines += [pending] * bool(pending) + [line]
                pending = ""
        yield Page(number=None, paragraphs=(*lines, *([pending] * bool(pending))))


@needs_laws
@pytest.mark.parametrize(
    ("layout", "least_numbers", "least_headings"),
    [(as_printed, 0.99, 0.98), (with_marginal_headings, 0.99, 0.98)],
    ids=lambda value: getattr(value, "__name__", None),
)
def test_sections_of_the_laws_are_found(
    layout: Callable[[Iterable[Page], Iterable[Section]], Iterable[Page]], least_numbers: float, least_headings: float
) -> None:
    truth = true_sections()
    wanted = numbers = headings = given = spurious = 0
    for row in rows(LAWS / "index.jsonl"):
        pages = list(layout(extract(LAWS / "files" / row["file"]), truth[row["file"]]))
        drafts = list(chunk(pages, kind=row["kind"]))
        assert max(len(draft.text) for draft in drafts) <= SECTION_SIZES.maximum
        parts = groupby(drafts, key=lambda draft: (draft.section, draft.heading, draft.path))
        found = [(section, heading) for (section, heading, _), _ in parts if section]
        want, got = Counter(n for n, _ in truth[row["file"]]), Counter(n for n, _ in found)
        wanted += want.total()
        numbers += (want & got).total()
        headings += (Counter(truth[row["file"]]) & Counter(found)).total()
        given += got.total()
        spurious += (got - want).total()
    assert numbers / wanted >= least_numbers
    assert headings / wanted >= least_headings
    assert 1 - spurious / given >= 0.97


@needs_rules
@pytest.mark.parametrize(
    "name",
    ["AML_VER09.211223.txt", "COBS_VER15.150823.txt", "GEN_VER08.181223.txt", "FSMR_Consolidated_December_2023.txt"],
)
def test_rules_are_found(name: str) -> None:
    pages = list(extract(RULES / name))
    label = re.compile(r"(?:(?:Part|Chapter|Schedule) ?\d+[A-Z]? ?\.)*(\d+(?:\.\d+[A-Z]?)*[A-Z]?)\.?(?:\(\d+\))?\t")
    printed = {found.group(1) for page in pages for line in page.paragraphs if (found := label.match(line))}
    sections: set[str] = set()
    for draft in chunk(pages, kind="regulation"):
        sections.add(draft.section)
        sections.update(
            heading.split()[0] for heading in draft.path
        )  # a number with deeper ones below it is their path
    assert len(printed & sections) / len(printed) >= 0.98
    assert len(sections & printed) / len([number for number in sections if number[:1].isdigit()]) >= 0.97
