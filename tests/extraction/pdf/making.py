"""Small PDFs and lines made at test time, from sentences of our own."""

import io
import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from fpdf import FPDF
from PIL import Image, ImageDraw, ImageFont

from extraction.pdf.glyphs.model import TextLine
from extraction.pdf.glyphs.page_glyphs import GlyphLine, PageGlyphs
from extraction.pdf.text.page_text import PageText
from tests.fuzz.raw_pdf import CATALOG, FONT, ONE_PAGE, PAGE, TEXT, flate, pdf, stream

FONT_PLACES = (
    "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf",
    "/usr/share/fonts/dejavu/DejaVuSans.ttf",
    "/usr/share/fonts/TTF/DejaVuSans.ttf",
    "/usr/share/fonts/dejavu-sans-fonts/DejaVuSans.ttf",
)


def hebrew_font() -> Path:
    """A font with Hebrew letters; the test is skipped where there is none."""
    for place in FONT_PLACES:
        if Path(place).is_file():
            return Path(place)
    pytest.skip("no DejaVu Sans on this machine to set Hebrew with")


def english_pdf(path: Path, *pages: str | list[str], justified: bool = False) -> Path:
    """One page for each text, in a font every reader has; an empty text is a blank page."""
    pdf = FPDF()
    pdf.set_font("Helvetica", size=11)
    for text in pages:
        pdf.add_page()
        for paragraph in [text] if isinstance(text, str) else text:
            if paragraph:
                pdf.multi_cell(0, 6, paragraph, align="J" if justified else "L", new_x="LMARGIN", new_y="NEXT")
    pdf.output(str(path))
    return path


def damage_page(path: Path, number: int) -> Path:
    """Have the list of pages name an object that is not there in place of a page, counted from 1."""
    document = path.read_bytes()
    kids = re.search(rb"/Kids \[([^]]*)\]", document)
    assert kids
    page = list(re.finditer(rb"\d+ 0 R", kids[1]))[number - 1]
    start, end = kids.start(1) + page.start(), kids.start(1) + page.end()
    path.write_bytes(document[:start] + b"0 0 R".rjust(end - start) + document[end:])
    return path


def hebrew_pdf(path: Path, *pages: list[str]) -> Path:
    """One page for each list of paragraphs, shaped and right-aligned."""
    pdf = FPDF()
    pdf.add_font("Hebrew", fname=str(hebrew_font()))
    pdf.set_font("Hebrew", size=11)
    pdf.set_text_shaping(True, direction="rtl")
    for paragraphs in pages:
        pdf.add_page()
        for paragraph in paragraphs:
            pdf.multi_cell(0, 7, paragraph, align="R", new_x="LMARGIN", new_y="NEXT")
            pdf.ln(2)
    pdf.output(str(path))
    return path


def image_pdf(path: Path, text: str = "") -> Path:
    """One page that is only a picture; `text` is drawn into the picture."""
    picture = Image.new("L", (1000, 1400), 255)
    ImageDraw.Draw(picture).text((100, 100), text, fill=0)
    stored = io.BytesIO()
    picture.save(stored, "PNG")
    pdf = FPDF()
    pdf.add_page()
    pdf.image(stored, x=0, y=0, w=210)
    pdf.output(str(path))
    return path


def pictured_pdf(path: Path, picture: str, *paragraphs: str, width: float = 210.0) -> Path:
    """One page of a picture with lines of words, so many mm wide, under paragraphs of text at the foot of the page."""
    drawn = Image.new("L", (1654, 2339), 255)
    font = ImageFont.truetype(str(hebrew_font()), 36)
    for number, line in enumerate(picture.split("\n")):
        ImageDraw.Draw(drawn).text((150, 150 + 60 * number), line, fill=0, font=font)
    stored = io.BytesIO()
    drawn.crop((0, 0, 1654, 2339 if width > 200 else 400)).save(stored, "PNG")
    pdf = FPDF()
    pdf.set_auto_page_break(False)
    pdf.add_page()
    pdf.image(stored, x=0, y=0, w=width)
    pdf.set_font("Helvetica", size=9)
    pdf.set_y(-4 - 5 * len(paragraphs))
    for paragraph in paragraphs:
        pdf.cell(0, 5, paragraph, new_x="LMARGIN", new_y="NEXT")
    pdf.output(str(path))
    return path


def misread_pdf(path: Path, *pages: list[tuple[int, int, str]], rulings: str = "", turned: bool = False) -> Path:
    """Pages of Hebrew lines, each with its left end and height, whose letters PDFium gives wrong.

    Each glyph has the ActualText of its neighbour, in a form, where we do not remove it. `rulings` are drawn below it.
    `turned`: the page lies on its side, and its corner is not at 0, 0.
    """
    box, matrix = ("[30 -50 830 550] /Rotate 90", "0 1 -1 0 830 -50") if turned else ("[0 0 600 800]", "1 0 0 1 0 0")
    letters = "1 beginbfrange <20> <40> <0020> endbfrange 1 beginbfrange <41> <5B> <05D0> endbfrange"
    objects = [
        "<</Type /Catalog /Pages 2 0 R>>",
        "",
        "<</Type /Font /Subtype /Type1 /BaseFont /Courier /ToUnicode 4 0 R>>",
        _stream("", f"begincmap 1 begincodespacerange <00> <FF> endcodespacerange {letters} endcmap"),
    ]
    kids = []
    for lines in pages:
        shown = " ".join(_shifted_line(*line) for line in lines)
        number = len(objects) + 1
        kids.append(f"{number} 0 R")
        resources = f"/Resources <</XObject <</X {number + 2} 0 R>>>>"
        objects += [
            f"<</Type /Page /Parent 2 0 R /MediaBox {box} /Contents {number + 1} 0 R {resources}>>",
            _stream("", f"{matrix} cm {rulings} /X Do"),
            _stream("/Type /XObject /Subtype /Form /BBox [0 0 800 800] /Resources <</Font <</F 3 0 R>>>>", shown),
        ]
    objects[1] = f"<</Type /Pages /Kids [{' '.join(kids)}] /Count {len(kids)}>>"
    numbered = (f"{number} 0 obj {content} endobj\n" for number, content in enumerate(objects, start=1))
    path.write_text(f"%PDF-1.4\n{''.join(numbered)}trailer <</Root 1 0 R>>\n", encoding="ascii")
    return path


def _stream(entries: str, content: str) -> str:
    return f"<</Length {len(content)} {entries}>> stream\n{content}\nendstream"


def _shifted_line(left: int, height: int, text: str) -> str:
    shown = text[::-1]
    glyphs = [
        f"/Span <</ActualText <FEFF{ord(neighbour):04X}>>> BDC "
        f"<{ord(char) - ord('א') + 0x41 if char >= 'א' else ord(char):02X}> Tj EMC"
        for char, neighbour in zip(shown, shown[1:] + shown[:1], strict=True)
    ]
    return f"BT /F 12 Tf {left} {height} Td {' '.join(glyphs)} ET"


class Drawn(NamedTuple):
    """A glyph where a page shows it. `place`: in the text that the engine emitted."""

    char: str
    left: float
    right: float
    bottom: float
    top: float
    place: int


def drawn(text: str, *, left: float = 100.0, bottom: float = 500.0, size: float = 10.0) -> list[Drawn]:
    """A line as a page shows it from left to right: each glyph 5 wide, a space is a gap of 3, a tab one of 30."""
    glyphs = []
    x = left
    for place, char in enumerate(text):
        if char in " \t":
            x += 3 if char == " " else 30
            continue
        glyphs.append(Drawn(char, x, x + 5, bottom, bottom + size, place * 10))
        x += 5.1
    return glyphs


def page_of(*lines: Sequence[Drawn], emitted: str = "") -> list[GlyphLine]:
    """Those lines of one page. What the engine emitted besides is told only of one line."""
    size = max(len(emitted), *(glyph.place + 1 for line in lines for glyph in line))
    text = list(emitted.ljust(size, "\x01") if len(lines) == 1 else "\x01" * size * len(lines))  # which shows nothing
    boxes = {}
    for number, line in enumerate(lines):
        for glyph in line:
            text[number * size + glyph.place] = glyph.char
            boxes[number * size + glyph.place] = glyph.left, glyph.top, glyph.right, glyph.bottom
    known = PageText("".join(text))
    page = PageGlyphs(
        known.codes,
        known.flags,
        [(place, place + 1) for place in sorted(boxes)],
        boxes_at=lambda places: np.array([boxes[place] for place in places], dtype=np.float32),
        font_at=lambda _: b"font",
    )
    return [
        page.line_of(np.searchsorted(page.places, [number * size + glyph.place for glyph in line]))
        for number, line in enumerate(lines)
    ]


def text_line(
    text: str,
    *,
    left: float = 60.0,
    right: float = 540.0,
    baseline: float = 700.0,
    size: float = 12.0,
    is_row: bool = False,
    gaps: tuple[tuple[float, float], ...] = (),
) -> TextLine:
    return TextLine(
        text=text,
        left=left,
        right=right,
        top=baseline + 0.8 * size,
        baseline=baseline,
        size=size,
        gaps=gaps,
        is_row=is_row,
    )


def holding(files: dict[bytes, bytes], *, pinned: dict[bytes, bytes] | None = None) -> bytes:
    """A PDF with files by their names as the file has them, in the document and pinned to its page."""
    more: list[bytes] = []

    def added(name: bytes, content: bytes) -> bytes:
        more.append(flate(content, b"/Type /EmbeddedFile"))
        return b"<< /Type /Filespec /F " + name + b" /UF " + name + b" /EF << /F %d 0 R >> >>" % (5 + len(more))

    tree = b" ".join(b"(%d) " % place + added(*file) for place, file in enumerate(files.items()))
    pins = b" ".join(
        b"<< /Type /Annot /Subtype /FileAttachment /Rect [9 9 20 20] /FS " + added(*file) + b" >>"
        for file in (pinned or {}).items()
    )
    catalog = CATALOG.replace(b" >>", b" /Names << /EmbeddedFiles << /Names [" + tree + b"] >> >> >>")
    return pdf(catalog, ONE_PAGE, PAGE[:-2] + b" /Annots [" + pins + b"] >>", stream(TEXT), FONT, *more)
