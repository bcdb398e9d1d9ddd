"""Instructions as countries print them, each carried out on an act: what it says then, or why nothing is done."""

import datetime as dt
import tomllib
from pathlib import Path
from typing import Any

import pytest

from law.amendments.blocks import blocks_in
from law.amendments.consolidating import consolidate, provisions_of

DAY = dt.date(2026, 1, 1)
FILES = [
    tomllib.loads(path.read_text(encoding="utf-8")) for path in sorted((Path(__file__).parent / "cases").glob("*"))
]
CASES = [pytest.param(file, case, id=" ".join(case["says"])[:90]) for file in FILES for case in file["cases"]]


def sections(text: str) -> dict[str, list[str]]:
    return {block.number: block.lines for block in blocks_in(text, provisions_of(text)) if block.number}


def changed(act: list[str], becomes: list[list[str]]) -> list[str]:
    """The lines of an act, in which each of those that begin so, and are the first, give way to others."""
    for begin, *new in becomes:
        at = next(at for at, line in enumerate(act) if line.startswith(begin))
        act = [*act[:at], *new, *act[at + 1 :]]
    return act


@pytest.mark.parametrize(("file", "case"), CASES)
def test_an_instruction_does_what_it_says_or_is_named(file: dict[str, Any], case: dict[str, Any]) -> None:
    act, title = file["act"].strip(), file["title"]
    amending = "\n".join(["1.", *case["says"]])
    made = consolidate(text=act, titles=[title], amending=amending, on=DAY, days={"1": DAY})
    failure, becomes = case.get("failure"), case.get("becomes", [])
    done = {None} if becomes or not failure else set()  # of several, some may be done and some named
    assert {one.failure for one in made.outcomes} == done | ({failure} if failure else set())
    if failure or becomes:
        assert made.text.split("\n") == changed(act.split("\n"), becomes)
        return
    after = {lines[0].split(".")[0]: lines for lines in case["after"]}
    assert sections(made.text) == sections(act) | after
