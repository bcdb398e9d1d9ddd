"""Two wordings of a provision, with the words marked that differ."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from law.comparison.side_by_side import DiffRow, DiffSide, beside


def marked(rows: list[DiffRow]) -> str:
    signs = {DiffSide.BOTH: "{}", DiffSide.BEFORE: "[-{}-]", DiffSide.AFTER: "[+{}+]"}
    return "\n".join("".join(signs[run.only].format(run.words) + run.gap for run in row.runs) for row in rows)


def test_the_words_that_differ_are_marked() -> None:
    before = "3. Loans\n(1) A reader may borrow five books.\n(2) A loan is renewed once."
    after = "3. Loans\n(1) A reader may borrow six books at a time.\n(2) A loan is renewed once."
    rows = beside(before, after)
    assert [row.same for row in rows] == [True, False, True]
    assert marked(rows[1:2]) == "(1) A reader may borrow [-five-] [+six+] books [+at a time+]."


def test_lines_that_came_and_went_stand_alone() -> None:
    rows = beside("(1) One thing.\n(2) Maps are read in their room.", "(1) One thing.\n(3) Nobody pays.")
    assert marked(rows) == "(1) One thing.\n[-(2) Maps are read in their room.-] [+(3) Nobody pays.+]"


def test_a_comma_is_marked_and_a_quotation_mark_is_not() -> None:
    assert marked(beside('ספר, "מפה"', "ספר ״מפה״")) == "ספר [-,-] ״מפה״"


def test_each_column_has_its_own_text() -> None:
    (row,) = beside("A fine of one shekel.", "A fine of two shekels.")
    assert "".join(run.text for run in row.before) == "A fine of one shekel."
    assert "".join(run.text for run in row.after) == "A fine of two shekels."


_WORDS = st.sampled_from(["a", "book", "map,", "(1)", "ספר", "1.5"])
_LINES = st.lists(st.lists(_WORDS, min_size=1, max_size=6), max_size=5)


@given(_LINES, _LINES)
def test_no_word_is_lost(before: list[list[str]], after: list[list[str]]) -> None:
    one, other = ("\n".join(map(" ".join, lines)) for lines in (before, after))
    rows = beside(one, other)

    def letters(some: str) -> str:
        return "".join(some.split())

    assert letters("".join(run.text for row in rows for run in row.before)) == letters(one)
    assert letters("".join(run.text for row in rows for run in row.after)) == letters(other)
    assert (one == other) <= all(row.same for row in rows)


@pytest.mark.deep
@pytest.mark.timeout(120)  # three seconds alone
def test_very_long_texts_take_bounded_time() -> None:
    chosen = random.Random(1)
    words = [f"w{at}" for at in range(120)]  # so few that each is in many places, and not so few that none counts

    def text(lines: int, length: int) -> str:
        return "\n".join(" ".join(chosen.choice(words) for _ in range(length)) for _ in range(lines))

    for lines, length in ((1, 200_000), (1, 990), (300, 150), (1_900, 12), (30_000, 3)):
        assert beside(text(lines, length), text(lines, length))
