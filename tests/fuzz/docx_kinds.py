"""Word files that unpack, nest or refer to more than they should."""

import io
import random
import re
import struct
import zipfile
from collections.abc import Mapping

from tests.extraction.word_files import NAMESPACES, abstract_list, level, list_of, paragraph, part, table
from tests.fuzz import seeds
from tests.fuzz.hostile import HEAVY, hostile

NAME = "hostile.docx"
DOCUMENT = "word/document.xml"
_TOKEN = re.compile(r"<[^>]*>|[^<]+")
STRANGE = ("\ud800", "&#0;", "&#xD800;", "&unknown;", "]]>", "<", "&", "\x00", "\x0b", "‮", "א" * 1000, "<?x?>", "<!--")


def _zip(parts: Mapping[str, bytes | str], *, method: int = zipfile.ZIP_DEFLATED) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, content in parts.items():
            archive.writestr(name, content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content)
    return out.getvalue()


def _word(body: str | bytes, **parts: str | bytes) -> bytes:
    """A Word file with that body; `parts` are whole parts of the folder `word`."""
    if isinstance(body, str):
        body = part("document", f"<w:body>{body}</w:body>").encode("utf-8", "surrogatepass")
    return _zip({"[Content_Types].xml": "<Types/>", DOCUMENT: body, **{f"word/{k}.xml": v for k, v in parts.items()}})


def _parts(content: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def _read_parts(parts: dict[str, bytes]) -> list[str]:
    return [name for name in parts if re.search(r"word/(document|numbering|styles|footnotes)\.xml", name)]


@hostile("docx: XML of a part damaged", weight=6)
def damaged(chance: random.Random) -> tuple[str, bytes]:
    parts = _parts(chance.choice(seeds.docxs()))
    name = chance.choice(_read_parts(parts))
    out = bytearray(parts[name])
    for _ in range(chance.choice((1, 3, 20))):
        out[chance.randrange(len(out))] = chance.randrange(256)
    return NAME, _zip({**parts, name: bytes(out)})


@hostile("docx: tags of a part moved", weight=6)
def moved(chance: random.Random) -> tuple[str, bytes]:
    parts = _parts(chance.choice(seeds.docxs()))
    name = chance.choice(_read_parts(parts))
    tokens = _TOKEN.findall(parts[name].decode())
    for _ in range(chance.choice((1, 2, 8))):
        place, other = chance.randrange(len(tokens)), chance.randrange(len(tokens))
        match chance.randrange(4):
            case 0:
                tokens[place], tokens[other] = tokens[other], tokens[place]
            case 1:
                tokens[place] = chance.choice(STRANGE)
            case 2:
                tokens[place:place] = tokens[other : other + 5] * chance.choice((1, 3))
            case _:
                tokens[place] = re.sub(
                    r'"[^"]*"', f'"{chance.choice(("-1", "9" * 30, "", "%1%2%3", "אב"))}"', tokens[place]
                )
    return NAME, _zip({**parts, name: "".join(tokens)})


@hostile("docx: a part that unpacks to hundreds of MB", weight=HEAVY)
def bomb(chance: random.Random) -> tuple[str, bytes]:
    filler = chance.choice(("<w:p/>", " ", "<w:p><w:r><w:t>א</w:t></w:r></w:p>", "<w:r/>", "<w:tbl><w:tr/></w:tbl>"))
    size = chance.choice((10, 60, 250, 320)) << 20
    content = part("document", f"<w:body>{paragraph('x')}{filler * (size // len(filler.encode()))}</w:body>")
    if chance.random() < 0.7:
        return NAME, _word(content.encode())
    return NAME, _word(paragraph("x"), **{chance.choice(("styles", "numbering")): content[: 60 << 20]})


@hostile("docx: entries that lie one over the other")
def overlapping(chance: random.Random) -> tuple[str, bytes]:
    content = _word(paragraph("x" * 1000))
    start = content.index(b"PK\x01\x02")
    end = content.index(b"PK\x05\x06")
    directory = content[start:end]
    copies = chance.choice((2, 100, 20_000))
    tail = struct.pack(
        "<4sHHHHIIH",
        b"PK\x05\x06",
        0,
        0,
        min(copies * 2, 65_535),
        min(copies * 2, 65_535),
        len(directory) * copies,
        start,
        0,
    )
    return NAME, content[:start] + directory * copies + tail


@hostile("docx: sizes that lie")
def lying(chance: random.Random) -> tuple[str, bytes]:
    content = bytearray(_word(paragraph("x" * 1000)))
    for start in (match.start() for match in re.finditer(b"PK\x01\x02", bytes(content))):
        value = chance.choice((0, 1, 10, 0x7FFFFFFF, 0xFFFFFFFF, chance.randrange(1 << 32)))
        struct.pack_into("<I", content, start + chance.choice((16, 20, 24, 42)), value)
    if chance.random() < 0.5:
        end = content.index(b"PK\x05\x06")
        struct.pack_into("<I", content, end + chance.choice((8, 12, 16)), chance.randrange(1 << 32))
    return NAME, bytes(content)


@hostile("docx: a flag or a method that zip has not")
def methods(chance: random.Random) -> tuple[str, bytes]:
    content = bytearray(_word(paragraph("x")))
    for start in (match.start() for match in re.finditer(b"PK\x01\x02", bytes(content))):
        struct.pack_into("<H", content, start + 10, chance.choice((0, 8, 9, 12, 14, 93, 99, 65_535)))
        struct.pack_into("<H", content, start + 8, chance.choice((0, 1, 8, 0x41, 0x2000, 0xFFFF)))
    return NAME, bytes(content)


@hostile("docx: an archive in an archive")
def nested(chance: random.Random) -> tuple[str, bytes]:
    content = _word(paragraph("x"))
    for _ in range(chance.choice((1, 5, 30))):
        content = _word(content)
    return NAME, content


@hostile("docx: entities")
def entities(chance: random.Random) -> tuple[str, bytes]:
    laughs = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 12))
    declared = chance.choice(
        (
            f'<!ENTITY l0 "לחיים">{laughs}',
            f'<!ENTITY l11 "{"a" * 100_000}">',
            '<!ENTITY l11 SYSTEM "file:///etc/passwd">',
            '<!ENTITY l11 SYSTEM "http://127.0.0.1:9/x">',
            '<!ENTITY % p SYSTEM "file:///etc/hostname"> %p;',
            '<!ENTITY l11 "&l11;">',
            '<!ATTLIST w:t x CDATA "&l11;"> <!ENTITY l11 "a">',
        )
    )
    used = "&l11;" * chance.choice((1, 1_000))
    inside = f"<w:body><w:p><w:r><w:t>{used}</w:t></w:r></w:p></w:body>"
    root = chance.choice(("document", "numbering", "styles", "footnotes"))
    xml = f'<?xml version="1.0"?><!DOCTYPE w:{root} [{declared}]><w:{root} {NAMESPACES}>{inside}</w:{root}>'
    if root == "document":
        return NAME, _word(xml.encode())
    return NAME, _word(paragraph("x", runs='<w:r><w:footnoteReference w:id="1"/></w:r>'), **{root: xml})


@hostile("docx: elements in elements")
def deep(chance: random.Random) -> tuple[str, bytes]:
    depth = chance.choice((60, 240, 255, 5_000, 1_000_000) if chance.random() < 0.05 else (60, 120, 240, 250, 300))
    opening, closing = chance.choice(
        (
            ("<w:p>", "</w:p>"),
            ("<w:ins>", "</w:ins>"),
            ("<w:tbl><w:tr><w:tc>", "</w:tc></w:tr></w:tbl>"),
            ("<w:p><w:r><w:txbxContent>", "</w:txbxContent></w:r></w:p>"),
            ("<mc:AlternateContent><mc:Choice>", "</mc:Choice></mc:AlternateContent>"),
            ("<w:p><w:r>", "</w:r></w:p>"),
            ("<w:sdt><w:sdtContent>", "</w:sdtContent></w:sdt>"),
        )
    )
    times = depth // opening.count("<")
    return NAME, _word(opening * times + paragraph("x") * chance.choice((1, 200)) + closing * times)


@hostile("docx: relationships and parts that lead outside")
def outside(chance: random.Random) -> tuple[str, bytes]:
    target = chance.choice(
        ("file:///etc/passwd", "http://127.0.0.1:9/", "../../../../etc/passwd", "\\\\host\\share", "word/document.xml")
    )
    kind = chance.choice(("footnotes", "attachedTemplate", "image", "officeDocument"))
    relation = f'<Relationship Id="r1" Type="http://x/{kind}" Target="{target}" TargetMode="External"/>'
    parts = _parts(_word(paragraph("x") + '<w:altChunk r:id="r1" xmlns:r="urn:r"/>'))
    rels = f'<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">{relation}</Relationships>'
    return NAME, _zip({**parts, "word/_rels/document.xml.rels": rels.encode(), "_rels/.rels": rels.encode()})


@hostile("docx: names that no file should have")
def entry_names(chance: random.Random) -> tuple[str, bytes]:
    strange = (
        "../../etc/passwd",
        "/etc/passwd",
        "C:\\x",
        "word/../word/document.xml",
        "a" * 60_000,
        "‮fdp.exe",
        "a\x00b",
        ".",
        "word/document.xml\x00.png",
        "WORD/DOCUMENT.XML",
        "xl/workbook.xml",
        "mimetype",
    )
    parts = _parts(_word(paragraph("x")))
    for name in chance.sample(strange, 3):
        parts[name] = b"x"
    if chance.random() < 0.3:
        del parts[DOCUMENT]
    return NAME, _zip(parts)


@hostile("docx: the same name twice")
def twice(chance: random.Random) -> tuple[str, bytes]:
    one, two = _word(paragraph("first")), _word(paragraph("second"))
    content = io.BytesIO(one)
    with zipfile.ZipFile(content, "a") as archive:
        for name, inside in _parts(two).items():
            archive.writestr(zipfile.ZipInfo(name), inside if chance.random() < 0.5 else b"<x/>")
    return NAME, content.getvalue()


@hostile("docx: parts missing or empty")
def missing(chance: random.Random) -> tuple[str, bytes]:
    parts = _parts(chance.choice(seeds.docxs()))
    for name in chance.sample(sorted(parts), min(len(parts), chance.randint(1, 3))):
        if chance.random() < 0.5:
            del parts[name]
        else:
            parts[name] = chance.choice((b"", b"<x/>", b"\xef\xbb\xbf", b"<?xml version='1.0' encoding='x'?><x/>"))
    return NAME, _zip(parts)


@hostile("docx: very many entries", weight=HEAVY)
def many_entries(chance: random.Random) -> tuple[str, bytes]:
    count = chance.choice((3_000, 60_000, 150_000))
    return NAME, _zip(
        {**_parts(_word(paragraph("x"))), **{f"word/{n}": b"" for n in range(count)}}, method=zipfile.ZIP_STORED
    )


@hostile("docx: lists that number themselves", weight=2)
def lists(chance: random.Random) -> tuple[str, bytes]:
    numbers = ("-1", "0", "8", "9", "99999999999", "x", "")
    templates = ("%1.", "%1%2%3%4%5%6%7%8%9", "%1" * 5_000, "%0%", "", "(%9)", "%10")
    formats = ("decimal", "hebrew1", "hebrew2", "upperRoman", "lowerLetter", "none", "bullet", "chicago", "")
    starts = ("0", "1", "-5", "32767", "99999999999", "x")
    levels = [
        level(chance.randrange(-1, 11), chance.choice(formats), chance.choice(templates)).replace(
            'w:start w:val="1"', f'w:start w:val="{chance.choice(starts)}"'
        )
        for _ in range(chance.randint(0, 9))
    ]
    circle = '<w:numStyleLink w:val="a"/><w:styleLink w:val="a"/>'
    inside = abstract_list(1, *levels, more=chance.choice(("", circle))) + list_of(1, chance.choice((1, 1, 7)))
    styles = (
        '<w:style w:styleId="a"><w:basedOn w:val="b"/><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:style>'
        '<w:style w:styleId="b"><w:basedOn w:val="a"/></w:style>'
    )
    body = "".join(
        paragraph(
            "פריט",
            properties=f'<w:pStyle w:val="{chance.choice("ab")}"/><w:numPr><w:ilvl w:val="{chance.choice(numbers)}"/>'
            f'<w:numId w:val="{chance.choice(("1", "1", "7", "-1", "9" * 20))}"/></w:numPr>',
        )
        for _ in range(chance.choice((3, 300)))
    )
    return NAME, _word(body, numbering=part("numbering", inside), styles=part("styles", styles))


@hostile("docx: notes without end", weight=0.3)
def notes(chance: random.Random) -> tuple[str, bytes]:
    count = chance.choice((10, 3_000, 50_000))
    same = chance.random() < 0.3
    refer = "".join(f'<w:r><w:footnoteReference w:id="{1 if same else n}"/></w:r>' for n in range(count))
    inside = "".join(f'<w:footnote w:id="{n}">{paragraph("x", runs=refer[:60])}</w:footnote>' for n in range(count))
    return NAME, _word(paragraph("x", runs=refer), footnotes=part("footnotes", inside))


@hostile("docx: a crowd of cells or attributes", weight=0.2)
def crowd(chance: random.Random) -> tuple[str, bytes]:
    count = chance.choice((1_000, 30_000, 100_000))
    match chance.randrange(3):
        case 0:
            return NAME, _word(table(*[tuple(paragraph("א") for _ in range(count // 100))] * 10))
        case 1:
            attributes = " ".join(f'w:a{n}="1"' for n in range(count))
            return NAME, _word(f"<w:p {attributes}><w:r><w:t>x</w:t></w:r></w:p>")
        case _:
            return NAME, _word(f"<w:p>{'<w:r><w:t>x</w:t><w:br/></w:r>' * count}</w:p>")


@hostile("docx: a text of many MB", weight=HEAVY)
def long_text(chance: random.Random) -> tuple[str, bytes]:
    size = chance.choice((2, 9, 11, 30)) << 20
    return NAME, _word(paragraph(chance.choice(("a", "א ", "̖̀", "\t")) * (size // 2)))


@hostile("docx: another encoding than declared")
def encodings(chance: random.Random) -> tuple[str, bytes]:
    declared = chance.choice(("utf-16", "utf-7", "windows-1255", "ascii", "x-none", "utf-8", "UTF-32", "cp037"))
    written = chance.choice(("utf-16", "utf-8", "cp1255", "utf-32-be", "utf-7"))
    xml = part("document", f"<w:body>{paragraph('שלום ‮ עולם')}</w:body>").replace("UTF-8", declared)
    return NAME, _word(xml.encode(written, "replace"))
