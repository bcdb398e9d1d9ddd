"""What a text layer is worth."""

import pytest

from extraction.pdf.glyphs.model import BoundingBox
from extraction.pdf.layout.rulings import PageDrawing
from extraction.pdf.page_content import PageClass, classify
from extraction.pdf.text.page_text import PageText

PICTURE = PageDrawing(images=[BoundingBox(0, 0, 595, 842)])
HEBREW = "הוראות אלה חלות על כל בעל רישיון ועל כל מי שפועל מטעמו בתחום ההסדר."


@pytest.mark.parametrize(
    ("text", "drawn", "expected"),
    [
        (HEBREW, PageDrawing(), PageClass.OK),
        ("The rules apply to every holder of a permit.", PICTURE, PageClass.OK),
        ("", PageDrawing(), PageClass.EMPTY),
        ("  \r\n ", PageDrawing(), PageClass.EMPTY),
        ("", PICTURE, PageClass.SCAN),
        ("page 4", PICTURE, PageClass.SCAN),
        ("", PageDrawing(paths=900), PageClass.SCAN),
        ("נספח א", PageDrawing(), PageClass.OK),
        (
            "\ue012\ue013\ue014\ue015 \ue016\ue017\ue018\ue019 \ue01a\ue01b\ue01c\ue01d\ue01e\ue01f \ue020\ue021",
            PageDrawing(),
            PageClass.JUNK,
        ),
        (
            "\u4e00\u5e00\u6e00 \u7e00\u8e00\u9e00\u5e01\u5e02 \u5e03\u5e04\u5e05\u5e06\u5e07\u5e08\u5e09",
            PageDrawing(),
            PageClass.JUNK,
        ),
    ],
)
def test_pages_are_classed(text: str, drawn: PageDrawing, expected: PageClass) -> None:
    assert classify(PageText(text), drawn) is expected


def test_windows_hebrew_under_latin_names_is_text() -> None:
    disguised = HEBREW.encode("cp1255").decode("latin-1")
    assert classify(PageText(disguised), PageDrawing()) is PageClass.OK
