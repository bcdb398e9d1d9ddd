"""A page that the reader pool reads when it starts, so that no reader pays for what the first page of a process costs.

That is: patterns and character tables that are made on first use, buffers, and PDFium's search for the machine's fonts.
"""

from __future__ import annotations

import contextlib
from pathlib import Path
from tempfile import NamedTemporaryFile

from sources.extraction import extract
from sources.extraction.document import ExtractionFailed, Page

_LETTERS = range(0x5D0, 0x5EB)  # alef to tav, in the order of the glyphs' names from afii57664 on
_FIRST_CODE, _FIRST_NAME = 0xE0, 57664
# The file holds neither font. PDFium has a copy of the first and looks for the second on the machine.
_FONTS = ("Helvetica", "Times-NewRoman-Hebrew")
_LINES = (
    '1. Fees (of 1,250.50) are due on 31/12/2024, as the "Authority" says; 5% - or more.',
    ".\u05d1\u05d2\u05d3\u05d4 (\u05d0) \u05e3\u05d9\u05e2\u05e1 .1",
    "".join(map(chr, _LETTERS)),
)


def read_sample_page() -> list[Page]:
    """Read the page. Returns the pages that were read, none where reading failed."""
    with contextlib.suppress(OSError, ExtractionFailed), NamedTemporaryFile(prefix="kb-page-", suffix=".pdf") as file:
        file.write(_pdf())
        file.flush()
        return list(extract(Path(file.name)))
    return []


def _pdf() -> bytes:
    """A file with both fonts, their upper half Hebrew, each line set in either, and a table's rules."""
    names = " ".join(f"/afii{_FIRST_NAME + place}" for place in range(len(_LETTERS)))
    shown = " ".join(
        f"BT /F{font} 12 Tf 72 {760 - 40 * row - 15 * font} Td ({_coded(line)}) Tj ET"
        for row, line in enumerate(_LINES)
        for font in range(len(_FONTS))
    )
    rules = "72 500 200 40 re S 72 520 m 272 520 l S 172 500 m 172 540 l S"
    content = f"{shown} {rules}".encode("latin-1")
    resources = " ".join(f"/F{font} {5 + font} 0 R" for font in range(len(_FONTS)))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << %s >> >> >>"
        % resources.encode(),
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content),
        *(
            f"<< /Type /Font /Subtype /Type1 /BaseFont /{font} "
            f"/Encoding << /Differences [{_FIRST_CODE} {names}] >> >>".encode()
            for font in _FONTS
        ),
    ]
    body = b"".join(b"%d 0 obj\n%s\nendobj\n" % (number, one) for number, one in enumerate(objects, 1))
    return b"%PDF-1.4\n" + body + b"trailer << /Root 1 0 R /Size %d >>\n%%%%EOF\n" % (len(objects) + 1)


def _coded(line: str) -> str:
    """In the fonts' encoding, and escaped."""
    coded = "".join(chr(ord(char) - _LETTERS[0] + _FIRST_CODE) if ord(char) in _LETTERS else char for char in line)
    return coded.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
