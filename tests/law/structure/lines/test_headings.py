"""Lines that open a part or a schedule."""

import pytest

from law.structure.lines.headings import read_division


@pytest.mark.parametrize(
    ("line", "unit", "number", "title"),
    [
        ("THE SCHEDULE", "sched", "", ""),
        ("THE FIRST SCHEDULE", "sched", "FIRST", ""),
        ("Second Schedule: Fees", "sched", "Second", "Fees"),
        ("SCHEDULES I AND II", "sched", "I", "AND II"),
        ("ANNEXURE A", "annex", "A", ""),
        ("PART IIA", "part", "IIA", ""),
        ("Part 3-5—Piers", "part", "3-5", "Piers"),
        ("Subdivision B — Piers", "subdvs", "B", "Piers"),
        ("SUBCHAPTER II", "subchp", "II", ""),
        ("Chapter 12.04 FERRIES", "chp", "12.04", "FERRIES"),
        ("Subpart C [Reserved]", "subpart", "C", "[Reserved]"),
        ("פרק IV", "chp", "IV", ""),
    ],
)
def test_divisions_are_read_as_they_are_printed(line: str, unit: str, number: str, title: str) -> None:
    division = read_division(line)
    assert division is not None
    assert (division.unit, division.number, division.title) == (unit, number, title)


@pytest.mark.parametrize(
    "line",
    [
        "SCHEDULES",
        "The First Schedule to this Act applies",
        "The Schedule shows piers",
        "Part 5.12. SERVICES",
        "PART 5.1 FEES",
    ],
)
def test_lines_that_only_speak_of_divisions_open_none(line: str) -> None:
    assert read_division(line) is None
