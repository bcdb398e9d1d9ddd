"""One text as files of several formats, each with what its program does to lines, heads, feet and marks."""

import html
import re
import textwrap
from collections.abc import Callable
from functools import partial
from pathlib import Path

import docx
from fpdf import FPDF
from playwright.sync_api import Browser

from tests.extraction.pdf.making import hebrew_font

_HEBREW = re.compile("[א-ת]")
_INNER_QUOTE = re.compile('(?<=[א-ת])["״](?=[א-ת])')
_TYPED = str.maketrans({"–": "-", "—": "-", "־": "-", "״": '"', "׳": "'", "“": '"', "”": '"', "’": "'"})
LINES_OF_A_PAGE = 46
COLUMNS = 76


def write_docx(path: Path, text: str) -> None:
    """Word: a head and a foot, quotation marks of print."""
    document = docx.Document()
    document.sections[0].header.paragraphs[0].text = "Consolidated version"
    document.sections[0].footer.paragraphs[0].text = "Page 1"
    for line in _printed(text).splitlines():
        document.add_paragraph(line)
    document.save(str(path))


class _Pdf(FPDF):
    """A page head and a page number, as most documents have them."""

    def header(self) -> None:
        self.cell(0, 8, "Official gazette 3127", align="C", new_x="LMARGIN", new_y="NEXT")

    def footer(self) -> None:
        self.set_y(-15)
        self.cell(0, 8, f"- {self.page_no()} -", align="C")


def write_pdf(path: Path, text: str) -> None:
    """A PDF of justified lines."""
    pdf = _Pdf()
    pdf.add_font("Text", fname=str(hebrew_font()))
    pdf.set_font("Text", size=11)
    is_hebrew = bool(_HEBREW.search(text))
    if is_hebrew:
        pdf.set_text_shaping(True, direction="rtl")
    pdf.add_page()
    for line in text.expandtabs(2).splitlines():
        pdf.multi_cell(0, 6, line, align="R" if is_hebrew else "J", new_x="LMARGIN", new_y="NEXT")
    pdf.output(str(path))


def write_printed_page(path: Path, text: str, *, browser: Browser) -> None:
    """What a browser prints of a page in two sizes, with its head and foot."""
    page = browser.new_page()
    page.set_content(_page(_printed(text)))
    edge = '<span style="font-size:8px">{}</span>'
    page.pdf(
        path=str(path),
        format="A4",
        display_header_footer=True,
        header_template=edge.format('<span class="title"></span>'),
        footer_template=edge.format('<span class="pageNumber"></span> / <span class="totalPages"></span>'),
        margin={"top": "2cm", "bottom": "2cm", "left": "2cm", "right": "2cm"},
    )
    page.close()


def write_html(path: Path, text: str) -> None:
    """A page of a site, with a menu and a foot."""
    path.write_text(_page(text, around=True), "utf-8")


def write_txt(path: Path, text: str) -> None:
    """A typed text: short lines, English words cut at their ends, a head on each page, marks of the keyboard."""
    typed = text.translate(_TYPED)
    lines = [part for line in typed.splitlines() for part in _wrapped(line)]
    pages = [lines[start : start + LINES_OF_A_PAGE] for start in range(0, len(lines), LINES_OF_A_PAGE)]
    printed = [[f"- {number} -", "", *page] for number, page in enumerate(pages, 1)]
    path.write_text("\n".join(line for page in printed for line in page), "utf-8")


def _wrapped(line: str) -> list[str]:
    parts = textwrap.wrap(line, COLUMNS, break_on_hyphens=True) or [""]
    for place in range(3, len(parts), 4):  # now and then a word is cut
        word, _, rest = parts[place].partition(" ")
        if rest and len(word) > 7 and word.isascii() and word.isalpha():
            parts[place - 1], parts[place] = f"{parts[place - 1]} {word[:4]}-", f"{word[4:]} {rest}"
    return parts


def _printed(text: str) -> str:
    """With the quotation marks and hyphens of print."""
    return _INNER_QUOTE.sub("״", text).replace(" - ", " – ").replace("'", "’")


def _page(text: str, *, around: bool = False) -> str:
    direction = "rtl" if _HEBREW.search(text) else "ltr"
    body = "".join(f"<p>{html.escape(line)}</p>" for line in text.splitlines())
    if around:
        body = f"<nav><a href='/'>Home</a> <a href='/laws'>Laws</a></nav><main>{body}</main><footer>All rights</footer>"
    return f"<!doctype html><html dir={direction}><meta charset=utf-8><title>Law</title><body>{body}"


FORMATS = {"Word": "docx", "PDF": "pdf", "printed page": "pdf", "HTML": "html", "typed text": "txt"}
"""The extension of each format."""


def writers(browser: Browser) -> dict[str, Callable[[Path, str], None]]:
    """What writes each of the formats."""
    printed = partial(write_printed_page, browser=browser)
    return dict(zip(FORMATS, (write_docx, write_pdf, printed, write_html, write_txt), strict=True))
