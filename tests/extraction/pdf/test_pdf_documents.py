"""The document set: outcome, characters, numbers and paragraphs of each PDF."""

import functools
import re
import statistics
import subprocess
import sys
from collections.abc import Iterable

import pytest
from _pytest.mark import ParameterSet

from extraction import Page, extract
from extraction.document import ExtractionFailed
from tests.extraction.scoring import (
    DOCUMENTS,
    PROJECT,
    Entry,
    entries,
    in_order,
    needs_documents,
    normalise,
    paragraph_breaks,
    score,
)

pytestmark = needs_documents

HARD = {"d15-visual-2col-rows.pdf": 0.05, "d14-reshumot-real.pdf": 0.03, "d23-scan-ocr-layer.pdf": 0.06}
NO_PARAGRAPHS = {"d14-reshumot-real.pdf", "d23-scan-ocr-layer.pdf", "e05-court-opinion-real.pdf"}  # truth is by line
HEADED = {  # files with running heads, and what stands in them
    "d04-libreoffice-headers.pdf": r"^עמוד \d+",
    "d06-chromium-long.pdf": r"^(?:עמוד )?\d+ (?:מתוך|/) \d+",
    "d13-chromium-600p.pdf": r"^(?:עמוד )?\d+ (?:מתוך|/) \d+",
    "e02-libreoffice-headers.pdf": r"(?i)^page \d+",
}
BOOK = "d13-chromium-600p.pdf"
LONG = ("d06-chromium-long.pdf", BOOK)


def named(rows: Iterable[Entry]) -> list[ParameterSet]:
    return [pytest.param(row, id=row.file, marks=[pytest.mark.deep] if row.file in LONG else []) for row in rows]


def readable() -> list[Entry]:
    return [row for row in entries(".pdf") if "ok" in row.accepted]


@functools.cache
def outcome(row: Entry) -> tuple[list[Page], str]:
    """Pages and "ok", or the refusal's code."""
    try:
        return list(extract(row.path, ocr=False)), "ok"
    except ExtractionFailed as failure:
        return [], failure.code


def whole_paragraphs(pages: list[Page]) -> list[str]:
    """Paragraphs with the halves that page breaks made put together."""
    found: list[str] = []
    goes_on = False
    for page in pages:
        for number, paragraph in enumerate(page.paragraphs):
            if goes_on and number == 0:
                found[-1] += " " + paragraph
            else:
                found.append(paragraph)
        if page.paragraphs:
            goes_on = page.continues
    return found


@pytest.mark.parametrize("row", named(row for row in entries(".pdf") if row.file != BOOK))
def test_outcome_is_the_expected_one(row: Entry) -> None:
    pages, got = outcome(row)
    assert got in row.accepted
    if got == "ok":
        assert row.pages is not None
        assert [page.number for page in pages] == list(range(1, row.pages + 1))


@pytest.mark.parametrize("row", named(readable()))
def test_text_is_the_true_text(row: Entry) -> None:
    pages, _ = outcome(row)
    found = score("\n".join(page.text for page in pages), row.truth)
    allowed = HARD.get(row.file, 0.005 if row.language == "he" else 0.002)
    assert found.cer <= allowed
    if row.file not in HARD:
        assert found.words >= 0.995
        assert found.numbers >= (0.95 if "table" in row.file or "2col" in row.file else 0.97)
    if row.file in HEADED:
        assert not [text for page in pages for text in page.paragraphs if re.search(HEADED[row.file], text)]
    if row.file not in NO_PARAGRAPHS:
        breaks = paragraph_breaks(whole_paragraphs(pages), row.truth.split("\n"))
        assert breaks.precision >= 0.93
        assert breaks.recall >= 0.9


def test_most_hebrew_files_are_read_without_an_error() -> None:
    rows = [row for row in readable() if row.language == "he" and row.file not in (*HARD, BOOK)]
    errors = [score("\n".join(page.text for page in outcome(row)[0]), row.truth).cer for row in rows]
    assert statistics.median(errors) <= 0.001


def test_section_numbers_begin_paragraphs_beside_side_headings() -> None:
    row = next(row for row in readable() if row.file == "d07-chromium-margin.pdf")
    section = re.compile(r"\d+[א-ת]?\d*\.(?:\s|$)")
    wanted = [text for text in row.truth.split("\n") if section.match(text)]
    got = [text for text in whole_paragraphs(outcome(row)[0]) if section.match(text)]
    assert [text.split()[0] for text in got] == [text.split()[0] for text in wanted]


@pytest.mark.parametrize(
    "name", ["d03-chromium-tables", "d03-libreoffice-tables", "d09-weasyprint-tables", "d12-words-tables"]
)
def test_rows_of_ruled_tables_are_exact(name: str) -> None:
    row = next(row for row in readable() if row.file == f"{name}.pdf")
    wanted = [normalise_row(line) for line in row.truth.split("\n") if "\t" in line]
    got = [normalise_row(line) for page in outcome(row)[0] for line in page.paragraphs if "\t" in line]
    assert in_order(got, wanted) >= 0.97


def normalise_row(line: str) -> str:
    return "\t".join(normalise(cell) for cell in line.split("\t"))


def test_the_scanned_page_among_text_pages_is_named() -> None:
    row = next(row for row in readable() if row.file == "d24-mixed-text-and-scan.pdf")
    warnings = [warning for page in outcome(row)[0] for warning in page.warnings]
    assert len(warnings) == 1
    assert "Page 4" in warnings[0]


MEASURE = """
import sys, pathlib
sys.path.insert(0, sys.argv[1])
from extraction.pdf.reader import read_pdf

def peak():
    return next(int(line.split()[1]) for line in open("/proc/self/status") if line.startswith("VmHWM"))

before = peak()
count = sum(1 for _ in read_pdf(pathlib.Path(sys.argv[2]), max_pages=5000, ocr=False))
print(count, (peak() - before) // 1024)
"""


@pytest.mark.deep
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="peak memory is read from /proc")
def test_a_book_is_read_in_little_memory() -> None:
    command = [sys.executable, "-c", MEASURE, str(PROJECT), str(DOCUMENTS / BOOK)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    count, megabytes = map(int, done.stdout.split())
    assert count == 607
    assert megabytes <= 100
