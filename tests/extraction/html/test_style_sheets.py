"""What the style sheets in a page hide is not read, and what they write is told."""

import time
from pathlib import Path

import pytest

from extraction import extract
from extraction.document import Lost, LostWhat
from extraction.html.style_sheets import MAX_RULES

TEXT = "<p>הוראות המפקח חלות על כל תאגיד בנקאי בישראל ובכל סניף שלו מחוץ לישראל, אם לא נאמר אחרת.</p>"


def read(tmp_path: Path, style: str, body: str, attributes: str = "") -> tuple[list[str], list[Lost]]:
    path = tmp_path / "a.html"
    path.write_text(f"<html><head><style{attributes}>{style}</style></head><body>{TEXT}{body}</body></html>")
    pages = list(extract(path))
    return [text for page in pages for text in page.paragraphs][1:], [one for page in pages for one in page.lost]


@pytest.mark.parametrize(
    "style",
    [
        ".draft{display:none}",
        "p.other, p.draft { color: red; visibility: hidden }",
        "#old{display:none !important}",
        "/* .x{} */ @import url(a.css); .draft{display:none}",
        "@media print{.x{color:red}} .draft{display:none}",
        "div > .draft:not(.shown){display:none}",
        "<!-- .draft{display:none} -->",
    ],
)
def test_what_a_style_hides_is_told_and_not_read(tmp_path: Path, style: str) -> None:
    body = '<div><p class="draft" id="old">נוסח ישן שבוטל</p></div><p>נוסח חדש</p>'
    assert read(tmp_path, style, body) == (["נוסח חדש"], [Lost(LostWhat.HIDDEN, 12)])


@pytest.mark.parametrize(
    ("style", "attributes"),
    [
        ("@media print{.draft{display:none}}", ""),
        (".draft{display:none}", ' media="print"'),
        (".draft{display:none} .draft{display:block}", ""),
        (".draft:hover{display:none}", ""),
        ("p::before{display:none}", ""),
        (".draft >>> p{display:none}", ""),
        (".nowhere{display:none", ""),
    ],
)
def test_what_a_style_hides_elsewhere_or_not_at_last_is_read(tmp_path: Path, style: str, attributes: str) -> None:
    assert read(tmp_path, style, '<p class="draft">נוסח</p>', attributes) == (["נוסח"], [])


def test_an_element_that_says_itself_how_it_is_shown_is_read(tmp_path: Path) -> None:
    body = '<p class="draft" style="display:block">נוסח</p>'
    assert read(tmp_path, ".draft{display:none}", body) == (["נוסח"], [])


def test_a_page_that_opens_by_clicks_is_read(tmp_path: Path) -> None:
    body = "".join(f'<div class="part">חלק {number}: הדייר ישלם את דמי השכירות במועד.</div>' for number in range(5))
    texts, lost = read(tmp_path, ".part{display:none}", body)
    assert (len(texts), lost) == (5, [])


@pytest.mark.parametrize(
    ("content", "characters"),
    [('"(א) "', 3), ("counter(section) '. '", 1), ('"•"', 0), (r'"\f101"', 0), ("none", 0)],
)
def test_words_and_numbers_that_a_style_writes_are_told(tmp_path: Path, content: str, characters: int) -> None:
    lost = [Lost(LostWhat.OTHER, 2 * characters)] if characters else []
    body = '<p class="n">אחד</p><p class="n">שניים</p>'
    assert read(tmp_path, f".n::before{{content:{content}}}", body) == (["אחד", "שניים"], lost)


@pytest.mark.parametrize("unit", ["/*", "@", "@m{", "a{", "}", "<style ", ".a,", ".a{display:none}"])
def test_a_hostile_style_takes_no_time(tmp_path: Path, unit: str) -> None:
    started = time.process_time()
    read(tmp_path, unit * (400_000 // len(unit)), "<p>a</p>" * MAX_RULES)
    assert time.process_time() - started < 3
