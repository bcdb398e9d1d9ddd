"""References as people write them."""

from __future__ import annotations

import pytest

from search.references import find_references


@pytest.mark.parametrize(
    ("query", "sections", "clauses", "after"),
    [
        ("סעיף 5(א) לחוק חוזה הביטוח", ("5",), ("א",), "לחוק חוזה הביטוח"),
        ("שבסעיף 15ג(א)(2) לחוק הדיינים", ("15ג",), ("א", "2"), "לחוק הדיינים"),
        ("בסעיף 25(ב1) ו־(ב2) לחוק הבחירות", ("25",), ("ב1", "ב2"), "לחוק הבחירות"),
        ("סעיפים 5 ו-6 לחוק העונשין", ("5", "6"), (), "לחוק העונשין"),
        ("תקנה 9ב לתקנות המים", ("9ב",), (), "לתקנות המים"),
        ("ס' 63א1 לחוק הגמלאות", ("63א1",), (), "לחוק הגמלאות"),
        ("סעיף 7 של חוק הגנת הצרכן", ("7",), (), "חוק הגנת הצרכן"),
        ("Rule 18.8.2", ("18.8.2",), (), ""),
        ("section 12(3) of the Companies Act 2006", ("12",), ("3",), "Companies Act 2006"),
        ("§ 5", ("5",), (), ""),
        ("18.8.2", ("18.8.2",), (), ""),
    ],
)
def test_references_are_read(query: str, sections: tuple[str, ...], clauses: tuple[str, ...], after: str) -> None:
    (reference,) = find_references(query)
    assert (reference.sections, reference.clauses, reference.after) == (sections, clauses, after)


def test_the_name_may_come_first() -> None:
    (reference,) = find_references("Companies Act 2006, s. 12A")
    assert reference.sections == ("12A",)
    assert reference.before.startswith("Companies Act 2006")


@pytest.mark.parametrize("query", ["5 dogs", "תוך 30 ימים", "rules apply", "פרסעיף 5", "2019"])
def test_other_numbers_are_not_references(query: str) -> None:
    assert find_references(query) == []


@pytest.mark.parametrize("part", ["1", "1 ", "(1", "1.", "1א", "סעיף 1 ו", " ", "(א)"])
def test_repetitive_queries_do_not_make_the_pattern_backtrack_for_ever(part: str) -> None:
    find_references("סעיף 1" + part * (2000 // len(part)) + "x")  # if it did, the run's time limit would say so
