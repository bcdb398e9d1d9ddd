"""What is drawn over text hides it: a name that is blacked out is not read, and that it is there is told."""

import time
from pathlib import Path

import pytest
from fpdf import FPDF

from extraction import extract
from extraction.document import LostWhat, characters_of
from tests.extraction.pdf.making import hebrew_font
from tests.extraction.test_planted_pdf import OTHER, SENTENCE, drawn, lost, made
from tests.fuzz.raw_pdf import stream

BOX = "45 645 300 16 re f\n"
TEXT = drawn(SENTENCE, at=(50, 650))
FORM = "/Type /XObject /Subtype /Form /BBox [0 0 600 800]"


@pytest.mark.parametrize("colour", ["0 g", "1 g", "0.8 0 0 rg"])
def test_text_under_an_opaque_box_is_told_and_not_read(tmp_path: Path, colour: str) -> None:
    page = made(tmp_path / "a.pdf", f"{TEXT}{colour} {BOX}")
    assert page.paragraphs == (OTHER,)
    assert lost(page) == {LostWhat.HIDDEN: characters_of(SENTENCE)}


def test_of_a_line_only_what_is_covered_is_left_out(tmp_path: Path) -> None:
    page = made(tmp_path / "a.pdf", f"{TEXT}0 g 68 645 60 16 re f\n")
    assert "lock keeper" not in page.text
    assert "closes the gate at nine." in page.text
    assert lost(page) == {LostWhat.HIDDEN: characters_of("lock keeper")}


@pytest.mark.parametrize(
    ("content", "states"),
    [
        (f"0.8 g {BOX}0 g {TEXT}", ""),  # shading under the text
        (f"0 g {BOX}1 g {TEXT}", ""),
        (f"{TEXT}/S gs 1 1 0 rg {BOX}", "/ca 0.4"),  # a marker over it
        (f"{TEXT}/S gs 1 1 0 rg {BOX}", "/BM /Multiply"),
        (f"{TEXT}0 G 45 645 300 16 re S\n", ""),  # a frame round it
        (f"{TEXT}q 0 0 10 10 re W n 0 g {BOX}Q\n", ""),  # which the page does not show
        (f"{TEXT}0 g 45 600 300 16 re f\n", ""),
    ],
)
def test_text_that_is_seen_with_a_box_is_read(tmp_path: Path, content: str, states: str) -> None:
    resources = f"/ExtGState << /S << {states} >> >>"
    page = made(tmp_path / "a.pdf", content, resources=resources)
    assert SENTENCE in page.text
    assert page.lost == ()


def test_boxes_and_text_in_forms_are_looked_at(tmp_path: Path) -> None:
    forms = [
        stream(inside.encode(), f"{FORM} /Resources << /Font << /F 5 0 R >> >>".encode()) for inside in (TEXT, BOX)
    ]
    resources = "/XObject << /T 6 0 R /B 7 0 R >>"
    page = made(tmp_path / "a.pdf", "/T Do /B Do", *forms, resources=resources)
    assert page.paragraphs == (OTHER,)
    page = made(tmp_path / "a.pdf", "/B Do 1 g /T Do", *forms, resources=resources)
    assert SENTENCE in page.text


def test_a_filled_square_that_somebody_put_on_hides_too(tmp_path: Path) -> None:
    square = "<< /Type /Annot /Subtype /Square /Rect [45 645 345 661] /IC [0 0 0] {} >>"
    look = stream(b"0 g 0 0 300 16 re f", b"/Type /XObject /Subtype /Form /BBox [0 0 300 16]")
    page = made(tmp_path / "a.pdf", TEXT, square.format("/AP << /N 7 0 R >>"), look, page="/Annots [6 0 R]")
    assert page.paragraphs == (OTHER,)
    frame = stream(b"0 G 0 0 300 16 re S", b"/Type /XObject /Subtype /Form /BBox [0 0 300 16]")
    page = made(tmp_path / "a.pdf", TEXT, square.format("/AP << /N 7 0 R >>"), frame, page="/Annots [6 0 R]")
    assert SENTENCE in page.text


def test_hebrew_that_is_blacked_out_is_not_read(tmp_path: Path) -> None:
    pdf = FPDF(unit="pt", format=(600, 800))
    pdf.add_font("Hebrew", fname=str(hebrew_font()))
    pdf.set_font("Hebrew", size=11)
    pdf.set_text_shaping(True, direction="rtl")
    pdf.add_page()
    for place, line in enumerate(["שומר הסכר סוגר את השער בתשע", "שם העד הוא לוי כהן מחיפה"]):
        pdf.set_xy(100, 100 + 30 * place)
        pdf.cell(440, 15, line, align="R")
    pdf.rect(300, 128, 250, 20, style="F")
    path = tmp_path / "a.pdf"
    pdf.output(str(path))
    (page,) = extract(path, ocr=False)
    assert page.paragraphs == ("שומר הסכר סוגר את השער בתשע",)
    assert lost(page) == {LostWhat.HIDDEN: characters_of("שם העד הוא לוי כהן מחיפה")}


@pytest.mark.deep
def test_many_boxes_over_many_letters_are_bounded(tmp_path: Path) -> None:
    started = time.process_time()
    line = drawn("a" * 2_000, at=(50, 650))
    made(tmp_path / "a.pdf", line * 20 + f"0 g {BOX}" * 20_000)
    assert time.process_time() - started < 15
