"""The outline of a section's clauses."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from law.structure.lines.clauses import end_of_clause, outline


@pytest.mark.parametrize(
    ("text", "paths"),
    [
        ("(א) x\n(1) x\n(2) x\n(ב) x\n(1) x", ["א", "א1", "א2", "ב", "ב1"]),
        ("5. (א)(1) x\n(2) x\n(ב) x", ["א", "א1", "א2", "ב"]),
        ("(א) x\n(1) x\n(א) x\n(ב) x\n(2) x\n(ב) x", ["א", "א1", "א1א", "א1ב", "א2", "ב"]),
        ("(ב) x\n(ב1) x\n(ג) x", ["ב", "ב1", "ג"]),
        ("(1) x\n(a) x\n(i) x\n(ii) x\n(b) x\n(2) x", ["1", "1a", "1ai", "1aii", "1b", "2"]),
        ("(g) x\n(h) x\n(i) x\n(j) x", ["g", "h", "i", "j"]),
        ("18.8.2.(1) x\n18.8.2.(2) x", ["1", "2"]),
        ("Part 4.28.(1)\tx\n(a) x\nPart 4.28.(2) x", ["1", "1a", "2"]),
        ("as in (2) above\nand in it (3)", []),
        (
            "(1) x\n(a) x\n(a.1) x\n(b) x\n(1.1) x\n(a) x\n(1.2) x\n(2) x",
            ["1", "1a", "1a.1", "1b", "1.1", "1.1a", "1.2", "2"],
        ),
        ("(a.01) x\n(a.1) x\n(b) x", ["a.01", "a.1", "b"]),
        (
            "(a) x\n(i) x\n(ii) x\n(iii) x\n(iv) x\n(v) x\n(a.1) x\n(b) x",
            ["a", "ai", "aii", "aiii", "aiv", "av", "a.1", "b"],
        ),
        ("(g) x\n(h) x\n(i) x\n(ii) x\n(i) x\n(j) x", ["g", "h", "hi", "hii", "i", "j"]),
    ],
)
def test_clauses_know_what_they_stand_in(text: str, paths: list[str]) -> None:
    assert ["".join(path) for _, path in outline(text)] == paths


@pytest.mark.deep
@pytest.mark.parametrize("part", ["(1)", "(א)\n", "(\n", "1.", "(i)\n(1)\n", "Part 1.", " ", "\n", "(1"])
def test_long_repetitive_texts_make_no_pattern_backtrack(part: str) -> None:
    # 100,000 characters: if the work grew faster than they do, the run's time limit would say so.
    assert len(outline(part * (100_000 // len(part)))) <= 100_000


@given(st.lists(st.sampled_from(["(א)", "(1)", "(i)", "(²)", "(_)", "x", "\n", "5. ", "(ב1)"])).map("".join))
def test_every_clause_stands_in_the_text(text: str) -> None:
    assert all(0 <= start < len(text) and path for start, path in outline(text))


@pytest.mark.parametrize(
    ("text", "paths"),
    [
        ("(ג) (בוטל).", [("ג",)]),
        ("5. (פקע).", []),
        ("(1) (ADGM) a court", [("1",)]),
        ("(א)(1) אחת\n(2) שתיים", [("א",), ("א", "1"), ("א", "2")]),
        ("(i) one\n(ii) two\n(iii) three", [("i",), ("ii",), ("iii",)]),
        ("(קכא) אחת\n(קכב) שתיים", [("קכא",), ("קכב",)]),
        ("(ב) אחת\n(בא) אחרת\n(ב1) ועוד", [("ב",), ("בא",), ("ב1",)]),
        ("(aa) first\n(12א) אחרת", [("aa",), ("aa", "12א")]),
    ],
)
def test_a_word_in_brackets_is_no_clause(text: str, paths: list[tuple[str, ...]]) -> None:
    assert [path for _, path in outline(text)] == paths


@pytest.mark.parametrize(
    ("clause", "rest"),
    [
        ("(1) The keeper feeds every dog.", "\nException"),
        ("(2) No fee is due.", "\nFees\nWho pays"),
        ("(b) a kennel that is clean.", "\n[Limitation]"),
        ("(c) a kennel that is clean.", "\n[Limitation — dogs, etc.]"),
        ("(d) a kennel that is clean.", "\n[Payments out of K.R.F.]"),
        ("(e) The form ends so.\n[The keeper signs here.]", ""),
        ("(3) The kinds are\nHounds\nTerriers", ""),
        ("(4) The form has the words:\nSigned by the keeper.", ""),
        ("(5) Licences", ""),
    ],
)
def test_heading_of_the_next_clause_is_not_the_end_of_this(clause: str, rest: str) -> None:
    text = f"{clause}{rest}\n(9) x"
    assert text[: end_of_clause(text, 0, len(clause) + len(rest))] == clause
