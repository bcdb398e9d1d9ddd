"""Files for Word: their parts, their footnotes, and that an office program opens them."""

from pathlib import Path

import pypdfium2
import pytest
from django.utils import translation

from keeping.exports.pieces import (
    LEFT_TO_RIGHT_SIGN,
    RIGHT_TO_LEFT_SIGN,
    ComparedTexts,
    FootnoteMark,
    Paragraph,
    Run,
    TextRun,
    told,
)
from keeping.exports.word import as_word
from tests.extraction.offices import needs_libreoffice
from tests.keeping.exports.made import LAW, W, as_pdf, english, export_of, footnotes, hebrew, part, pictures, text_of

MARKED = {"dotted": "כך נהוג.", "single": "תשעה"}


def test_each_place_has_one_footnote_with_a_link() -> None:
    content = as_word(hebrew())
    said = footnotes(content)
    assert len(said) == len(hebrew().citations) == 2
    assert said[0].startswith("סעיף 2 לחוק השאלת ספרים, התשפ״א–2021, ס״ח 2900")
    assert said[0].rstrip(LEFT_TO_RIGHT_SIGN).endswith("https://kb.example/documents/12/#sec_2")
    document = part(content, "document")
    references = [one.get(f"{W}id") for one in document.iter(f"{W}footnoteReference")]
    assert references == ["1", "2"]
    again = [one.get(f"{W}instr") for one in document.iter(f"{W}fldSimple")]
    assert again == [" NOTEREF _Ref1 \\f \\h "] * 2
    links = list(part(content, "footnotes").iter(f"{W}hyperlink"))
    assert ["".join(one.itertext()).rstrip(LEFT_TO_RIGHT_SIGN) for one in links] == [
        one.address for one in hebrew().citations
    ]


def test_hebrew_runs_from_right_to_left_and_english_does_not() -> None:
    document = part(as_word(hebrew()), "document")
    sides = {
        "".join(one.itertext()): one.find(f"{W}pPr/{W}bidi").get(f"{W}val")
        for one in document.iter(f"{W}p")
        if one.find(f"{W}pPr/{W}bidi") is not None
    }
    assert sides["התשובה"] == "1"
    assert next(side for text, side in sides.items() if text.startswith("A paragraph")) == "0"
    for run in document.iter(f"{W}r"):
        text, is_rtl = "".join(run.itertext()), run.find(f"{W}rPr/{W}rtl") is not None
        has_hebrew, has_latin = any("א" <= char <= "ת" for char in text), any("A" <= char <= "z" for char in text)
        assert not (has_hebrew and has_latin), text
        assert is_rtl or not has_hebrew, text
        assert not (is_rtl and has_latin), text
    assert document.find(f"{W}body/{W}sectPr/{W}bidi") is not None
    assert document.find(f".//{W}tbl/{W}tblPr/{W}bidiVisual") is not None
    plain = part(as_word(english()), "document")
    assert plain.find(f"{W}body/{W}sectPr/{W}bidi") is None


def test_a_mark_behind_a_hebrew_number_has_a_sign_before_it() -> None:
    for text, is_signed in (
        ("תושב זכאי לשאול 9", True),
        ("כך נקבע בשנת 2021.", True),
        ("לפי 90%", True),
        ("9", True),
        ("תושב זכאי", False),
        ("לפי ס״ק (3)", False),
        ("וראו Loans Act 1990", False),
    ):
        again: list[Run] = [TextRun("ראו שוב"), FootnoteMark(LAW), TextRun(f" {text}"), FootnoteMark(LAW)]
        said = text_of(as_word(export_of("כמה ספרים?", Paragraph(again)))).split("\n")[1]
        assert said == f"ראו שוב {text}{RIGHT_TO_LEFT_SIGN if is_signed else ''}1", text
    in_english = text_of(as_word(export_of("How many?", Paragraph([TextRun("It is 9"), FootnoteMark(LAW)]))))
    assert in_english.endswith("It is 9")


def test_a_sentence_of_ours_stands_on_the_side_of_its_language() -> None:
    asked = told("Asked in the topic ספריות ציבוריות ומוזיאונים.")
    paragraphs = part(as_word(export_of("כמה ספרים?", asked)), "document").iter(f"{W}p")
    assert [one.find(f"{W}pPr/{W}bidi").get(f"{W}val") for one in paragraphs] == ["1", "0"]


def test_what_tells_of_a_text_stands_on_its_page() -> None:
    content = as_word(export_of("How many?", told("It says now:"), Paragraph([TextRun("Nine.")])))
    first, second = list(part(content, "document").iter(f"{W}pPr"))[1:3]
    assert (first.find(f"{W}keepNext") is not None, second.find(f"{W}keepNext")) == (True, None)
    styles = {one.get(f"{W}styleId"): one for one in part(content, "styles").iter(f"{W}style")}
    for name in ("Title", "Heading1", "Heading2", "Caution"):
        assert styles[name].find(f"{W}pPr/{W}keepNext") is not None, name
    table = ComparedTexts([([TextRun("Five.")], [TextRun("Nine.")])])
    rows = part(as_word(export_of("What changed", table)), "document").iter(f"{W}tr")
    assert [len(list(row.iter(f"{W}keepNext"))) for row in rows] == [2, 0]


def test_what_is_uncertain_or_changed_is_marked() -> None:
    document = part(as_word(hebrew()), "document")
    lines = {one.find(f"{W}rPr/{W}u") for one in document.iter(f"{W}r")} - {None}
    assert {
        line.get(f"{W}val"): "".join(line.getparent().getparent().itertext()) for line in lines
    }.keys() == MARKED.keys()
    struck = [one for one in document.iter(f"{W}r") if one.find(f"{W}rPr/{W}strike") is not None]
    assert ["".join(one.itertext()) for one in struck] == ["חמישה"]
    cautions = [one for one in document.iter(f"{W}pStyle") if one.get(f"{W}val") == "Caution"]
    assert len(cautions) == 1


def test_styles_of_a_hebrew_file_run_from_right_to_left() -> None:
    def normal(content: bytes) -> bool:
        styles = part(content, "styles").iter(f"{W}style")
        return next(one for one in styles if one.get(f"{W}styleId") == "Normal").find(f"{W}pPr/{W}bidi") is not None

    assert normal(as_word(hebrew()))
    assert not normal(as_word(english()))


@pytest.mark.deep
@needs_libreoffice
def test_libreoffice_opens_both_with_their_footnotes(tmp_path: Path) -> None:
    for name, export in (("hebrew", hebrew()), ("english", english())):
        with translation.override(export.language.code):
            content = as_word(export)
        pdf = as_pdf(content, tmp_path, name=name)
        assert pictures(pdf) >= 1
        with pypdfium2.PdfDocument(pdf) as document:
            text = "".join(page.get_textpage().get_text_bounded() for page in document)
        for cited in export.citations:
            assert cited.address in text.replace("\r\n", "").replace("\n", "")
        assert "superseded" in text
    assert "Title" in text_of(content)
