"""Documents of offices, messages and Akoma Ntoso that are spoilt, nested without end, or say more than they hold."""

import functools
import random
import tempfile
import zipfile
from io import BytesIO
from pathlib import Path

from tests.extraction.compound import Tree, compound
from tests.extraction.offices import mail, pptx_file, xlsx_file
from tests.fuzz import seeds
from tests.fuzz.hostile import HEAVY, hostile

ODT, RTF, EML, AKN = "hostile.odt", "hostile.rtf", "hostile.eml", "hostile.xml"
MBOX, MSG, FODT = "hostile.mbox", "hostile.msg", "hostile.fodt"
XLSX, PPTX = "hostile.xlsx", "hostile.pptx"
_SHEET, _SLIDE = "xl/worksheets/sheet1.xml", "ppt/slides/slide1.xml"
_NAMESPACES = " ".join(
    f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"' for name in ("office", "text", "table", "style")
)
_AKN = '<akomaNtoso xmlns="http://docs.oasis-open.org/legaldocml/ns/akn/3.0"><act><body>{}</body></act></akomaNtoso>'


def odt(body: str) -> bytes:
    made = BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.text", zipfile.ZIP_STORED)
        content = f"<office:document-content {_NAMESPACES}><office:body><office:text>{body}</office:text></office:body>"
        archive.writestr("content.xml", f"{content}</office:document-content>")
        archive.writestr("styles.xml", f"<office:document-styles {_NAMESPACES}/>")
        archive.writestr("META-INF/manifest.xml", "<manifest/>")
    return made.getvalue()


def good(name: str) -> bytes:
    """A sound file of the format, made of sentences of ours."""
    lines = seeds.LAW.splitlines()
    if name == ODT:
        return odt("".join(f"<text:p>{line}</text:p>" for line in lines))
    if name == RTF:
        letters = "".join(f"\\u{ord(char)}?" if char > "~" else char for char in "\\par ".join(lines))
        return f"{{\\rtf1\\ansi {letters} \\trowd\\cellx99\\cellx200 a\\cell b\\cell\\row}}".encode("ascii", "replace")
    if name == EML:
        return mail(("law.txt", seeds.LAW.encode()), html="<table><tr><td>a<td>b</table>").as_bytes()
    if name == MBOX:
        return b"From a@b.c Mon Jan  5 10:00:00 2026\n" + good(EML) + b"\n\nFrom - 10:00\n" + good(EML)
    if name == MSG:
        words: Tree = {
            "__substg1.0_1000001F": seeds.LAW.encode("utf-16-le")[:4_000],
            "__properties_version1.0": bytes(64),
        }
        return compound(words | {"__attach_version1.0_#00000000": {"__substg1.0_3701000D": words}})
    if name in (XLSX, PPTX):
        return _packed(name)
    if name == FODT:
        body = "".join(f"<text:p>{line}</text:p>" for line in lines)
        mime = 'office:mimetype="application/vnd.oasis.opendocument.text"'
        root = f'<?xml version="1.0"?><office:document {_NAMESPACES} {mime}><office:body><office:text>{body}'
        return f"{root}</office:text></office:body></office:document>".encode()
    sections = "".join(f'<section eId="sec_{n}"><num>{n}.</num><p>{line}</p></section>' for n, line in enumerate(lines))
    return _AKN.format(sections).encode()


@functools.cache
def _packed(name: str) -> bytes:
    with tempfile.TemporaryDirectory(prefix="kb-seeds-") as directory:
        path, lines = Path(directory) / name, seeds.LAW.splitlines()
        made = xlsx_file(path, *([line, 7] for line in lines)) if name == XLSX else pptx_file(path, "law", *lines)
        return made.read_bytes()


def _with_part(name: str, part: str, content: bytes) -> bytes:
    """The sound file with another content of a part."""
    made = BytesIO()
    with zipfile.ZipFile(BytesIO(good(name))) as source, zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as target:
        for one in source.namelist():
            target.writestr(one, content if one == part else source.read(one))
    return made.getvalue()


def _part(name: str, part: str) -> bytes:
    with zipfile.ZipFile(BytesIO(good(name))) as archive:
        return archive.read(part)


@hostile("office: bytes changed, cut out and repeated", weight=6)
def spoilt(chance: random.Random) -> tuple[str, bytes]:
    name = chance.choice((ODT, RTF, EML, AKN, MBOX, MSG, FODT, XLSX, PPTX))
    return name, _spoilt(chance, good(name))


@hostile("office: parts of workbooks and slides changed, cut out and repeated", weight=3)
def spoilt_parts(chance: random.Random) -> tuple[str, bytes]:
    name = chance.choice((XLSX, PPTX))
    with zipfile.ZipFile(BytesIO(good(name))) as archive:
        part = chance.choice(archive.namelist())
    return name, _with_part(name, part, _spoilt(chance, _part(name, part)))


def _spoilt(chance: random.Random, sound: bytes) -> bytes:
    content = bytearray(sound)
    for _ in range(chance.choice((1, 5, 40))):
        start = chance.randrange(len(content))
        end = min(len(content), start + chance.choice((1, 1, 8, 200)))
        change = chance.choice((b"", bytes(content[start:end]) * 3, bytes([chance.randrange(256)])))
        content[start:end] = change
        content = content or bytearray(b"\0")
    return bytes(content)


@hostile("office: nested without end", weight=2)
def nested(chance: random.Random) -> tuple[str, bytes]:
    depth = chance.choice((200, 3_000, 50_000))
    return chance.choice(
        [
            (RTF, b"{\\rtf1 " + b"{\\b " * depth + b"text" + b"}" * depth),
            (RTF, b"{\\rtf1 " + b"{\\footnote x" * depth),
            (ODT, odt("<text:section>" * depth + "<text:p>x</text:p>" + "</text:section>" * depth)),
            (AKN, _AKN.format("<part><num>1</num>" * depth + "</part>" * depth).encode()),
            (EML, b"From: a\nTo: b\n" + _parts_in_parts(min(depth, 3_000))),
            (EML, b"From: a\nTo: b\n" + b"MIME-Version: 1.0\nContent-Type: message/rfc822\n\n" * min(depth, 3_000)),
        ]
    )


def _parts_in_parts(depth: int) -> bytes:
    return (
        b"".join(b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (n, n) for n in range(depth)) + b"\ntext"
    )


@hostile("office: numbers that nothing has", weight=2)
def numbers(chance: random.Random) -> tuple[str, bytes]:
    number = chance.choice((-1, 0, 65_535, 2**31, 9_999_999_999))
    cell = f'<table:table-cell table:number-columns-repeated="{number}"><text:p>x</text:p></table:table-cell>'
    table = f"<table:table><table:table-row>{cell * 3}</table:table-row></table:table>"
    row = f"{{\\rtf1 \\u{number}?\\uc{number} \\bin{number} \\trowd\\cellx{number} a\\cell b\\cell\\row c}}"
    spans = f'<table><tr><td colspan="{number}" rowspan="{number}">a</td><td>b</td></tr><tr><td>c</td></tr></table>'
    return chance.choice(
        [
            (ODT, odt(f'<text:p>a<text:s text:c="{number}"/>b</text:p>{table}')),
            (RTF, row.encode()),
            (AKN, _AKN.format(spans).encode()),
            (XLSX, _with_part(XLSX, _SHEET, _counted(chance, number))),
            (PPTX, _with_part(PPTX, _SLIDE, _part(PPTX, _SLIDE).replace(b'id="', b'id="%d' % number))),
        ]
    )


def _counted(chance: random.Random, number: int) -> bytes:
    """The sheet with numbers of rows, columns, styles and merged cells."""
    sheet = _part(XLSX, _SHEET)
    merged = b'</sheetData><mergeCells count="1"><mergeCell ref="A1:XFD1048576"/></mergeCells>'
    hidden = b'<cols><col min="1" max="%d" hidden="1"/></cols><sheetData>' % number
    return chance.choice(
        [
            sheet.replace(b"</sheetData>", merged),
            sheet.replace(b"<sheetData>", hidden),
            sheet.replace(b'r="A2"', b'r="XFD%d"' % number),
            sheet.replace(b'<row r="2"', b'<row r="%d"' % number),
            sheet.replace(b"<v>0</v>", b"<v>%d</v>" % number),
            sheet.replace(b't="n"', b't="d"'),
        ]
    )


@hostile("office: entities, and pictures of many MB", weight=HEAVY * 10)
def heavy(chance: random.Random) -> tuple[str, bytes]:
    entities = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10 if n else "x" * 100}">' for n in range(12))
    return chance.choice(
        [
            (AKN, f"<!DOCTYPE a [{entities}]>{_AKN.format('<p>&e11;</p>')}".encode()),
            (RTF, b"{\\rtf1 text{\\pict " + b"0123456789abcdef" * 500_000 + b"}}"),
            (EML, good(EML) + b"\n" * 5_000_000),
        ]
    )
