"""Page pictures: drawn outside this process, kept, and refused where there is no page to show."""

import io
from pathlib import Path
from typing import Any

import pytest
from django.core.cache import caches
from django.core.files.storage import default_storage
from django.test import Client
from PIL import Image

from ingest.intake.upload import accept_upload, receive_path
from ingest.models import Job
from kb_project.errors import NotFound
from sources.files import storage
from sources.files.page_pictures import THUMBNAIL, WIDTH, WIDTHS, PagePicture, page_picture
from tests.extraction.pdf.making import english_pdf
from tests.factories import first_topic, upload_text

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def empty_cache() -> None:
    caches["pictures"].clear()


def upload_pdf(directory: Path, *pages: str) -> Job:
    path = english_pdf(directory / "ferry.pdf", *pages)
    return accept_upload(receive_path(path), topic=first_topic(), kind="law", metadata=None, by="test")


def picture_of(job: Job, number: int, *, width: int = WIDTH) -> PagePicture:
    return page_picture(job.stored_key, filename=job.filename, digest=job.content_sha256, number=number, width=width)


def dark_pixels(png: bytes) -> int:
    image = Image.open(io.BytesIO(png)).convert("L")
    return sum(image.histogram()[:128])


def test_a_page_is_a_picture_of_its_text(either_storage: str, tmp_path: Path) -> None:
    job = upload_pdf(tmp_path, "Ferry Rules 2031", "", "Rule 2. A ferry carries lamps.")
    first, blank = picture_of(job, 1), picture_of(job, 2)
    assert first.pages == 3
    image = Image.open(io.BytesIO(first.png))
    assert (image.format, image.width) == ("PNG", 1200)
    assert dark_pixels(first.png) > 100 > dark_pixels(blank.png) == 0


def test_a_picture_is_kept_for_each_width(tmp_path: Path) -> None:
    job = upload_pdf(tmp_path, "Ferry Rules 2031")
    for _ in range(2):
        widths = [Image.open(io.BytesIO(picture_of(job, 1, width=width).png)).width for width in WIDTHS]
        assert widths == list(WIDTHS)


def test_the_width_is_one_of_few_and_anything_else_is_refused(tmp_path: Path, admin_client: Client) -> None:
    job = upload_pdf(tmp_path, "Ferry Rules 2031")
    address = f"/admin/kb/jobs/{job.pk}/pages/1.png"
    answer = admin_client.get(address, {"width": THUMBNAIL})
    assert Image.open(io.BytesIO(answer.content)).width == THUMBNAIL
    assert Image.open(io.BytesIO(admin_client.get(address).content)).width == 1200
    for query in ({"width": 161}, {"width": ""}, {"width": "wide"}, {"height": 160}, {"width": [160, 160]}):
        assert admin_client.get(address, query).status_code == 400


@pytest.mark.parametrize("number", [0, 2, 10**30])
def test_a_page_that_is_not_there_says_so(number: int, tmp_path: Path) -> None:
    with pytest.raises(NotFound):
        picture_of(upload_pdf(tmp_path, "Ferry Rules 2031"), number)


def test_a_picture_is_drawn_once_and_not_shown_when_its_file_is_gone(tmp_path: Path) -> None:
    job = upload_pdf(tmp_path, "Ferry Rules 2031")
    drawn = picture_of(job, 1)
    with default_storage.open(job.file_key, "wb") as stored:
        stored.write(b"no longer a PDF")
    assert picture_of(job, 1) == drawn
    storage.delete(job.file_key)
    with pytest.raises(NotFound):
        picture_of(job, 1)


def test_a_text_has_no_pages_to_show(tmp_path: Path) -> None:
    job = upload_text(tmp_path)
    with pytest.raises(NotFound, match="PDF"):
        picture_of(job, 1)


@pytest.mark.parametrize("content", [b"%PDF-1.7\n" + bytes(range(256)) * 8, b"%PDF-1.7\n%%EOF", b""])
def test_a_broken_file_cannot_be_shown_and_harms_nobody(content: bytes, tmp_path: Path) -> None:
    job = upload_pdf(tmp_path, "Ferry Rules 2031")
    with default_storage.open(job.file_key, "wb") as stored:
        stored.write(content)
    with pytest.raises(NotFound):
        picture_of(job, 1)


def test_a_page_of_monstrous_size_is_drawn_small(tmp_path: Path, settings: Any) -> None:
    pdf = b"""%PDF-1.4
1 0 obj <</Type/Catalog/Pages 2 0 R>> endobj
2 0 obj <</Type/Pages/Kids[3 0 R]/Count 1>> endobj
3 0 obj <</Type/Page/Parent 2 0 R/MediaBox[0 0 10 14000]>> endobj
trailer <</Root 1 0 R>>
"""
    job = upload_pdf(tmp_path, "Ferry Rules 2031")
    with default_storage.open(job.file_key, "wb") as stored:
        stored.write(pdf)
    image = Image.open(io.BytesIO(picture_of(job, 1).png))
    assert image.height <= 3600
    assert image.width <= 1200
