"""References as laws write them."""

from collections.abc import Sequence
from typing import NamedTuple

import pytest

from search.references.reading import Mention, read_references


class Section(NamedTuple):
    eid: str
    kind: str
    number: str
    span_start: int
    span_end: int


def read(text: str, provisions: Sequence[Section] = (), *, title: str = "", kind: str = "law") -> list[Mention]:
    return read_references(text, provisions, title=title, kind=kind)


def sections(*texts: str) -> tuple[str, list[Section]]:
    """A law made of these sections, numbered from 1."""
    text, placed = "", []
    for number, one in enumerate(texts, 1):
        line = f"{number}. {one}"
        placed.append(Section(f"sec_{number}", "section", str(number), len(text), len(text) + len(line)))
        text += line + "\n"
    return text, placed


def shown(text: str, mentions: Sequence[Mention]) -> list[str]:
    """What each mention spans, and what it cites."""
    return [
        f"{text[one.start : one.end]} → {'here' if one.internal else one.title}"
        f"{f' {one.number}' if one.number else ''}{''.join(f'({clause})' for clause in one.clauses)}"
        for one in mentions
    ]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("כאמור בסעיף 5(א)(2).", ["בסעיף 5(א)(2) → here 5(א)(2)"]),
        ("לפי סעיף 63א לחוק הגנים, התשמ״ג–1983;", ["סעיף 63א לחוק הגנים, התשמ״ג–1983 → חוק הגנים, התשמ״ג–1983 63א"]),
        ("בחוק הגנים (אגרות) [נוסח חדש], תשמ״ג–1983,", [
            "בחוק הגנים (אגרות) [נוסח חדש], תשמ״ג–1983 → חוק הגנים (אגרות) [נוסח חדש], תשמ״ג–1983"]),
        ("section 7(b) of the Loans (Fees) Act 1998 applies", [
            "section 7(b) of the Loans (Fees) Act 1998 → Loans (Fees) Act 1998 7(b)"]),
        ("Under the Loans Act 1998 a lender may", ["Loans Act 1998 → Loans Act 1998"]),
        ("as section 12(3) of this Act says", ["section 12(3) of this Act → here 12(3)"]),
    ],
)  # fmt: skip
def test_a_section_is_read_up_to_the_year_of_its_act(text: str, found: list[str]) -> None:
    assert shown(text, read(text)) == found
