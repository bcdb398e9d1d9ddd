"""Brings what is typed over a page into its lines: values of forms and notes."""

import statistics

from extraction.document import Lost, TextOrigin
from extraction.pdf.glyphs.model import BoundingBox, TextLine
from extraction.pdf.layout.placing import is_under, with_lines
from extraction.pdf.page_content import PageClass, PageContent
from extraction.pdf.page_reader import PageReading

USUAL_SIZE = 11.0  # points, where a page has no line
LEADING = 1.2  # sizes


def add_typed(reading: PageReading, content: PageContent) -> None:
    """Fill in what is typed, where it is, and what else lies over the page. Call it after OCR, which sees it too."""
    for what, characters in content.annotations.lost.items():
        reading.lost.append(Lost(what, characters))
    reading.files += content.annotations.files
    new = []
    for typed in content.annotations.typed:
        box = _placed(typed.box, reading, content)
        there = [line for line in reading.lines if is_under(line, box)]
        if reading.origin is TextOrigin.OCR and not reading.has_ocr_layer:
            reading.lines = [line for line in reading.lines if line not in there]  # it has seen the same
        elif any("".join(typed.text.split()) in "".join(line.text.split()) for line in there):
            continue  # some programs draw what they keep as a value
        new.append(_line(typed.text, box, reading))
    if not new:
        return
    reading.lines = with_lines(reading.lines, sorted(new, key=lambda line: -line.top), hebrew_page=reading.hebrew)
    if reading.page_class is PageClass.EMPTY:
        reading.page_class = PageClass.OK


def _placed(box: BoundingBox, reading: PageReading, content: PageContent) -> BoundingBox:
    """The box in the frame of the page's lines. After OCR of a page that lies on its side, that is not known."""
    box, origin = box.turned(content.turn), content.box
    if reading.box == origin:
        return box
    return BoundingBox(
        box.left - origin.left, box.bottom - origin.bottom, box.right - origin.left, box.top - origin.bottom
    )


def _line(text: str, box: BoundingBox, reading: PageReading) -> TextLine:
    sizes = [line.size for line in reading.lines if not line.is_row]
    size = min(statistics.median(sizes) if sizes else USUAL_SIZE, box.height or USUAL_SIZE)
    lines = max(1, round(box.height / (LEADING * size)))
    middle = (box.top + box.bottom) / 2 if lines == 1 else box.top - LEADING * size / 2
    return TextLine(
        text="\n".join(text.splitlines()),
        left=box.left,
        right=box.right,
        top=middle + size / 2,
        baseline=middle - size / 3,
        size=size,
    )
