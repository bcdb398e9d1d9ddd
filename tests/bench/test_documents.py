"""Judging extraction: what counts as an error, and how stored chunks become a text again."""

from pathlib import Path

import pytest

from bench.datasets import DataSet, Document, Expectation
from bench.documents import check, error_rate, judge
from bench.load import LoadedSet
from bench.stored import StoredChunk, joined


def test_identical_text_has_no_errors_whatever_its_spacing() -> None:
    assert error_rate("סעיף  5\nקטן", "סעיף 5 קטן") == 0.0


def test_bidi_controls_and_table_rules_do_not_count() -> None:
    assert error_rate("\u200fסכום | \u202b100\u202c", "סכום 100") == 0.0


def test_error_rate_is_edits_over_the_length_of_the_truth() -> None:
    assert error_rate("abcdefghix", "abcdefghij") == pytest.approx(0.1)
    assert error_rate("", "abcd") == 1.0


def test_long_texts_far_apart_are_measured_in_full() -> None:
    assert error_rate("ab" * 500, "cd" * 500) == 1.0


def test_error_rate_without_truth_is_all_or_nothing() -> None:
    assert error_rate("", "") == 0.0
    assert error_rate("x", "") == 1.0


def chunk(text: str, start: int) -> StoredChunk:
    return StoredChunk(id=start, source_id=1, text=text, start=start)


def test_chunks_join_in_order_by_line_feeds() -> None:
    assert joined([chunk("first", 0), chunk("second", 6)]) == "first\nsecond"


def test_words_that_two_chunks_share_count_once() -> None:
    assert joined([chunk("one two", 0), chunk("two three", 4)]) == "one two\n three"
    assert joined([chunk("one two", 0), chunk("two", 4)]) == "one two"


@pytest.fixture
def truth(tmp_path: Path) -> Path:
    path = tmp_path / "truth.txt"
    path.write_text("סעיף 5. המבטח ישלם", encoding="utf-8")
    return path


def test_file_read_in_full_is_as_expected(truth: Path) -> None:
    wanted = Expectation(frozenset(["ok"]), truth)
    reading = judge("a.pdf", wanted, outcome="ok", text="סעיף 5. המבטח ישלם")
    assert (reading.as_expected, reading.error_rate) == (True, 0.0)


def test_broken_file_must_fail_with_its_code() -> None:
    wanted = Expectation(frozenset(["corrupt"]), None)
    assert judge("a.pdf", wanted, outcome="corrupt", text=None).as_expected
    assert not judge("a.pdf", wanted, outcome="empty", text=None).as_expected
    assert not judge("a.pdf", wanted, outcome="ok", text="x").as_expected


def test_scan_may_be_refused_or_read_well_but_not_badly(truth: Path) -> None:
    wanted = Expectation(frozenset(["no_text_layer"]), truth, picture=True)
    assert judge("a.pdf", wanted, outcome="no_text_layer", text=None).as_expected
    assert judge("a.pdf", wanted, outcome="ok", text="סעיף 5. המבטח ישלס").as_expected
    assert not judge("a.pdf", wanted, outcome="ok", text="garbage").as_expected


def test_every_way_a_file_can_end_is_reported() -> None:
    names = ("fine", "refused", "failed", "lost")
    dataset = DataSet(
        "documents",
        "Documents",
        tuple(Document(name, "", "law", name) for name in names),
        expectations={name: Expectation(frozenset(["ok"]), None) for name in names},
    )
    loaded = LoadedSet(1, refused={"refused": "too_large"}, failed={"failed": "corrupt"}, lost=["lost"])
    readings = check(dataset, loaded, texts={})
    assert [reading.outcome for reading in readings] == ["ok", "too_large", "corrupt", "lost"]
