"""Scans as images: every kind is read by OCR, refused without it, and bounded."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image, ImageDraw, ImageFont

from extraction import ExtractionFailed, extract
from extraction.document import LostWhat, TextOrigin
from extraction.pdf.page_view import draw_page
from extraction.pdf.tesseract import available
from tests.extraction.pdf.making import hebrew_font

SENTENCE = "The keeper of the northern bridge counts every lantern twice"
needs_ocr = pytest.mark.skipif(not available(), reason="Tesseract with Hebrew is not installed")


def scan(mode: str = "RGB", text: str = SENTENCE) -> Image.Image:
    drawn = Image.new("RGB", (1654, 500), "white")
    ImageDraw.Draw(drawn).text((120, 200), text, fill="black", font=ImageFont.truetype(str(hebrew_font()), 44))
    return drawn.convert(mode)


def turned(path: Path) -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    scan().rotate(90, expand=True).save(path, exif=exif)


IMAGES: dict[str, Callable[[Path], object]] = {
    "a.png": lambda path: scan().save(path),
    "palette.png": lambda path: scan("P").save(path),
    "transparent.png": lambda path: scan("LA").save(path),
    "cmyk.jpg": lambda path: scan("CMYK").save(path),
    "turned.jpg": turned,
    "fax.tif": lambda path: scan("1").resize((1654, 250)).save(path, compression="group4", dpi=(204, 98)),
}


@needs_ocr
@pytest.mark.parametrize("name", ["a.png", *(pytest.param(name, marks=pytest.mark.deep) for name in [*IMAGES][1:])])
def test_a_sentence_in_an_image_is_read(tmp_path: Path, name: str) -> None:
    IMAGES[name](tmp_path / name)
    [page] = extract(tmp_path / name)
    assert (SENTENCE in page.text, page.origin, page.number) == (True, TextOrigin.OCR, 1)


@needs_ocr
def test_each_image_of_a_tiff_is_a_page(tmp_path: Path) -> None:
    path = tmp_path / "a.tiff"
    scan("1").save(path, save_all=True, append_images=[scan("1", "A second page of lanterns")], dpi=(200, 200))
    assert [(page.number, "lantern" in page.text) for page in extract(path)] == [(1, True), (2, True)]
    assert draw_page(path, tmp_path / "page.png", number=2, width=200) == 2
    assert Image.open(tmp_path / "page.png").width == 200


@needs_ocr
def test_what_is_written_beside_the_picture_is_told_to_be_lost(tmp_path: Path) -> None:
    exif = Image.Exif()
    exif[0x010E] = SENTENCE
    scan(text="Begin.").save(tmp_path / "a.jpg", exif=exif)
    [page] = extract(tmp_path / "a.jpg")
    assert [one.what for one in page.lost] == [LostWhat.NOTE]


def test_without_ocr_an_image_is_refused_as_a_scanned_pdf_is(tmp_path: Path) -> None:
    scan().save(tmp_path / "a.png")
    with pytest.raises(ExtractionFailed) as caught:
        list(extract(tmp_path / "a.png", ocr=False))
    assert caught.value.code == "no_text_layer"


@pytest.mark.parametrize("name", ["a.png", "cmyk.jpg", "fax.tif"])
def test_an_image_that_was_cut_off_is_corrupt(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    IMAGES[name](path)
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    with pytest.raises(ExtractionFailed) as caught:
        list(extract(path))
    assert caught.value.code == "corrupt"


def test_an_image_of_too_many_pixels_is_refused_before_it_is_unpacked(tmp_path: Path) -> None:
    Image.new("1", (20_000, 9_000)).save(tmp_path / "a.png")
    with pytest.raises(ExtractionFailed) as caught:
        list(extract(tmp_path / "a.png"))
    assert caught.value.code == "too_large"
