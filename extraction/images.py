"""Scans that come as TIFF, JPEG or PNG: each image becomes a page of a PDF, and is read, drawn and looked at as one."""

from __future__ import annotations

import io
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pypdfium2 as pdfium
from PIL import Image, ImageOps, ImageSequence

from extraction.document import ExtractionFailed, Losses, LostWhat, characters_of
from extraction.formats import begins_as_image

MAX_PIXELS = 120_000_000  # of an image: a sheet of A3 at 600 dots per inch has 70 million
KEPT_PIXELS = 25_000_000  # OCR looks at no more of a page
MAX_BYTES = 200 << 20  # of all pages together, packed
MAX_PAGES = 5_000
LOWEST_DPI, HIGHEST_DPI = 100, 1_200  # what cameras and screens say of themselves is less, and says nothing of paper
A4_INCHES = 11.7
POINTS_PER_INCH = 72
QUALITY = 90
UNEVEN = 1.05  # dots are wider than high, as those of a fax
SMALL_COPY = 1  # the bit by which TIFF marks a page as a preview of another
MAX_OF_CAMERAS_LENGTH = 40  # characters. What cameras and programs write of themselves is shorter.
_SUBFILE, _DESCRIPTION, _USER_COMMENT, _EXIF, _ORIENTATION = 254, 0x010E, 0x9286, 0x8769, 0x0112
_ON_ITS_SIDE = frozenset({5, 6, 7, 8})
_DAMAGED = (OSError, ValueError, SyntaxError, ArithmeticError, LookupError, TypeError, AttributeError, EOFError)


def is_image(path: str | Path) -> bool:
    """Whether the file is an image that is read."""
    with Path(path).open("rb") as file:
        return begins_as_image(file.read(16)) is not None


def open_image(path: str | Path, *, only: int | None = None) -> pdfium.PdfDocument:
    """The images of the file as pages of a document, for the caller to close. With `only` the others stay blank.

    Raises ExtractionFailed with code corrupt, too_large or too_many_pages. One damaged image spoils the file.
    """
    document, size = pdfium.PdfDocument.new(), 0
    with _opened(path) as file:
        for number, frame in enumerate(_pages(file), 1):
            if number > MAX_PAGES:
                raise ExtractionFailed("too_many_pages", f"The image file has more than {MAX_PAGES} pages.")
            size += _add(document, frame, blank=only not in (None, number))
            if size > MAX_BYTES:
                raise ExtractionFailed(
                    "too_large", f"The images take more than {MAX_BYTES >> 20} MB. Send them in parts."
                )
    return document


def lost_beside(path: str | Path) -> Losses:
    """What is written into the file beside the picture: descriptions and comments."""
    losses = Losses()
    with _opened(path) as file:
        exif = file.getexif()
        said = [exif.get(_DESCRIPTION), exif.get_ifd(_EXIF).get(_USER_COMMENT), file.info.get("comment")]
        said += [file.info.get(name) for name in ("Title", "Description", "Comment")]
        texts = dict.fromkeys(
            text.decode("utf-8", "ignore") if isinstance(text, bytes) else str(text or "") for text in said
        )
        for text in texts:
            characters = characters_of(text.replace("\0", ""))
            losses.add(LostWhat.NOTE, characters if characters > MAX_OF_CAMERAS_LENGTH else 0)
        if file.format == "PNG" and getattr(file, "n_frames", 1) > 1:
            losses.add(LostWhat.PICTURE)
    return losses


@contextmanager
def _opened(path: str | Path) -> Iterator[Image.Image]:
    """The image file. What Pillow raises of a damaged one becomes a refusal."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with Image.open(path) as file:
                yield file
    except Image.DecompressionBombError as error:
        raise _too_many_pixels() from error
    except _DAMAGED as error:
        raise ExtractionFailed("corrupt", "The image is damaged or was cut off on its way. Upload it again.") from error


def _pages(file: Image.Image) -> Iterator[Image.Image]:
    """The images that are pages. Only TIFF has several, and previews among them."""
    if file.format != "TIFF":
        yield file
        return
    for frame in ImageSequence.Iterator(file):
        subfile = frame.tag_v2.get(_SUBFILE, 0)  # type: ignore[attr-defined]
        if not (isinstance(subfile, int) and subfile & SMALL_COPY):
            yield frame


def _add(document: pdfium.PdfDocument, frame: Image.Image, *, blank: bool) -> int:
    """Add a page. Returns the bytes that it takes."""
    width, height = frame.size
    if width * height > MAX_PIXELS:
        raise _too_many_pixels()
    if blank:
        document.new_page(A4_INCHES * POINTS_PER_INCH, A4_INCHES * POINTS_PER_INCH)
        return 0
    across, down = _dots(frame)
    inches = width / across, height / down
    if frame.getexif().get(_ORIENTATION, 1) in _ON_ITS_SIDE:
        inches = inches[1], inches[0]
    frame.draft("RGB", _within(width, height, KEPT_PIXELS))
    picture = _plain(ImageOps.exif_transpose(frame))
    dots = max(picture.width / inches[0], picture.height / inches[1])
    even = round(inches[0] * dots), round(inches[1] * dots)
    if max(even[0] / picture.width, even[1] / picture.height) < UNEVEN:
        even = picture.size
    kept = _within(*even, KEPT_PIXELS)
    if kept != picture.size:
        picture = picture.resize(kept, Image.Resampling.LANCZOS)
    packed = io.BytesIO()
    picture.save(packed, "JPEG", quality=QUALITY)
    size = packed.tell()
    page_width, page_height = (side * POINTS_PER_INCH for side in inches)
    image = pdfium.PdfImage.new(document)
    packed.seek(0)
    image.load_jpeg(packed, inline=True)
    image.set_matrix(pdfium.PdfMatrix().scale(page_width, page_height))
    page = document.new_page(page_width, page_height)
    page.insert_obj(image)
    page.gen_content()
    page.close()
    return size


def _dots(frame: Image.Image) -> tuple[float, float]:
    """Dots per inch. An image that does not say what paper it was is taken to be as high or wide as A4."""
    across, down = (float(one) for one in frame.info.get("dpi", (0, 0)))
    if LOWEST_DPI <= across <= HIGHEST_DPI and (LOWEST_DPI / 2 <= down <= HIGHEST_DPI):
        return across, down
    fitting = max(frame.size) / A4_INCHES
    return fitting, fitting


def _within(width: int, height: int, pixels: int) -> tuple[int, int]:
    scale = min(1.0, (pixels / max(1, width * height)) ** 0.5)
    return max(1, int(width * scale)), max(1, int(height * scale))


def _plain(picture: Image.Image) -> Image.Image:
    """The image in grey or in colours, on white paper where it is transparent."""
    if picture.mode.startswith("I") or picture.mode == "F":
        highest = float(picture.getextrema()[1])  # type: ignore[arg-type]
        scale = 255 / highest if highest > 255 else 1.0
        return picture.convert("F").point(lambda value: value * scale).convert("L")
    if picture.mode in {"L", "1"}:
        return picture.convert("L")
    if "A" in picture.getbands() or "transparency" in picture.info:
        drawn = picture.convert("RGBA")
        paper = Image.new("RGBA", drawn.size, "white")
        paper.alpha_composite(drawn)
        return paper.convert("RGB")
    return picture.convert("RGB")


def _too_many_pixels() -> ExtractionFailed:
    most = MAX_PIXELS // 1_000_000
    return ExtractionFailed(
        "too_large", f"The image has more than {most} million pixels. Scan it with fewer and upload it again."
    )
