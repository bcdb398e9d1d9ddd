"""Whole files through the reader: made at test time, from sentences of our own."""

import random
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest
from fpdf import FPDF
from PIL import Image

from extraction import Page
from extraction.document import ExtractionFailed, TextOrigin
from extraction.pdf.reader import read_pdf
from tests.extraction.pdf.making import damage_page, english_pdf, hebrew_font, hebrew_pdf, image_pdf, misread_pdf

RULE = (
    "A permit holder shall keep a register of every request received, and shall send the register to the authority "
    "once a year, in the form set out in the first schedule. The authority may ask for further particulars."
)
HEBREW_RULE = [
    'תקנות הרישום (מסמכים), התשפ"ד-2024',
    "הגדרות",
    '1. בתקנות אלה, "מפקח" – מי שהשר הסמיכו לפי סעיף 15(ב)(4) לחוק (להלן – המפקח).',
    "(א) בעל היתר ישלם אגרה של 1,250.50 שקלים חדשים, בתוספת 17% מס, עד יום 31.12.2024.",
]


def read(path: Path, *, max_pages: int = 100, ocr: bool = False) -> list[Page]:
    return list(read_pdf(path, max_pages=max_pages, ocr=ocr))


def refusal(path: Path, **options: Any) -> str:
    with pytest.raises(ExtractionFailed) as caught:
        read(path, **options)
    assert caught.value.message
    return caught.value.code


def test_pages_are_numbered_from_one(tmp_path: Path) -> None:
    pages = read(english_pdf(tmp_path / "a.pdf", RULE, "Another page altogether, about other matters."))
    assert [page.number for page in pages] == [1, 2]
    assert all(page.origin is TextOrigin.TEXT and not page.warnings for page in pages)


def test_wrapped_lines_are_one_paragraph(tmp_path: Path) -> None:
    pages = read(english_pdf(tmp_path / "a.pdf", [RULE, "5.2.1 Fees are due in advance."]))
    assert pages[0].paragraphs == (RULE, "5.2.1 Fees are due in advance.")


def test_hebrew_comes_out_in_reading_order(tmp_path: Path) -> None:
    pages = read(hebrew_pdf(tmp_path / "a.pdf", HEBREW_RULE))
    assert pages[0].paragraphs == tuple(HEBREW_RULE)


def test_an_english_line_with_raised_digits_is_one(tmp_path: Path) -> None:
    document = FPDF()
    document.add_page()
    document.set_font("Helvetica", size=12)
    for place, piece in enumerate(["The keeper obeys section 7", "3", " and pays 10", "6", " units."]):
        document.char_vpos = "SUP" if place % 2 else "LINE"
        document.write(6, piece)
    document.output(str(tmp_path / "a.pdf"))
    (page,) = read(tmp_path / "a.pdf")
    assert page.paragraphs == ("The keeper obeys section 7³ and pays 10⁶ units.",)


@pytest.mark.parametrize(("size", "above"), [(8, 1.6), (9, 1.2), (12, 1.6)])
def test_marks_that_are_drawn_last_stand_behind_their_numbers(tmp_path: Path, size: int, above: float) -> None:
    """As web browsers print what a page has moved by `position: relative`."""
    document, marks = FPDF(), []
    document.add_page()
    document.set_font("Helvetica", size=12)
    lines = ["The keeper obeys section 7", "3", " and pays 10", "6", " units."], ["So says rule 5", "a", " here."]
    for line in lines:
        for place, piece in enumerate(line):
            document.set_font_size(size if place % 2 else 12)
            if place % 2:
                marks.append((document.x, document.y + 4.3, piece))  # on its baseline
                document.x += document.get_string_width(piece)
            else:
                document.cell(document.get_string_width(piece), 6, piece)
        document.ln()
    document.set_font_size(size)
    for x, y, piece in marks:
        document.text(x + document.c_margin, y - above, piece)
    document.output(str(tmp_path / "a.pdf"))
    (page,) = read(tmp_path / "a.pdf")
    assert " ".join(page.paragraphs) == "The keeper obeys section 7³ and pays 10⁶ units. So says rule 5ᵃ here."


def test_paragraph_that_runs_over_the_page_is_said_to_continue(tmp_path: Path) -> None:
    sentence = "The holder of permit {} shall notify the authority of each change in the particulars that were entered."
    text = " ".join(sentence.format(number) for number in range(60))
    pages = read(english_pdf(tmp_path / "a.pdf", text, justified=True))
    assert len(pages) == 2
    assert pages[0].continues
    assert not pages[1].continues
    assert " ".join(page.text for page in pages) == text


def test_rows_of_a_ruled_table_have_tabs_between_cells(tmp_path: Path) -> None:
    pdf = FPDF()
    pdf.add_font("Hebrew", fname=str(hebrew_font()))
    pdf.set_font("Hebrew", size=11)
    pdf.add_page()
    pdf.set_text_shaping(True, direction="rtl")
    pdf.multi_cell(0, 8, "לוח האגרות לפי תקנה 3 לתקנות אלה:", align="R", new_x="LMARGIN", new_y="NEXT")
    rows = [("שנה", "אגרה בשקלים"), ("2023", "1,200"), ("2024", "1,350")]
    with pdf.table(width=120, text_align="RIGHT", first_row_as_headings=False) as table:
        for year, fee in rows:
            row = table.row()
            row.cell(fee)  # the file draws cells from the left, the reader of Hebrew begins at the right
            row.cell(year)
    pdf.output(str(tmp_path / "a.pdf"))
    paragraphs = read(tmp_path / "a.pdf")[0].paragraphs
    assert paragraphs[1:] == tuple("\t".join(row) for row in rows)


def test_a_page_whose_letters_pdfium_gets_wrong_is_read_another_way(tmp_path: Path) -> None:
    line = "מנהל הרישום ישמור את המסמכים שנים אחדות"
    [page] = read(misread_pdf(tmp_path / "a.pdf", [(50, 700, line)]))
    assert page.paragraphs == (line,)
    assert page.origin is TextOrigin.REPAIRED
    assert page.warnings == ("Page 1 had a faulty text layer, which was read another way.",)


@pytest.mark.parametrize("turned", [False, True])
def test_tables_are_found_on_pages_that_are_read_another_way(tmp_path: Path, turned: bool) -> None:
    cells = [(310, 610, "מסמכים שונים"), (110, 610, "אדם אחר"), (310, 510, "שטרות שונים"), (110, 510, "אדם זר")]
    rows = " ".join(f"100 {height} m 500 {height} l S" for height in (500, 600, 700))
    columns = " ".join(f"{left} 500 m {left} 700 l S" for left in (100, 300, 500))
    [page] = read(misread_pdf(tmp_path / "a.pdf", cells, rulings=f"{rows} {columns}", turned=turned))
    assert page.origin is TextOrigin.REPAIRED
    assert page.paragraphs == ("מסמכים שונים\tאדם אחר", "שטרות שונים\tאדם זר")


def test_a_page_lying_on_its_side_is_read_upright(tmp_path: Path) -> None:
    pdf = FPDF()
    pdf.set_font("Helvetica", size=11)
    pdf.add_page()
    for number, line in enumerate(["Fees of the first year", "Fees of the second year", "Fees of later years"]):
        with pdf.rotation(90, x=100, y=150):
            pdf.text(60, 100 + 8 * number, line)
    pdf.output(str(tmp_path / "a.pdf"))
    text = read(tmp_path / "a.pdf")[0].text.replace("\n", " ")
    assert text == "Fees of the first year Fees of the second year Fees of later years"


def test_running_heads_and_page_numbers_are_dropped(tmp_path: Path) -> None:
    class Headed(FPDF):
        def header(self) -> None:
            self.set_font("Helvetica", size=8)
            self.cell(0, 5, "Registry Rules", new_x="LMARGIN", new_y="NEXT")

        def footer(self) -> None:
            self.set_y(-12)
            self.cell(0, 5, f"Page {self.page_no()}")

    pdf = Headed()
    for number in range(5):
        pdf.add_page()
        pdf.set_font("Helvetica", size=11)
        pdf.multi_cell(0, 6, f"Chapter {'ABCDE'[number]} is about matter {number * 7}. {RULE}")
    pdf.output(str(tmp_path / "a.pdf"))
    text = "\n".join(page.text for page in read(tmp_path / "a.pdf"))
    assert "Registry Rules" not in text
    assert "Page" not in text
    assert text.count("Chapter") == 5


def test_a_scan_among_text_pages_is_named_in_a_warning(tmp_path: Path) -> None:
    pdf = FPDF()
    pdf.set_font("Helvetica", size=11)
    pdf.add_page()
    pdf.multi_cell(0, 6, RULE)
    pdf.add_page()
    pdf.image(Image.new("L", (600, 800), 200), x=0, y=0, w=210)
    pdf.output(str(tmp_path / "a.pdf"))
    pages = read(tmp_path / "a.pdf")
    assert pages[0].warnings == ()
    assert pages[1].paragraphs == ()
    assert "Page 2" in pages[1].warnings[0]


def test_blank_pages_are_empty(tmp_path: Path) -> None:
    assert refusal(english_pdf(tmp_path / "a.pdf", "", "")) == "empty"


def test_only_images_without_ocr_have_no_text_layer(tmp_path: Path) -> None:
    assert refusal(image_pdf(tmp_path / "a.pdf"), ocr=False) == "no_text_layer"


def test_a_file_that_is_no_pdf_is_corrupt(tmp_path: Path) -> None:
    (tmp_path / "a.pdf").write_bytes(b"PK\x03\x04 not a PDF at all" * 50)
    assert refusal(tmp_path / "a.pdf") == "corrupt"


def test_half_a_file_is_corrupt(tmp_path: Path) -> None:
    whole = english_pdf(tmp_path / "whole.pdf", RULE).read_bytes()
    (tmp_path / "a.pdf").write_bytes(whole[: len(whole) // 4])
    assert refusal(tmp_path / "a.pdf") == "corrupt"


@pytest.mark.parametrize(("user_password", "expected"), [("secret", "encrypted"), (None, "ok")])
def test_only_a_password_to_open_the_file_keeps_it_shut(
    tmp_path: Path, user_password: str | None, expected: str
) -> None:
    pdf = FPDF()
    pdf.set_encryption(owner_password="owner", user_password=user_password)
    pdf.set_font("Helvetica", size=11)
    pdf.add_page()
    pdf.multi_cell(0, 6, RULE)
    pdf.output(str(tmp_path / "a.pdf"))
    if expected == "ok":
        assert read(tmp_path / "a.pdf")[0].text == RULE
    else:
        assert refusal(tmp_path / "a.pdf") == expected


def test_too_many_pages_are_refused_before_any_is_read(tmp_path: Path) -> None:
    path = english_pdf(tmp_path / "a.pdf", *[RULE] * 4)
    assert refusal(path, max_pages=3) == "too_many_pages"
    assert len(read(path, max_pages=4)) == 4


def test_the_first_page_is_out_while_the_file_is_still_open(tmp_path: Path) -> None:
    path = english_pdf(tmp_path / "a.pdf", *[f"{RULE} {n}" for n in range(40)])
    pages = read_pdf(path, max_pages=100)
    assert isinstance(pages, Generator)
    assert next(pages).number == 1
    pages.close()  # a reader that stops early leaves nothing open
    (tmp_path / "a.pdf").unlink()


def test_a_damaged_page_costs_no_other(tmp_path: Path) -> None:
    pages = read(damage_page(english_pdf(tmp_path / "a.pdf", "The first page.", "The second.", "The third page."), 2))
    assert [page.text for page in pages] == ["The first page.", "", "The third page."]
    assert pages[1].warnings == ("Page 2 is damaged and was not read.",)


def test_damaged_bytes_never_raise_anything_but_a_refusal(tmp_path: Path) -> None:
    whole = english_pdf(tmp_path / "whole.pdf", [RULE, RULE[::-1]], "5.2 Fees").read_bytes()
    chance = random.Random(20)
    outcomes = set()
    for number in range(80):
        damaged = bytearray(whole)
        for _ in range(chance.randrange(1, 60)):
            damaged[chance.randrange(len(damaged))] = chance.randrange(256)
        if number % 3 == 0:
            damaged = damaged[: chance.randrange(10, len(damaged))]
        path = tmp_path / "a.pdf"
        path.write_bytes(bytes(damaged))
        try:
            read(path)
            outcomes.add("ok")
        except ExtractionFailed as failure:
            outcomes.add(failure.code)
    assert {"ok", "corrupt"} <= outcomes
