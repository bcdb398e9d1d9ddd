"""PDFs that lie about their structure."""

import random
import re
import zlib

from tests.fuzz import seeds
from tests.fuzz.hostile import HEAVY, hostile
from tests.fuzz.raw_pdf import CATALOG, FONT, ONE_PAGE, PAGE, TEXT, flate, page_of, pdf, stream

NAME = "hostile.pdf"
NUMBERS = (
    b"0",
    b"-1",
    b"1",
    b"2147483647",
    b"-2147483648",
    b"4294967296",
    b"9" * 40,
    b"1e38",
    b".00000001",
    b"-",
    b"0.",
)
_NUMBER = re.compile(rb"(?<![\w.#/])-?\d+(?:\.\d+)?(?![\w.])")
_REFERENCE = re.compile(rb"\b\d+ 0 R")
_TAG = re.compile(rb"/[A-Za-z]+")


def _plain(chance: random.Random) -> bytes:
    return seeds.pdfs()[-3] if chance.random() < 0.5 else page_of(stream(TEXT))


def _some_replaced(chance: random.Random, content: bytes, pattern: re.Pattern[bytes], values: list[bytes]) -> bytes:
    found = list(pattern.finditer(content))
    for match in sorted(
        chance.sample(found, min(len(found), chance.choice((1, 2, 5, 20)))), key=lambda one: -one.start()
    ):
        content = content[: match.start()] + chance.choice(values) + content[match.end() :]
    return content


@hostile("pdf: numbers replaced", weight=4)
def numbers(chance: random.Random) -> tuple[str, bytes]:
    return NAME, _some_replaced(chance, _plain(chance), _NUMBER, list(NUMBERS))


@hostile("pdf: references exchanged", weight=4)
def references(chance: random.Random) -> tuple[str, bytes]:
    content = _plain(chance)
    return NAME, _some_replaced(chance, content, _REFERENCE, [b"%d 0 R" % chance.randrange(12) for _ in range(5)])


@hostile("pdf: names exchanged", weight=4)
def names(chance: random.Random) -> tuple[str, bytes]:
    content = _plain(chance)
    return NAME, _some_replaced(chance, content, _TAG, sorted(set(_TAG.findall(content))))


@hostile("pdf: a wrong number of pages")
def count(chance: random.Random) -> tuple[str, bytes]:
    claimed = chance.choice((b"1000000", b"2147483647", b"-1", b"9" * 20, b"0", b"[1]", b"2 0 R", b"4999"))
    kids = b"3 0 R " * chance.choice((0, 1, 3, 40))
    pages = b"<< /Type /Pages /Kids [" + kids + b"] /Count " + claimed + b" >>"
    return NAME, pdf(CATALOG, pages, PAGE, stream(TEXT), FONT)


@hostile("pdf: one page thousands of times", weight=HEAVY)
def repeated(chance: random.Random) -> tuple[str, bytes]:
    times = chance.choice((2_000, 6_000, 200_000))
    pages = b"<< /Type /Pages /Kids [" + b"3 0 R " * times + b"] /Count %d >>" % times
    return NAME, pdf(CATALOG, pages, PAGE, stream(TEXT), FONT)


@hostile("pdf: a page tree in circles")
def circles(chance: random.Random) -> tuple[str, bytes]:
    match chance.randrange(4):
        case 0:
            tree = [b"<< /Type /Pages /Kids [2 0 R 3 0 R] /Count 2 /Parent 2 0 R >>", PAGE]
        case 1:
            tree = [b"<< /Type /Pages /Kids [6 0 R] /Count 3 /Parent 6 0 R >>", PAGE]
        case 2:
            tree = [ONE_PAGE, PAGE.replace(b"/MediaBox [0 0 595 842]", b"").replace(b"2 0 R", b"3 0 R")]
        case _:
            tree = [ONE_PAGE.replace(b"/Kids", b"/Parent 6 0 R /Kids"), PAGE.replace(b"/MediaBox [0 0 595 842]", b"")]
    other = b"<< /Type /Pages /Kids [2 0 R 6 0 R 3 0 R] /Count 100 /Parent 2 0 R >>"
    return NAME, pdf(CATALOG, tree[0], tree[1], stream(TEXT), FONT, other)


@hostile("pdf: a page tree very deep", weight=0.3)
def deep_tree(chance: random.Random) -> tuple[str, bytes]:
    depth = chance.choice((50, 1_000, 20_000))
    nodes = [
        b"<< /Type /Pages /Kids [%d 0 R] /Count 1 /Parent %d 0 R >>" % (number + 1, max(2, number - 1))
        for number in range(6, 6 + depth)
    ]
    nodes[-1] = b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>"
    return NAME, pdf(CATALOG, b"<< /Type /Pages /Kids [6 0 R] /Count 1 >>", PAGE, stream(TEXT), FONT, *nodes)


@hostile("pdf: a stream of another length")
def lengths(chance: random.Random) -> tuple[str, bytes]:
    length = chance.choice((*NUMBERS, b"4 0 R", b"6 0 R", b"1000000", b"[4]", b"null"))
    content = stream(TEXT, length=length)
    return NAME, page_of(content, b"6 0 R")


def _packed(chance: random.Random, content: bytes) -> bytes:
    """The content under one or several filters, innermost last."""
    filters: list[bytes] = []
    for _ in range(chance.choice((1, 1, 2, 3))):
        if chance.random() < 0.7:
            content = zlib.compress(content, 9)
            filters.insert(0, b"/FlateDecode")
        elif len(content) < 5_000_000:
            content = content.hex().encode() + b">"
            filters.insert(0, b"/ASCIIHexDecode")
    return stream(content, b"/Filter [" + b" ".join(filters) + b"]")


@hostile("pdf: a stream that unpacks to hundreds of MB", weight=HEAVY)
def bombs(chance: random.Random) -> tuple[str, bytes]:
    filler = chance.choice((b" ", b"q ", b"0 0 m 9 9 l S ", b"(aaaaaaaa) Tj ", b"BT ET ", b"[", b"<<", b"\x00"))
    size = chance.choice((20, 100, 400)) << 20
    return NAME, page_of(_packed(chance, b"BT /F1 12 Tf " + filler * (size // len(filler))))


@hostile("pdf: filters on filters")
def filters(chance: random.Random) -> tuple[str, bytes]:
    names = [
        b"/FlateDecode",
        b"/ASCIIHexDecode",
        b"/LZWDecode",
        b"/RunLengthDecode",
        b"/ASCII85Decode",
        b"/DCTDecode",
        b"/JBIG2Decode",
        b"/CCITTFaxDecode",
        b"/JPXDecode",
        b"/Crypt",
        b"/None",
    ]
    chosen = b" ".join(chance.choices(names, k=chance.choice((1, 3, 40, 5_000))))
    parameters = chance.choice(
        (b"", b"/DecodeParms << /Predictor 15 /Columns 2147483647 /Colors 99 >>", b"/DecodeParms [null]")
    )
    content = chance.choice((zlib.compress(TEXT), TEXT.hex().encode() + b">", chance.randbytes(300)))
    return NAME, page_of(stream(content, b"/Filter [" + chosen + b"] " + parameters))


@hostile("pdf: arrays in arrays")
def nesting(chance: random.Random) -> tuple[str, bytes]:
    depth = chance.choice((100, 1_000, 100_000))
    opening, closing = chance.choice(((b"[", b"]"), (b"<< /A ", b" >>"), (b"(", b")"), (b"<", b">")))
    deep = opening * depth + closing * chance.choice((depth, 0))
    match chance.randrange(3):
        case 0:
            return NAME, page_of(stream(TEXT), deep, page=b"/Annots " + deep + b" ")
        case 1:
            return NAME, page_of(stream(b"BT /F1 12 Tf 72 720 Td " + deep + b" TJ ET"))
        case _:
            return NAME, pdf(CATALOG, ONE_PAGE, PAGE, stream(TEXT), FONT, trailer=b"/Root 1 0 R /Info " + deep)


@hostile("pdf: a table of objects that lies", weight=2)
def tables(chance: random.Random) -> tuple[str, bytes]:
    content = page_of(stream(TEXT))
    start = content.rindex(b"startxref")
    match chance.randrange(6):
        case 0:
            content = content[:start] + b"startxref\n" + chance.choice(NUMBERS) + b"\n%%EOF"
        case 1:
            place = content.rindex(b"xref\n0")
            content = content.replace(b"/Root 1 0 R", b"/Root 1 0 R /Prev %d" % place)
        case 2:
            content = content.replace(b"/Size 6", b"/Size " + chance.choice(NUMBERS))
        case 3:
            content = re.sub(rb"\d{10} 00000 n", lambda _: b"%010d 00000 n" % chance.randrange(len(content)), content)
        case 4:
            content = content.replace(b"xref\n0 6", b"xref\n0 " + chance.choice((b"1", b"999999999", b"-6")))
        case _:
            content = content.replace(
                b"/Root 1 0 R", b"/Root " + chance.choice((b"5 0 R", b"99 0 R", b"<< >>", b"1 0 R /XRefStm 9"))
            )
    return NAME, content


@hostile("pdf: objects in streams of objects", weight=2)
def object_streams(chance: random.Random) -> tuple[str, bytes]:
    inside = chance.choice((b"1 0 2 30 3 60 ", b"6 0 ", b"1 99999999 2 -5 ", b"1 0 " * 5_000))
    first, number = chance.choice((b"20", b"0", b"-1", b"99999999")), chance.choice((b"3", b"0", b"2147483647", b"-1"))
    extends = chance.choice((b"", b"/Extends 6 0 R"))
    packed = flate(
        inside + CATALOG + ONE_PAGE + PAGE, b"/Type /ObjStm /N " + number + b" /First " + first + b" " + extends
    )
    rows = b"".join(
        bytes((chance.randrange(4),)) + chance.randrange(1 << 16).to_bytes(2, "big") + bytes((chance.randrange(4),))
        for _ in range(8)
    )
    widths = chance.choice((b"[1 2 1]", b"[1 2 1]", b"[0 0 0]", b"[9 9 9]", b"[-1 2 1]", b"[1 2147483647 1]"))
    body = pdf(CATALOG, ONE_PAGE, PAGE, stream(TEXT), FONT, packed)
    index = b"/Index [" + chance.choice((b"0 8", b"0 2147483647", b"-5 8", b"0 1 0 1 0 1")) + b"]"
    start = len(body)
    body += b"7 0 obj\n" + flate(rows, b"/Type /XRef /Size 8 /Root 1 0 R /W " + widths + b" " + index) + b"\nendobj\n"
    return NAME, body + b"startxref\n%d\n%%%%EOF" % start


@hostile("pdf: a password nobody can give")
def passwords(chance: random.Random) -> tuple[str, bytes]:
    version, key = chance.choice((b"1", b"2", b"4", b"5", b"99")), chance.choice(NUMBERS)
    fields = b"/V " + version + b" /R " + chance.choice((b"2", b"3", b"4", b"6")) + b" /Length " + key
    encryption = b"<< /Filter /Standard " + fields + b" /P -4 /O (" + b"o" * 32 + b") /U (" + b"u" * 32 + b") >>"
    trailer = b"/Root 1 0 R /Encrypt 6 0 R /ID [<00> <00>]"
    return NAME, pdf(CATALOG, ONE_PAGE, PAGE, stream(TEXT), FONT, encryption, trailer=trailer)


@hostile("pdf: saved over and over")
def updates(chance: random.Random) -> tuple[str, bytes]:
    content = page_of(stream(TEXT))
    for _ in range(chance.choice((3, 50, 400))):
        prev = int(content[content.rindex(b"startxref") :].split()[1])
        place = len(content)
        content += b"4 0 obj\n" + stream(TEXT) + b"\nendobj\n"
        start = len(content)
        content += b"xref\n4 1\n%010d 00000 n \ntrailer\n<< /Size 6 /Root 1 0 R /Prev %d >>\n" % (place, prev)
        content += b"startxref\n%d\n%%%%EOF\n" % start
    return NAME, content
