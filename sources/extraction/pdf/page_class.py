"""Classes of pages by their text layer: text, nothing, an image of text, or junk."""

from __future__ import annotations

import enum

from sources.extraction.pdf.layout.rulings import Drawing
from sources.extraction.pdf.text.page_text import IMPLAUSIBLE, JUNK, LATIN1, LETTER, PageText

FEW_CHARACTERS = 15  # fewer beside an image: the page is a scan
FEW_WORDS_OVER_IMAGE = 150  # characters. A stamp or a title over a full-page image.
FULL_PAGE = 0.6  # share of the page an image covers
OUTLINED_TEXT_PATHS = 150  # as many paths and no text: letters were drawn as curves
JUNK_SHARE = 0.2
PLAUSIBLE_SHARE = 0.75


class PageClass(enum.Enum):
    OK = "ok"
    EMPTY = "empty"
    SCAN = "scan"
    JUNK = "junk"
    BROKEN = "broken"  # the engine could not read it


def classify(text: PageText, drawn: Drawing) -> PageClass:
    """`text` as emitted. Latin-1 that is really windows-1255 Hebrew counts as text."""
    printed = text.printed
    if printed < FEW_CHARACTERS:
        if drawn.images or (not printed and drawn.paths >= OUTLINED_TEXT_PATHS):
            return PageClass.SCAN
        return PageClass.OK if printed else PageClass.EMPTY
    if text.is_disguised:
        return PageClass.OK if text.count(LATIN1) > 0.5 * text.count(LETTER) else PageClass.JUNK
    if text.count(JUNK) > JUNK_SHARE * printed:
        return PageClass.JUNK
    if printed - text.count(IMPLAUSIBLE) < PLAUSIBLE_SHARE * printed:
        return PageClass.JUNK
    return PageClass.OK


def is_mostly_image(text: PageText, drawn: Drawing, page_area: float) -> bool:
    """A full-page image with a few words over it: what the image says is not in the text layer."""
    return covers_page(drawn, page_area) and text.printed < FEW_WORDS_OVER_IMAGE


def covers_page(drawn: Drawing, page_area: float) -> bool:
    return 0 < FULL_PAGE * page_area <= drawn.image_area
