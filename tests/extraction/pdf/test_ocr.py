"""OCR: Tesseract's table of words, the two readings put together, and the program itself where it is installed."""

import os
from collections.abc import Iterator
from pathlib import Path

import pypdfium2 as pdfium
import pytest

from extraction.document import ExtractionFailed, Lost, LostWhat, TextOrigin
from extraction.pdf import tesseract
from extraction.pdf.ocr import survey
from extraction.pdf.reader import read_pdf
from extraction.pdf.tesseract import OcrFailed, OcrLine, OcrWord, parse_tsv, recognise, with_latin_words
from tests.extraction.pdf.making import image_pdf, pictured_pdf
from tests.extraction.scoring import entries, fold, needs_documents, score

needs_tesseract = pytest.mark.skipif(not tesseract.available(), reason="Tesseract with Hebrew data is not installed")

TSV = (
    "level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext\n"
    "4\t1\t1\t1\t1\t0\t100\t200\t300\t30\t-1\t\n"
    "5\t1\t1\t1\t1\t1\t340\t200\t60\t30\t95.5\tבעל\n"
    "5\t1\t1\t1\t1\t2\t240\t200\t90\t30\t91\tהיתר\n"
    "5\t1\t1\t1\t1\t3\t230\t200\t5\t30\t10\t \n"
    "5\t1\t1\t1\t2\t1\t300\t240\t100\t30\t88\tישלם\n"
)


def word(text: str, left: int, *, confidence: float = 90.0, width: int = 50) -> OcrWord:
    return OcrWord(text, left=left, top=0, right=left + width, bottom=20, confidence=confidence)


def test_words_are_gathered_into_lines() -> None:
    lines = parse_tsv(TSV)
    assert [line.text for line in lines] == ["בעל היתר", "ישלם"]
    assert lines[0].words[1] == OcrWord("היתר", left=240, top=200, right=330, bottom=230, confidence=91.0)


def test_anything_but_rows_of_words_is_passed_over() -> None:
    assert parse_tsv("Estimating resolution as 200\n\n5\tbroken\n") == []


def test_a_sure_latin_word_takes_the_place_of_what_was_misread() -> None:
    hebrew = [OcrLine((word("דוח", 200), word("א5ח8", 140), word("שנתי", 80)))]
    both = [OcrLine((word("TIT", 200, confidence=40), word("Basel", 140, confidence=96)))]
    assert with_latin_words(hebrew, both)[0].text == "דוח Basel שנתי"


def test_an_unsure_latin_word_is_not_believed() -> None:
    hebrew = [OcrLine((word("אני", 100),))]
    both = [OcrLine((word("ON", 100, confidence=60),))]
    assert with_latin_words(hebrew, both)[0].text == "אני"


def test_a_latin_word_over_two_misread_pieces_comes_once() -> None:
    hebrew = [OcrLine((word("ז5", 100, width=30), word("ם8", 130, width=30)))]
    both = [OcrLine((word("Treaty", 100, confidence=95, width=60),))]
    assert with_latin_words(hebrew, both)[0].text == "Treaty"


@needs_tesseract
def test_bytes_that_are_no_image_fail() -> None:
    with pytest.raises(OcrFailed):
        recognise(b"no image at all")


@needs_tesseract
def test_a_page_that_takes_too_long_fails() -> None:
    with pytest.raises(OcrFailed, match="no answer"):
        recognise(b"P5 4000 4000 255\n" + bytes(16_000_000), timeout=0.001)


@pytest.fixture
def _reads_no_english(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A program in Tesseract's place that fails at English alone, and otherwise reads an English word in doubt."""
    row = "5\\t1\\t1\\t1\\t1\\t1\\t340\\t200\\t60\\t30\\t40\\tlantern\\n"
    program = tmp_path / "tesseract"
    program.write_text(
        "#!/bin/sh\n"
        'if [ "$1" = --list-langs ]; then echo heb; echo eng; exit; fi\n'
        'cat > /dev/null; [ "$4" = eng ] && exit 1\n'
        f"printf '{row}'\n"
    )
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    tesseract.languages.cache_clear()
    yield
    tesseract.languages.cache_clear()


@pytest.mark.usefixtures("_reads_no_english")
def test_page_whose_english_reading_fails_has_the_lines_of_both() -> None:
    assert [line.text for line in recognise(b"P5 1 1 255\n\0")] == ["lantern"]


@needs_tesseract
def test_image_with_nothing_on_it_gives_no_text_and_no_failure(tmp_path: Path) -> None:
    with pytest.raises(ExtractionFailed) as caught:
        list(read_pdf(image_pdf(tmp_path / "a.pdf"), max_pages=5))
    assert caught.value.code in ("empty", "no_text_layer")


@needs_tesseract
@needs_documents
def test_scans_are_read_and_marked() -> None:
    row = next(row for row in entries(".pdf") if row.file == "d20-scan-200dpi-gray.pdf")
    pages = list(read_pdf(row.path, max_pages=10))
    assert {page.origin for page in pages} == {TextOrigin.OCR}
    assert all("OCR" in page.warnings[0] for page in pages)
    assert score(fold("\n".join(page.text for page in pages)), fold(row.truth)).cer <= 0.03


SCAN = "\n".join(
    [
        "1. The keeper of the lighthouse lights the lamp at dusk.",
        "2. The keeper writes down each ship that passes.",
        "3. A ship that does not answer is reported to the port.",
    ]
)


@needs_tesseract
@pytest.mark.skipif("osd" not in tesseract.languages(), reason="Tesseract cannot tell which side is up (osd)")
@pytest.mark.parametrize(
    "quarters", [1, pytest.param(2, marks=pytest.mark.deep), pytest.param(3, marks=pytest.mark.deep)]
)
def test_a_scan_on_its_side_or_its_head_is_read(tmp_path: Path, quarters: int) -> None:
    path = pictured_pdf(tmp_path / "a.pdf", "\n".join([SCAN] * 4))
    with pdfium.PdfDocument(path) as document:
        document[0].set_rotation(90 * quarters)
        document.save(tmp_path / "turned.pdf")
    (page,) = read_pdf(tmp_path / "turned.pdf", max_pages=1)
    assert "lights the lamp at dusk" in page.text
    assert page.text.index("writes down each ship") < page.text.index("reported to the port")


STAMP = [
    "Signed by the harbour master on 3.4.2021, number 77-1834.",
    *["This copy was made of the register of signals."] * 6,
]


@needs_tesseract
@pytest.mark.parametrize("lines", [1, *(pytest.param(lines, marks=pytest.mark.deep) for lines in (3, 7))])
def test_scan_under_stamp_is_read_and_the_stamp_stays_as_it_is(tmp_path: Path, lines: int) -> None:
    (page,) = read_pdf(pictured_pdf(tmp_path / "a.pdf", SCAN, *STAMP[:lines]), max_pages=1)
    assert page.origin is TextOrigin.OCR
    assert not page.unread
    assert "lights the lamp at dusk" in page.text
    assert page.text.endswith(" ".join(STAMP[:lines]).split("This")[-1])
    assert STAMP[0] in page.text
    assert page.text.count("Signed") == 1


@pytest.mark.parametrize("lines", [1, 3, 7])
def test_a_scan_under_a_stamp_is_unread_without_ocr(tmp_path: Path, lines: int) -> None:
    path = pictured_pdf(tmp_path / "a.pdf", SCAN, *STAMP[:lines])
    (page,) = read_pdf(path, max_pages=1, ocr=False)
    assert page.unread
    survey(path, tmp_path / "found.json", seconds=60, ocr=False)
    assert '"unread": [1]' in (tmp_path / "found.json").read_text(encoding="utf-8")


@pytest.mark.parametrize(("width", "lost"), [(120, True), (30, False)])
def test_a_picture_with_words_is_lost_if_it_is_no_logo(tmp_path: Path, width: float, lost: bool) -> None:
    (page,) = read_pdf(pictured_pdf(tmp_path / "a.pdf", SCAN, *STAMP, width=width), max_pages=1)
    assert not page.unread
    assert page.lost == ((Lost(LostWhat.PICTURE),) if lost else ())


def test_an_image_without_ink_under_text_is_nothing_unread(tmp_path: Path) -> None:
    (page,) = read_pdf(pictured_pdf(tmp_path / "a.pdf", "", *STAMP), max_pages=1, ocr=False)
    assert (page.unread, page.lost, page.warnings) == (False, (), ())
