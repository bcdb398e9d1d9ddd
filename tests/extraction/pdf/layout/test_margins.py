"""Notes in the margin, as statutes print the headings of their sections."""

from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import pytest
from fpdf import FPDF

from extraction import extract
from extraction.pdf.layout.paragraphs import ParagraphMaker
from tests.extraction.pdf.making import hebrew_font, text_line

WIDTH = 100  # mm of the text


class Row(NamedTuple):
    """A paragraph, with what stands beside it in the margin."""

    text: str
    note: str = ""


ACT = (
    Row("1. (1) This Act may be called the Coastal Ferries Act, 2031.", "Short title, extent and commencement."),
    Row("(2) It extends to the whole of the territory."),
    Row("2. In this Act, unless the context otherwise requires, a ferry is a vessel on a river.", "Definitions."),
    Row("3. No person shall ply a ferry except under a licence that was granted under this Act.", "Licences."),
    Row("4. Whoever contravenes section 3 shall be punishable with a fine of one thousand pounds.", "Penalty."),
)
NEXT_PAGE = (
    Row("5. The Minister may make rules as to the fares that are charged.", "Power to make rules."),
    Row("6. (1) A fisherman may carry persons in an emergency without a licence.", "Saving for fishermen."),
    Row("(2) A fisherman shall report it to the Warden within seven days of the day on which he did so.", ""),
    Row("7. The Ferries Act, 1931, is repealed.", "Repeal."),
)
HEBREW = (
    Row("1. בחוק זה, המנהל הוא מנהל רשות הספנות והנמלים או מי שהוא הסמיך לעניין חוק זה.", "הגדרות"),
    Row("2. לא יפעיל אדם מעבורת אלא לפי רישיון.", "חובת רישיון"),
    Row("3. המנהל רשאי לקבוע תנאים ברישיון.", "תנאים ברישיון"),
    Row("4. המפעיל מעבורת בלא רישיון, דינו מאסר שישה חודשים או קנס, והכול לפי העניין.", "עונשין"),
    Row("5. השר ממונה על ביצוע חוק זה.", "ביצוע"),
)


def printed(path: Path, *pages: tuple[Row, ...], side: str, size: float = 8, notes_first: bool = False) -> list[str]:
    """The paragraphs of a file whose pages have these rows, with the notes at that side of each."""
    hebrew = any("א" <= char <= "ת" for char in pages[0][0].text)
    pdf = FPDF()
    pdf.set_font("Helvetica")
    if hebrew:
        pdf.add_font("Hebrew", fname=str(hebrew_font()))
        pdf.set_font("Hebrew")
        pdf.set_text_shaping(True, direction="rtl")
    for number, rows in enumerate(pages):
        pdf.add_page()
        pdf.set_y(50)  # below where heads are
        at_left = side == "left" or (side == "outer" and number % 2 == 1)
        text_at, note_at = (65, 20) if at_left else (20, 25 + WIDTH)
        notes = []
        for row in rows:
            y = pdf.get_y() + 3
            notes.append((y, row.note))
            if notes_first:
                _column(pdf, note_at, y, 40, row.note, size, hebrew=hebrew)
            _column(pdf, text_at, y, WIDTH, row.text, 10.5, hebrew=hebrew)
        if not notes_first:
            end = pdf.get_y()
            for y, note in notes:
                _column(pdf, note_at, y, 40, note, size, hebrew=hebrew)
            pdf.set_y(end)
    pdf.output(str(path))
    return [text for page in extract(path, ocr=False) for text in page.paragraphs]


def _column(pdf: FPDF, x: float, y: float, width: float, text: str, size: float, *, hebrew: bool) -> None:
    """Lines of text. What is smaller stands on the same first baseline."""
    if text:
        pdf.set_font_size(size)
        pdf.set_xy(x, y + (10.5 - size) * 0.1)
        pdf.multi_cell(width, 5 - (10.5 - size) * 0.2, text, align="R" if hebrew else "L")


def read(rows: tuple[Row, ...]) -> list[str]:
    return [text for row in rows for text in (row.note, row.text) if text]


@pytest.mark.parametrize("notes_first", [False, True])
@pytest.mark.parametrize("side", ["left", "right", "outer"])
def test_a_note_is_read_before_its_section(tmp_path: Path, side: str, notes_first: bool) -> None:
    found = printed(tmp_path / "act.pdf", ACT, NEXT_PAGE, side=side, notes_first=notes_first)
    rows = (*ACT, *NEXT_PAGE)
    assert " ".join(found) == " ".join(read(rows))
    assert {row.note for row in rows if row.note} <= set(found)


@pytest.mark.parametrize("notes_first", [False, True])
def test_notes_of_a_hebrew_law_stand_at_its_right(tmp_path: Path, notes_first: bool) -> None:
    assert printed(tmp_path / "act.pdf", HEBREW, side="right", size=10, notes_first=notes_first) == read(HEBREW)


def test_a_note_amid_a_paragraph_does_not_part_it() -> None:
    text = (
        "3. No person shall ply a ferry except under a licence that",
        "was granted by the Warden under the Ports Act.",
    )
    lines = [text_line(line, left=60, right=400, baseline=700 - 15 * n, size=10.5) for n, line in enumerate(text)]
    notes = [
        replace(lines[0], text="Licences.", left=420, right=460, note=True),
        replace(lines[1], text="45 of 1860.", left=420, right=470, note=True),
    ]
    made = ParagraphMaker().page([notes[0], lines[0], notes[1], lines[1]], hebrew=False)
    assert made.texts == ["45 of 1860.", "Licences.", " ".join(text)]


def test_a_column_of_a_list_is_no_margin(tmp_path: Path) -> None:
    rows = tuple(
        Row(f"{number}. Ferry of class {letter}", "Ten pounds a year")
        for number, letter in enumerate("ABCDEFG", start=1)
    )
    found = printed(tmp_path / "list.pdf", rows, side="right", size=10.5)
    assert [text[:19] for text in found[:7]] == [row.text for row in rows]
