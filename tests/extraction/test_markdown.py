"""Markdown loses its markup and nothing else."""

from pathlib import Path

import pytest

from extraction import extract
from extraction.document import Losses, TableRow
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
        ("***both*** and __two__ ~~and gone~~<del>at once</del>.", "both and two ."),
        ("snake_case_name and 2 * 3 * 4", "snake_case_name and 2 * 3 * 4"),
        (r"\*not emphasis\* and \[5\]", "*not emphasis* and [5]"),
        ("<b>bold</b> &amp; <https://example.org>", "bold & https://example.org"),
        ("> quoted", "quoted"),
        ("- [x] done", "• ☒ done"),
        ("- [ ] open", "• ☐ open"),
        ("10<sup>6</sup> lamps, section 7<SUP>3</SUP>, H<sub>2</sub>O", "10⁶ lamps, section 7³, H2O"),
        ("between <name of keeper> and <the Town>", "between <name of keeper> and <the Town>"),
        ("lit.[^2] Oil[^a]", "lit.² Oil[a]"),
        ("[Note]: this rule ended in 1990.", "[Note]: this rule ended in 1990."),
        ("first\\\nsecond", "first second"),
        ("5א. הגדרות", "5א. הגדרות"),
    ],
)
def test_markup_is_taken_off(line: str, text: str) -> None:
    assert read(line) == [text]


@pytest.mark.parametrize(
    ("text", "left", "struck"),
    [
        (r"~~Oil 1\. dear~~ Oil \$12 \- cheap \(net\)", ["Oil $12 - cheap (net)"], 9),
        (r"[oil](https://example.org/\_a) \$5", ["oil $5"], 0),
        ("Lamps cost ~~5 or ~~6 crowns.", ["Lamps cost ~~5 or ~~6 crowns."], 0),
        ("`~~lit~~` and `<del>out</del>`", ["~~lit~~ and <del>out</del>"], 0),
        ("<del>ten <b>lamps</b></del> twelve", ["twelve"], 8),
        ("One lamp.\n<del>\n\nTwo.\n\nThree.\n\n</del>\nFour.", ["One lamp.", "Four."], 10),
        ("<del>never ended\n\nThree lamps.", ["never ended", "Three lamps."], 0),
        ("```\n<del>\nlit\n</del>\n```", ["<del>", "lit", "</del>"], 0),
    ],
)
def test_what_is_struck_out_goes_alone_and_is_told(text: str, left: list[str], struck: int) -> None:
    losses = Losses()
    assert [str(one).strip() for one in paragraphs(text.split("\n"), losses) if one] == left
    assert [lost.characters for lost in losses.take()] == ([struck] if struck else [])


def test_wrapped_lines_are_one_paragraph_and_items_are_not() -> None:
    assert read("first\nsecond\n\n1. one\n2. two\n   more\n(א) שלוש") == [
        "first second",
        "1. one",
        "2. two more",
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


def test_notes_are_text_and_addresses_of_links_are_none() -> None:
    text = "Lit.[^1]\n\n[^1]: Added in 1990\n    by the town.\n[1]: https://example.org/a 'title'\n[b]: <c>\nEnd"
    assert read(text) == ["Lit.¹", "¹ Added in 1990 by the town.", "End"]


def test_html_in_markdown_keeps_cells_and_lines_apart() -> None:
    assert read("| a | b |\n|---|---|\n| lamp<br>oil | 12 |") == ["a\tb", "lamp oil\t12"]
    rows = "<table><tr><td>lamp</td><td>12</td></tr><tr><td>oil</td><td>7</td></tr></table>"
    assert read(rows)[0].split("\n")[:2] == ["lamp\t12", "oil\t7"]


def test_a_table_needs_no_bars_at_its_edges() -> None:
    assert read("Name | Fee\n--- | ---\nLamp | 12\nOil | \n\nEnd | here") == [
        "Name\tFee",
        "Lamp\t12",
        "Oil",
        "End | here",
    ]


def test_a_comment_over_several_lines_is_no_text() -> None:
    assert read("Before\n<!-- a remark\n\nover lines -->\nAfter") == ["Before After"]


@pytest.mark.parametrize(
    ("text", "read_as"),
    [
        ("1. לשלם\n1. להודיע\n1. לפנות", ["1. לשלם", "2. להודיע", "3. לפנות"]),
        ("1) a\n\n1) b", ["1) a", "2) b"]),
        ("0. a\n0. b", ["0. a", "1. b"]),
        ("1. a\n   goes on\n   1. in a\n   1. more\n1. b", ["1. a goes on", "1. in a", "2. more", "2. b"]),
        ("1. a\n\n   more of a\n\n1. b", ["1. a", "more of a", "2. b"]),
        ("1. a\n   - x\n1. b", ["1. a", "• x", "2. b"]),
        ("1. a\n\ntext\n\n1. b", ["1. a", "text", "1. b"]),
        ("1. a\n# head\n1. b", ["1. a", "head", "1. b"]),
        ("1. a\n- x\n1. b", ["1. a", "• x", "1. b"]),
        ("1. a\n2. b\n4. c\n\n7א. d\n\n12. e", ["1. a", "2. b", "4. c", "7א. d", "12. e"]),
        ("1. a\n2. b\n1. c", ["1. a", "2. b", "1. c"]),
    ],
)
def test_items_that_are_all_written_as_the_first_are_counted(text: str, read_as: list[str]) -> None:
    assert read(text) == read_as


def test_the_indentation_of_a_file_parts_lists(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_text("1. חובות\n    1. לשלם\n    1. להודיע\n1. זכויות\n", encoding="utf-8")
    [page] = extract(path)
    assert page.paragraphs == ("1. חובות", "1. לשלם", "2. להודיע", "2. זכויות")
