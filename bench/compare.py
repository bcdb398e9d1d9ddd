"""Versions of acts compared by provision, against what is known to have changed. `python -m bench.compare`.

Takes `versions` under KB_DATA_SETS: 40 acts in 109 versions, with the sections that each added, removed or changed.
Each version is read and compared with the one before, in this process. The index names schedules as a whole, so what
changed inside one counts as a change of it. It knows nothing of moving: a provision that moved counts as one that was
removed and one that was added. Parts, headings and what stands before the first section are not in the index.
"""

import argparse
import os
import re
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from pathlib import Path
from typing import Any

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "kb_project.settings")
django.setup()  # the modules that read provisions import models

from bench.datasets import json_lines  # noqa: E402
from bench.tables import markdown  # noqa: E402
from extraction import extract  # noqa: E402
from law.chunking import chunk  # noqa: E402
from law.structure.provisions import Kind, Outline  # noqa: E402
from sources.comparison import Change, ChangeKind, OwnText, compare, own_texts  # noqa: E402

PROJECT = Path(__file__).resolve().parents[1]
Item = tuple[str, str]
"""A provision, and what became of it."""
_SCHEDULE = re.compile(r"sched(?:_(?P<number>[\w-]+?))?(?:__.*)?")


@dataclass(frozen=True, kw_only=True)
class Compared:
    """A version beside the one before. `unnamed` are changes of what is no section, `seconds` without reading."""

    file: str
    expected: set[Item]
    found: set[Item]
    unnamed: int
    same_as_itself: bool
    seconds: float


def main() -> int:
    argparse.ArgumentParser(prog="python -m bench.compare", description=__doc__.splitlines()[0]).parse_args()
    root = Path(os.environ.get("KB_DATA_SETS", PROJECT / "../shared/data")) / "versions"
    if not root.exists():
        print(f"There is no data folder at {root}: set KB_DATA_SETS to where it is.", file=sys.stderr)
        return 2
    _report(list(compare_all(root)))
    return 0


def compare_all(root: Path) -> Iterator[Compared]:
    """Each version of each act with the one before it."""
    rows = sorted(json_lines(root / "index.jsonl"), key=lambda row: (row["act"], row["version_date"]))
    for _, versions in groupby(rows, key=lambda row: row["act"]):
        read = [(row, read_act(root / "files" / row["file"])) for row in versions]
        for (_, before), (row, after) in pairwise(read):
            yield _compare(row, before, after)


def read_act(path: Path) -> list[OwnText]:
    """The texts of a file, as they would be of the source that it becomes."""
    outline = Outline()
    text = "".join(draft.gap + draft.text for draft in chunk(extract(path), kind="law", outline=outline))
    return own_texts(text, outline.provisions)


def _compare(row: dict[str, Any], before: Sequence[OwnText], after: Sequence[OwnText]) -> Compared:
    started = time.perf_counter()
    changes = compare(before, after)
    seconds = time.perf_counter() - started
    return Compared(
        file=row["file"],
        expected={(number, kind) for kind, numbers in row["changes"].items() for number in numbers},
        found=set(_items(changes)),
        unnamed=sum(not any(_item(change)) for change in changes),
        same_as_itself=not compare(after, after),
        seconds=seconds,
    )


def _items(changes: Sequence[Change]) -> Iterator[Item]:
    """The changes as the index writes them."""
    whole = {item for change in changes for item in _item(change) if "__" not in change.eid}
    yield from whole
    named = {name for name, _ in whole}
    for change in changes:
        if "__" in change.eid:
            yield from {(name, "changed") for name, _ in _item(change) if name not in named}


def _item(change: Change) -> Iterator[Item]:
    """Of a section or a schedule; none of what the index does not name."""
    if not _name(change.shown):
        return
    names = [_name(one) for one in (change.before, change.after) if one]
    if change.kind is ChangeKind.MOVED and len(set(names)) > 1:
        yield from zip(names, ("removed", "added"), strict=True)
    else:
        yield names[-1], change.kind


def _name(text: OwnText) -> str:
    if schedule := _SCHEDULE.fullmatch(text.eid):
        return f"SCHEDULE {schedule['number'] or ''}".strip()
    return text.number if text.kind == Kind.SECTION else ""


def _report(compared: Sequence[Compared]) -> None:
    expected = sum(len(one.expected) for one in compared)
    right = sum(len(one.expected & one.found) for one in compared)
    print(
        markdown(
            ["versions", "items", "right", "missed", "too many", "of no section", "same as itself", "slowest, ms"],
            [
                [
                    str(len(compared)),
                    str(expected),
                    f"{right} ({100 * right / expected:.1f} %)",
                    str(expected - right),
                    str(sum(len(one.found - one.expected) for one in compared)),
                    str(sum(one.unnamed for one in compared)),
                    str(sum(one.same_as_itself for one in compared)),
                    f"{1000 * max(one.seconds for one in compared):.0f}",
                ]
            ],
        )
    )
    for one in compared:
        for name, kind in sorted(one.expected - one.found):
            print(f"missed: {one.file} {name} {kind}")
        for name, kind in sorted(one.found - one.expected):
            print(f"too many: {one.file} {name} {kind}")


if __name__ == "__main__":
    raise SystemExit(main())
