"""What lies over a page: values of form fields and typed notes, which are read, and what is seen and not read."""

import ctypes
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c

from extraction.document import LostWhat, characters_of
from extraction.pdf.glyphs.model import BoundingBox
from extraction.text.encodings import decoded

MAX_ANNOTATIONS = 5_000  # of one page
MAX_BYTES = 1 << 20  # of one value
TICKED = "☑"
_HIDDEN = pdfium_c.FPDF_ANNOT_FLAG_HIDDEN | pdfium_c.FPDF_ANNOT_FLAG_NOVIEW
_WITHOUT_TEXT = (pdfium_c.FPDF_ANNOT_LINK, pdfium_c.FPDF_ANNOT_POPUP)
_COVERING = (pdfium_c.FPDF_ANNOT_SQUARE, pdfium_c.FPDF_ANNOT_REDACT)
_TICKS = (pdfium_c.FPDF_FORMFIELD_CHECKBOX, pdfium_c.FPDF_FORMFIELD_RADIOBUTTON)
_TYPED = (
    pdfium_c.FPDF_FORMFIELD_TEXTFIELD,
    pdfium_c.FPDF_FORMFIELD_COMBOBOX,
    pdfium_c.FPDF_FORMFIELD_LISTBOX,
    pdfium_c.FPDF_FORMFIELD_UNKNOWN,
)


@dataclass(frozen=True, slots=True)
class Typed:
    """A text over the page, in the page's own frame."""

    text: str
    box: BoundingBox


@dataclass(slots=True)
class Annotations:
    """`lost` counts the characters of what is not among `typed`. `files` are the names of those pinned to the page.

    `covers` are the places of those that may be filled.
    """

    typed: list[Typed] = field(default_factory=list)
    lost: dict[LostWhat, int] = field(default_factory=dict)
    files: list[str] = field(default_factory=list)
    covers: list[BoundingBox] = field(default_factory=list)

    def lose(self, what: LostWhat, text: str = "") -> None:
        self.lost[what] = self.lost.get(what, 0) + characters_of(text)


def annotations(page: pdfium.PdfPage) -> Annotations:
    """What is over the page. Of forms all is known if the document had `init_forms` before the page was opened."""
    found = Annotations()
    form = page.formenv.raw if page.formenv else None
    for annotation in _all_of(page):
        _read(annotation, form, found)
    return found


def files_of_document(document: pdfium.PdfDocument) -> Iterator[Any]:
    """PDFium's handles of the files inside of the document, such as the documents of a portfolio."""
    for number in range(min(MAX_ANNOTATIONS, pdfium_c.FPDFDoc_GetAttachmentCount(document.raw))):
        if file := pdfium_c.FPDFDoc_GetAttachment(document.raw, number):
            yield file


def pinned_files(page: pdfium.PdfPage) -> Iterator[Any]:
    """PDFium's handles of the files that are pinned to the page."""
    for annotation in _all_of(page):
        if file := pdfium_c.FPDFAnnot_GetFileAttachment(annotation):
            yield file


def name_of(file: Any) -> str:
    """The name of a file on one line. What is not said to be Unicode may be in the code page of the machine."""
    name = _text(pdfium_c.FPDFAttachment_GetName, file)
    with suppress(UnicodeEncodeError):
        name = decoded(name.encode("latin-1"))
    return " ".join(name.split())


def has_fields(page: pdfium.PdfPage) -> bool:
    """Whether there is a field of a form on the page."""
    subtypes = map(pdfium_c.FPDFAnnot_GetSubtype, _all_of(page))
    return pdfium_c.FPDF_ANNOT_WIDGET in subtypes


def _all_of(page: pdfium.PdfPage) -> Iterator[Any]:
    """The annotations of the page. Each is open until the next is asked for."""
    for number in range(min(MAX_ANNOTATIONS, pdfium_c.FPDFPage_GetAnnotCount(page.raw))):
        if annotation := pdfium_c.FPDFPage_GetAnnot(page.raw, number):
            try:
                yield annotation
            finally:
                pdfium_c.FPDFPage_CloseAnnot(annotation)


def _read(annotation: Any, form: Any, found: Annotations) -> None:
    kind = pdfium_c.FPDFAnnot_GetSubtype(annotation)
    if kind in _WITHOUT_TEXT:
        return
    if kind in _COVERING:
        found.covers.append(_box(annotation))
    if kind == pdfium_c.FPDF_ANNOT_FILEATTACHMENT:
        found.lose(LostWhat.ATTACHMENT)
        file = pdfium_c.FPDFAnnot_GetFileAttachment(annotation)
        found.files += [name_of(file)] if file else []
    is_field = kind == pdfium_c.FPDF_ANNOT_WIDGET
    text = (_value(annotation, form) if is_field else _string(annotation, "Contents")).strip()
    if not text:
        if _draws_text(annotation) and (kind == pdfium_c.FPDF_ANNOT_STAMP or _is_signature(annotation, form)):
            found.lose(LostWhat.NOTE)
    elif pdfium_c.FPDFAnnot_GetFlags(annotation) & _HIDDEN:
        found.lose(LostWhat.HIDDEN, text)
    elif is_field or kind == pdfium_c.FPDF_ANNOT_FREETEXT:
        found.typed.append(Typed(text, _box(annotation)))
    else:
        found.lose(LostWhat.NOTE, text)


def _value(annotation: Any, form: Any) -> str:
    """What is typed, chosen or ticked."""
    if form is None:
        return _string(annotation, "V")
    kind = pdfium_c.FPDFAnnot_GetFormFieldType(form, annotation)
    if kind in _TICKS:
        return TICKED if pdfium_c.FPDFAnnot_IsChecked(form, annotation) else ""
    if kind not in _TYPED:
        return ""
    chosen = [
        _text(pdfium_c.FPDFAnnot_GetOptionLabel, form, annotation, option)
        for option in range(max(0, pdfium_c.FPDFAnnot_GetOptionCount(form, annotation)))
        if pdfium_c.FPDFAnnot_IsOptionSelected(form, annotation, option)
    ]
    return ", ".join(chosen) or _text(pdfium_c.FPDFAnnot_GetFormFieldValue, form, annotation)


def _is_signature(annotation: Any, form: Any) -> bool:
    return bool(form) and (pdfium_c.FPDFAnnot_GetFormFieldType(form, annotation) == pdfium_c.FPDF_FORMFIELD_SIGNATURE)


def _draws_text(annotation: Any) -> bool:
    """Whether its appearance has text, or another picture in which there may be some."""
    appearance = _text(pdfium_c.FPDFAnnot_GetAP, annotation, 0)
    return any(operator in appearance.split() for operator in ("Tj", "TJ", "Do"))


def _box(annotation: Any) -> BoundingBox:
    rectangle = pdfium_c.FS_RECTF()
    pdfium_c.FPDFAnnot_GetRect(annotation, rectangle)
    return BoundingBox(rectangle.left, rectangle.bottom, rectangle.right, rectangle.top)


def _string(annotation: Any, key: str) -> str:
    return _text(pdfium_c.FPDFAnnot_GetStringValue, annotation, key.encode())


def _text(get: Any, *arguments: Any) -> str:
    """What a function of PDFium writes as UTF-16, with two zeros behind it."""
    size = get(*arguments, None, 0)
    if not 2 < size <= MAX_BYTES:
        return ""
    buffer = ctypes.create_string_buffer(size)
    get(*arguments, ctypes.cast(buffer, ctypes.POINTER(ctypes.c_ushort)), size)
    return buffer.raw[: size - 2].decode("utf-16-le", "replace")
