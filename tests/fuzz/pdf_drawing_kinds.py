"""PDFs that draw what no page does: letters, lines, forms, pictures and fonts."""

import random

from tests.fuzz.hostile import HEAVY, hostile
from tests.fuzz.pdf_kinds import NAME, NUMBERS
from tests.fuzz.raw_pdf import TEXT, flate, page_of, stream


@hostile("pdf: a page of impossible size")
def boxes(chance: random.Random) -> tuple[str, bytes]:
    edges = b" ".join(
        chance.choice((*NUMBERS, b"595", b"842", b"(a)", b"null")) for _ in range(chance.choice((4, 4, 3, 9)))
    )
    turn = chance.choice(
        (b"", b"/Rotate 90", b"/Rotate 45", b"/Rotate 9999999999", b"/UserUnit 1e30", b"/CropBox [0 0 0 0]")
    )
    return NAME, page_of(stream(TEXT), page=b"/MediaBox [" + edges + b"] " + turn)


@hostile("pdf: forms that draw themselves or each other")
def forms(chance: random.Random) -> tuple[str, bytes]:
    head = b"/Type /XObject /Subtype /Form /BBox [0 0 595 842] "
    if chance.random() < 0.3:
        own = stream(b"/X Do " + TEXT, head + b"/Resources << /XObject << /X 6 0 R >> /Font << /F1 5 0 R >> >>")
        return NAME, page_of(stream(b"/X Do"), own, resources=b"/XObject << /X 6 0 R >>")
    levels = chance.choice((3, 8, 20, 60))
    chain = [
        stream(b"/X Do " * 2, head + b"/Resources << /XObject << /X %d 0 R >> >>" % (number + 1))
        for number in range(6, 6 + levels)
    ]
    last = stream(TEXT + b" 0 0 m 99 99 l S", head + b"/Resources << /Font << /F1 5 0 R >> >>")
    return NAME, page_of(stream(b"/X Do"), *chain, last, resources=b"/XObject << /X 6 0 R >>")


@hostile("pdf: a page full of lines", weight=0.3)
def rulings(chance: random.Random) -> tuple[str, bytes]:
    count = chance.choice((200, 3_000, 60_000))
    drawn = []
    for _ in range(count):
        x, y, length = chance.randrange(600), chance.randrange(850), chance.choice((2, 20, 500))
        width, height = (length, 0) if chance.random() < 0.5 else (0, length)
        drawn.append(b"%d %d m %d %d l S" % (x, y, x + width, y + height))
    hebrew = (
        b"BT /F1 9 Tf " + b" ".join(b"1 0 0 1 %d %d Tm (ab) Tj" % _place(chance) for _ in range(count // 10)) + b" ET"
    )
    return _hebrew_page(flate(b"\n".join(drawn) + b" " + hebrew))


def _place(chance: random.Random) -> tuple[int, int]:
    return chance.randrange(-50, 650), chance.randrange(-50, 900)


def _hebrew_letters(mapping: bytes = b"<05D0>") -> bytes:
    """A ToUnicode map: a is alef, and so on."""
    return flate(
        b"/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /X def\n"
        b"1 begincodespacerange <00> <FF> endcodespacerange\n1 beginbfrange <61> <7A> " + mapping + b" endbfrange\n"
        b"endcmap end end"
    )


def _hebrew_page(content: bytes, *, mapping: bytes = b"<05D0>", font: bytes = b"") -> tuple[str, bytes]:
    face = b"<< /Type /Font /Subtype /TrueType /BaseFont /Arial /FirstChar 97 /LastChar 122 /ToUnicode 6 0 R "
    face += font or b"/Widths [" + b"500 " * 26 + b"]"
    return NAME, page_of(content, _hebrew_letters(mapping), face + b" >>", resources=b"/Font << /F1 7 0 R >>")


@hostile("pdf: letters strewn over the page", weight=2)
def strewn(chance: random.Random) -> tuple[str, bytes]:
    shown = []
    for _ in range(chance.choice((5, 100, 3_000, 20_000) if chance.random() < 0.2 else (5, 50, 300))):
        word = bytes(
            chance.choice(b"abcdefghijklmnopqrstuvwxyz()[]0123456789.,\"' ") for _ in range(chance.randint(1, 9))
        )
        word = word.replace(b"(", b"\\(").replace(b")", b"\\)")
        turn = chance.choice(
            (b"1 0 0 1", b"1 0 0 1", b"0 1 -1 0", b"-1 0 0 1", b"1e-9 0 0 1", b"99999 0 0 1", b".7 .7 -.7 .7")
        )
        size = chance.choice((b"9", b"11", b"0", b"-8", b"1e9", b"0.001"))
        x, y = _place(chance)
        shown.append(b"/F1 %s Tf %s %d %d Tm (%s) Tj" % (size, turn, x, y, word))
    return _hebrew_page(flate(b"BT " + b"\n".join(shown) + b" ET"))


@hostile("pdf: a page of very much text", weight=HEAVY)
def crowded(chance: random.Random) -> tuple[str, bytes]:
    letters = b"(abcdefghij klmnop) Tj " if chance.random() < 0.5 else b"(a) Tj 3 0 Td "
    body = b"BT /F1 8 Tf 72 720 Td " + letters * chance.choice((2_000, 20_000, 150_000)) + b" ET"
    return _hebrew_page(flate(body))


@hostile("pdf: letters that stand for strange ones", weight=2)
def mappings(chance: random.Random) -> tuple[str, bytes]:
    strange = (
        "D800",
        "DC00",
        "0000",
        "FFFE",
        "FFFF",
        "202E",
        "2066",
        "05D0" * 200,
        "0300",
        "E000",
        "D83DDE00",
        "",
        "1F",
        "000A",
    )
    mapping = b"[" + b" ".join(f"<{chance.choice(strange)}>".encode() for _ in range(26)) + b"]"
    font = chance.choice(
        (b"", b"/Widths [9e9 -500 0]", b"/FontDescriptor 7 0 R", b"/FontMatrix [0 0 0 0 0 0]", b"/Widths 7 0 R")
    )
    words = b"BT /F1 12 Tf 300 700 Td (abc def ghijklm) Tj 0 -20 Td (nopq rstuvw xyz) Tj ET"
    return _hebrew_page(stream(words), mapping=mapping, font=font)


@hostile("pdf: pictures of impossible size")
def pictures(chance: random.Random) -> tuple[str, bytes]:
    width, height = chance.choice(NUMBERS[:7]), chance.choice((*NUMBERS[:7], b"30000"))
    space = chance.choice((b"/DeviceRGB", b"/DeviceGray", b"[/Indexed /DeviceRGB 255 7 0 R]", b"[/ICCBased 6 0 R]"))
    code = chance.choice(
        (b"", b"/Filter /FlateDecode", b"/Filter /DCTDecode", b"/Filter /JPXDecode", b"/Filter /JBIG2Decode")
    )
    head = b"/Type /XObject /Subtype /Image /Width " + width + b" /Height " + height + b" /BitsPerComponent "
    picture = stream(chance.randbytes(200), head + chance.choice((b"8", b"1", b"99")) + b" /ColorSpace " + space + code)
    return NAME, page_of(stream(b"q 595 0 0 842 0 0 cm /I Do Q"), picture, resources=b"/XObject << /I 6 0 R >>")


@hostile("pdf: patterns and shadings in circles")
def patterns(chance: random.Random) -> tuple[str, bytes]:
    own = b"/Resources << /Pattern << /P 6 0 R >> /Font << /F1 5 0 R >> >>"
    tile = b"/Type /Pattern /PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 1 1] /XStep %s /YStep %s " % (
        chance.choice(NUMBERS),
        chance.choice(NUMBERS),
    )
    fill = b"/Pattern cs /P scn 0 0 600 800 re f "
    return NAME, page_of(stream(fill + TEXT), stream(fill, tile + own), resources=own[len(b"/Resources << ") : -3])


@hostile("pdf: fonts whose letters are drawings of themselves")
def type3(chance: random.Random) -> tuple[str, bytes]:
    font = (
        b"<< /Type /Font /Subtype /Type3 /FontBBox [0 0 1 1] /FontMatrix [1 0 0 1 0 0] /CharProcs << /a 6 0 R >> "
        b"/Encoding << /Differences [97 /a] >> /FirstChar 97 /LastChar 97 /Widths [%s] "
        b"/Resources << /Font << /F1 7 0 R >> >> >>" % chance.choice(NUMBERS)
    )
    letter = stream(b"BT /F1 1 Tf (aaa) Tj ET")
    return NAME, page_of(stream(b"BT /F1 9 Tf (aaaa) Tj ET"), letter, font, resources=b"/Font << /F1 7 0 R >>")
