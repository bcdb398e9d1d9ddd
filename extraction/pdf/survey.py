"""A quick look at every page of a PDF, to tell those whose text reading will not give. Runs in a reader's process."""

import json
import logging
import time
from contextlib import closing
from pathlib import Path

import pypdfium2 as pdfium

from extraction.pdf.glyphs.model import BoundingBox
from extraction.pdf.glyphs.text_layer import TextLayer
from extraction.pdf.layout.rulings import drawing
from extraction.pdf.opening import open_pdf
from extraction.pdf.page_content import UNREAD, classify, unread_images
from extraction.pdf.tesseract import available

logger = logging.getLogger(__name__)


def survey(path: str | Path, target: str | Path, *, seconds: float, ocr: bool = True) -> int:
    """Write `{"pages", "looked_at", "unread"}` as JSON to `target`. Returns the number of pages.

    `unread` are the numbers of pages whose text is in an image or cannot be decoded, unless OCR is there to read them,
    and of damaged pages. After `seconds` no further page is looked at. Raises ExtractionFailed as `open_pdf`.
    """
    document = open_pdf(path)
    pages, looked_at, unread = len(document), 0, []
    ends = time.monotonic() + seconds
    while looked_at < pages and time.monotonic() < ends:
        looked_at += 1
        if _is_unread(document, looked_at - 1, ocr=ocr):
            unread.append(looked_at)
    found = {"pages": pages, "looked_at": looked_at, "unread": unread}
    Path(target).write_text(json.dumps(found), encoding="utf-8")
    return pages


def _is_unread(document: pdfium.PdfDocument, index: int, *, ocr: bool) -> bool:
    try:
        with closing(document[index]) as page, closing(page.get_textpage()) as textpage:
            layer = TextLayer(textpage)
            box = BoundingBox(*page.get_bbox()).turned(layer.turn)
            drawn = drawing(page, page_box=box, turn=layer.turn)
            unread = classify(layer.emitted, drawn) in UNREAD or unread_images(page, layer, drawn, box)[0]
            return unread and not (ocr and available())
    except Exception as error:  # a damaged page must not cost the others
        logger.info("page %d could not be looked at: %r", index + 1, error)
        return True
