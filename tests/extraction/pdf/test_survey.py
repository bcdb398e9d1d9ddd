"""The quick look at all pages tells the same pages as reading does."""

import json
from pathlib import Path

import pypdfium2 as pdfium
import pytest
from fpdf import FPDF

from extraction.document import ExtractionFailed
from extraction.isolation import survey_pages
from extraction.pdf.ocr import survey
from extraction.pdf.reader import read_pdf
from tests.extraction.pdf.making import english_pdf, image_pdf


def joined(target: Path, *parts: Path) -> Path:
    whole = pdfium.PdfDocument.new()
    for part in parts:
        whole.import_pages(pdfium.PdfDocument(part))
    whole.save(target)
    return target


def surveyed(path: Path, *, seconds: float = 60) -> dict[str, object]:
    target = path.with_suffix(".json")
    assert survey(path, target, seconds=seconds, ocr=False) == 5
    return dict(json.loads(target.read_text(encoding="utf-8")))


def test_a_pdf_under_a_password_is_called_so(tmp_path: Path) -> None:
    locked = FPDF()
    locked.add_page()
    locked.set_encryption(owner_password="owner", user_password="secret")
    locked.output(str(tmp_path / "locked.pdf"))
    with pytest.raises(ExtractionFailed) as refused:
        survey(tmp_path / "locked.pdf", tmp_path / "survey.json", seconds=60)
    assert refused.value.code == "encrypted"


def test_pages_whose_text_is_an_image_are_told_as_reading_tells_them(tmp_path: Path) -> None:
    text = english_pdf(tmp_path / "text.pdf", "1. A library lends books to whoever lives in the town.", "")
    image = image_pdf(tmp_path / "image.pdf", "2. A reader pays nothing.")
    mixed = joined(
        tmp_path / "mixed.pdf", text, image, image, english_pdf(tmp_path / "last.pdf", "3. It is open daily.")
    )
    assert surveyed(mixed) == {"pages": 5, "looked_at": 5, "unread": [3, 4]}
    assert surveyed(mixed, seconds=0) == {"pages": 5, "looked_at": 0, "unread": []}
    assert [page.number for page in read_pdf(mixed, max_pages=10, ocr=False) if page.unread] == [3, 4]


def test_in_readers_process_a_file_that_is_no_pdf_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "torn.pdf"
    path.write_bytes(b"%PDF-1.7\nnothing")
    with pytest.raises(ExtractionFailed) as refusal:
        survey_pages(path, tmp_path / "found.json")
    assert refusal.value.code == "corrupt"
