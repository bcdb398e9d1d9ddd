"""Versions of acts compared by provision, against what is known to have changed.

The set `versions` has 40 acts in 109 versions, with the sections that each added, removed or changed.
Each version is read and compared with the one before, in this process. The index names schedules as a whole, so what
changed inside one counts as a change of it. It knows nothing of moving: a provision that moved counts as one that was
removed and one that was added. Parts, headings and what stands before the first section are not in the index.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from pathlib import Path
from typing import Any

from bench.datasets import json_lines
from extraction import extract
from law.chunking import chunk
from law.structure.provisions import Outline, ProvisionKind
from sources.comparison import ChangeKind, ProvisionChange, ProvisionText, compare, own_texts

Item = tuple[str, str]
"""A provision, and what became of it."""
_SCHEDULE = re.compile(r"sched(?:_(?P<number>[^\W_][\w-]*?))?(?:__.*)?")


@dataclass(frozen=True, kw_only=True)
class Compared:
    """A version beside the one before."""

    file: str
    expected: set[Item]
    found: set[Item]
    same_as_itself: bool


def compare_all(root: Path) -> Iterator[Compared]:
    """Each version of each act with the one before it."""
    rows = sorted(json_lines(root / "index.jsonl"), key=lambda row: (row["act"], row["version_date"]))
    for _, versions in groupby(rows, key=lambda row: row["act"]):
        read = [(row, read_act(root / "files" / row["file"])) for row in versions]
        for (_, before), (row, after) in pairwise(read):
            yield _compare(row, before, after)


def read_act(path: Path) -> list[ProvisionText]:
    """The texts of a file, as they would be of the source that it becomes."""
    outline = Outline()
    text = "".join(draft.gap + draft.text for draft in chunk(extract(path), kind="law", outline=outline))
    return own_texts(text, outline.provisions)


def _compare(row: dict[str, Any], before: Sequence[ProvisionText], after: Sequence[ProvisionText]) -> Compared:
    changes = compare(before, after)
    return Compared(
        file=row["file"],
        expected={(number, kind) for kind, numbers in row["changes"].items() for number in numbers},
        found=set(_items(changes)),
        same_as_itself=not compare(after, after),
    )


def _items(changes: Sequence[ProvisionChange]) -> Iterator[Item]:
    """The changes as the index writes them."""
    whole = {item for change in changes for item in _item(change) if "__" not in change.eid}
    yield from whole
    named = {name for name, _ in whole}
    for change in changes:
        if "__" in change.eid:
            yield from {(name, "changed") for name, _ in _item(change) if name not in named}


def _item(change: ProvisionChange) -> Iterator[Item]:
    """Of a section or a schedule; none of what the index does not name."""
    if not _name(change.shown):
        return
    names = [_name(one) for one in (change.before, change.after) if one]
    if change.kind is ChangeKind.MOVED and len(set(names)) > 1:
        yield from zip(names, ("removed", "added"), strict=True)
    else:
        yield names[-1], change.kind


def _name(text: ProvisionText) -> str:
    if schedule := _SCHEDULE.fullmatch(text.eid):
        return f"SCHEDULE {schedule['number'] or ''}".strip()
    return text.number if text.kind == ProvisionKind.SECTION else ""
