"""PDFs written object by object, so that any of them can lie."""

import zlib

CATALOG = b"<< /Type /Catalog /Pages 2 0 R >>"
ONE_PAGE = b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>"
PAGE = b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>"
FONT = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"
TEXT = b"BT /F1 12 Tf 72 720 Td (Section 1. The bank pays interest.) Tj ET"


def stream(content: bytes, extra: bytes = b"", *, length: bytes | None = None) -> bytes:
    """A stream object; `length` is what it claims, where that is not the truth."""
    claimed = str(len(content)).encode() if length is None else length
    return b"<< /Length " + claimed + b" " + extra + b" >>\nstream\n" + content + b"\nendstream"


def flate(content: bytes, extra: bytes = b"") -> bytes:
    return stream(zlib.compress(content, 9), b"/Filter /FlateDecode " + extra)


def pdf(*objects: bytes, trailer: bytes = b"/Root 1 0 R", size: int | None = None) -> bytes:
    """The objects numbered from 1, with a right table of where they are; `trailer` is what stands beside its size."""
    out = bytearray(b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n")
    places = []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n" % number + body + b"\nendobj\n"
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    for place in places:
        out += b"%010d 00000 n \n" % place
    count = len(objects) + 1 if size is None else size
    out += b"trailer\n<< /Size %d " % count + trailer + b" >>\nstartxref\n%d\n%%%%EOF\n" % start
    return bytes(out)


def page_of(content: bytes, *more: bytes, resources: bytes = b"/Font << /F1 5 0 R >>", page: bytes = b"") -> bytes:
    """A document of one page that draws the content; the objects `more` are numbered from 6."""
    head = b"<< /Type /Page /Parent 2 0 R /Contents 4 0 R /Resources << " + resources + b" >> "
    box = b"" if b"MediaBox" in page else b"/MediaBox [0 0 595 842] "
    return pdf(CATALOG, ONE_PAGE, head + box + page + b">>", content, FONT, *more)
