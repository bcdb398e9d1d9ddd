"""Drawing one page of a PDF as a PNG. Runs in a process of its own, like the readers: PDFium is not thread-safe."""

from __future__ import annotations

from pathlib import Path

import pypdfium2
from PIL import Image, ImageChops

from sources.extraction.document import ExtractionFailed

Image.preinit()  # otherwise each forked process would do it at its first save

WIDTH = 1200  # pixels: small print can still be read, and a page is drawn and packed in a tenth of a second
TALLEST = 3  # widths
RUN_LENGTHS = {"compress_level": 1, "compress_type": 3}  # zlib's Z_RLE: for scans faster and smaller than its default
SHADES = [round(value / 17) * 17 for value in range(256)]  # sixteen greys: half the bytes of a scan


def draw_page(path: str | Path, target: str | Path, *, number: int, width: int = WIDTH) -> int:
    """Write a picture of the page (counted from 1), `width` pixels wide, to `target`. Returns the number of pages.

    Raises ExtractionFailed with code no_such_page, or corrupt for a file or a page that cannot be drawn.
    """
    try:
        document = pypdfium2.PdfDocument(path)
    except pypdfium2.PdfiumError as error:
        raise ExtractionFailed("corrupt", "The file cannot be opened to show its pages.") from error
    pages = len(document)
    if not 1 <= number <= pages:
        raise ExtractionFailed("no_such_page", f"The document has {pages} pages.")
    try:
        page = document[number - 1]
        page_width, page_height = page.get_size()
        scale = min(width / max(page_width, 1), TALLEST * width / max(page_height, 1))
        image = page.render(scale=scale).to_pil()
    except (pypdfium2.PdfiumError, ValueError) as error:
        raise ExtractionFailed("corrupt", "This page cannot be drawn.") from error
    if _is_grey(image):
        image = image.convert("L").point(SHADES)
    image.save(target, "png", **RUN_LENGTHS)
    return pages


def _is_grey(image: Image.Image) -> bool:
    if image.mode != "RGB":
        return False
    red, green, blue = image.split()
    return not ImageChops.difference(red, green).getbbox() and not ImageChops.difference(green, blue).getbbox()
