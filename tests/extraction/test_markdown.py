"""Markdown loses its markup and nothing else."""

from pathlib import Path

import pytest

from extraction import extract
from extraction.document import TableRow
from extraction.markdown import paragraphs


def read(text: str) -> list[str]:
    found = ("\t".join(one.cells) if isinstance(one, TableRow) else one for one in paragraphs(text.split("\n")))
    return [paragraph for paragraph in found if paragraph.strip()]


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("## כותרת **ראשית** ##", "כותרת ראשית"),
        ("see [the law](https://example.org/a_(b) 'title') now", "see the law now"),
        ("![seal](seal.png) and `code`", "seal and code"),
        ("***both*** and __two__ and ~~gone~~", "both and two and gone"),
        ("snake_case_name and 2 * 3 * 4", "snake_case_name and 2 * 3 * 4"),
        (r"\*not emphasis\* and \[5\]", "*not emphasis* and [5]"),
        ("<b>bold</b> &amp; <https://example.org>", "bold & https://example.org"),
        ("> quoted", "quoted"),
        ("- [x] done", "• done"),
        ("5א. הגדרות", "5א. הגדרות"),
    ],
)
def test_markup_is_taken_off(line: str, text: str) -> None:
    assert read(line) == [text]


def test_wrapped_lines_are_one_paragraph_and_items_are_not() -> None:
    assert read("first\nsecond\n\n1. one\n2. two\n   more\n(א) שלוש") == [
        "first second",
        "1. one",
        "2. two    more",
        "(א) שלוש",
    ]


def test_table_rows_are_cells_by_tab() -> None:
    assert read("| a | b |\n|---|:-:|\n| 1 | x \\| y |") == ["a\tb", "1\tx | y"]


def test_code_stands_as_it_is() -> None:
    assert read("```py\n*a* = 1\n```\n*b*") == ["*a* = 1", "b"]


def test_underlined_heading_loses_its_line() -> None:
    assert read("Title\n=====\ntext\n\n---\n") == ["Title", "text"]


@pytest.mark.parametrize("mark", ["[", "*", "_a", "`", "<", "![](", "[a](", "**a ", "> ", "#", "\\*"])
def test_lines_of_nothing_but_markup_end_soon(mark: str) -> None:
    assert read(mark * 20_000) is not None


def test_file_is_read_by_its_name(tmp_path: Path) -> None:
    path = tmp_path / "notes.md"
    path.write_text("# כללי\n\n**חובה** לשמור.", encoding="utf-8")
    assert next(extract(path)).paragraphs == ("כללי", "חובה לשמור.")


def test_a_heading_behind_a_byte_order_mark_loses_its_markup(tmp_path: Path) -> None:
    path = tmp_path / "guide.md"
    path.write_bytes("# כותרת\n\nטקסט".encode("utf-8-sig"))
    assert [page.paragraphs for page in extract(path)] == [("כותרת", "טקסט")]
