"""The parts of Word files (ECMA-376): their names, texts of either direction, and how they are packed as DOCX."""

import io
import re
import zipfile
from collections.abc import Iterator, Mapping
from itertools import groupby
from unicodedata import bidirectional

from lxml import etree

TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
R = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
RELATIONSHIPS = "http://schemas.openxmlformats.org/package/2006/relationships"
DOCUMENT, TYPES, ROOT = "word/document.xml", "[Content_Types].xml", "_rels/.rels"
_CONTENT_TYPES = "http://schemas.openxmlformats.org/package/2006/content-types"
_OF_WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml."
RunStyle = Mapping[str, Mapping[str, str]]
"""Properties of runs with their values, in the order of the schema."""
_LINK = "hyperlink"
_UNWRITABLE = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def w(name: str) -> str:
    """A name of WordprocessingML."""
    return f"{{{W}}}{name}"


def r(name: str) -> str:
    """A name of relationships between parts."""
    return f"{{{R}}}{name}"


def root(name: str) -> etree._Element:
    """An empty part."""
    return etree.Element(w(name), nsmap={"w": W, "r": R})


def add(parent: etree._Element, name: str, /, **values: str | int) -> etree._Element:
    """A new last child. `values` are its attributes in the namespace of WordprocessingML."""
    made = etree.SubElement(parent, w(name))
    for key, value in values.items():
        made.set(w(key), str(value))
    return made


def set_text(element: etree._Element, text: str) -> None:
    """Have the element say the text, with its spaces and without what no XML can hold."""
    element.text = _UNWRITABLE.sub("", text)
    element.set("{http://www.w3.org/XML/1998/namespace}space", "preserve")


def as_bytes(element: etree._Element) -> bytes:
    return etree.tostring(element, xml_declaration=True, encoding="UTF-8", standalone=True)


def content_type(kind: str) -> str:
    """That of a part that is named after its kind: `comments`, `footnotes`."""
    return f"{_OF_WORD}{'document.main' if kind == 'document' else kind}+xml"


def relation(kind: str) -> str:
    """The type of the relationship that leads to such a part."""
    return f"{R}/{'officeDocument' if kind == 'document' else kind}"


def packed(parts: Mapping[str, etree._Element], *, links: Mapping[str, Mapping[str, str]] | None = None) -> bytes:
    """A DOCX of parts by kind, `document` among them, which knows `footer` as `rId-footer`.

    `links` are addresses by their ids, for a kind.
    """
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr(TYPES, as_bytes(_types(parts)))
        file.writestr(ROOT, as_bytes(_relations({"rId1": ("document", DOCUMENT)})))
        for kind, part in parts.items():
            file.writestr(f"word/{kind}.xml", as_bytes(part))
        beside = {f"rId-{kind}": (kind, f"{kind}.xml") for kind in parts if kind != "document"}
        for kind in parts:
            leads = {**(beside if kind == "document" else {}), **_links((links or {}).get(kind, {}))}
            if leads or kind == "document":
                file.writestr(f"word/_rels/{kind}.xml.rels", as_bytes(_relations(leads)))
    return made.getvalue()


def _types(parts: Mapping[str, etree._Element]) -> etree._Element:
    types = etree.Element(f"{{{_CONTENT_TYPES}}}Types", nsmap={None: _CONTENT_TYPES})
    for extension, of in (
        ("rels", "application/vnd.openxmlformats-package.relationships+xml"),
        ("xml", "application/xml"),
    ):
        etree.SubElement(types, f"{{{_CONTENT_TYPES}}}Default", Extension=extension, ContentType=of)
    for kind in parts:
        name = f"{{{_CONTENT_TYPES}}}Override"
        etree.SubElement(types, name, PartName=f"/word/{kind}.xml", ContentType=content_type(kind))
    return types


def _links(addresses: Mapping[str, str]) -> dict[str, tuple[str, str]]:
    return {name: (_LINK, address) for name, address in addresses.items()}


def _relations(leads: Mapping[str, tuple[str, str]]) -> etree._Element:
    made = etree.Element(f"{{{RELATIONSHIPS}}}Relationships", nsmap={None: RELATIONSHIPS})
    for name, (kind, target) in leads.items():
        outside = {"TargetMode": "External"} if kind == _LINK else {}
        one = f"{{{RELATIONSHIPS}}}Relationship"
        etree.SubElement(made, one, Id=name, Type=relation(kind), Target=target, **outside)
    return made


def add_runs(
    paragraph: etree._Element, text: str, *, rtl: bool, style: Mapping[str, Mapping[str, str]] | None = None
) -> None:
    """The text as runs, each of one direction, in a paragraph that runs from right to left or does not."""
    for is_rtl, words in stretches(text, rtl=rtl):
        run = add(paragraph, "r")
        if style or is_rtl:
            properties = add(run, "rPr")
            for name, values in (style or {}).items():
                add(properties, name, **values)
            if is_rtl:
                add(properties, "rtl")
        for n, cell in enumerate(words.split("\t")):
            if n:
                add(run, "tab")
            if cell:
                set_text(add(run, "t"), cell)


def stretches(text: str, *, rtl: bool) -> Iterator[tuple[bool, str]]:
    """The text in stretches of one direction, and whether that is from right to left.

    Digits go with the letter before them. What has no direction goes with what is on both sides of it, or else with
    the paragraph. These are rules of the Unicode bidirectional algorithm (UAX 9) that Word leaves to its files.
    """
    sides, last = list[bool | None](), rtl
    for char in text:
        kind = bidirectional(char)
        last = last if kind not in ("L", "R", "AL") else kind != "L"
        sides.append(last if kind in ("L", "R", "AL", "EN", "AN") else None)
    behind, after = list[bool](), rtl
    for side in reversed(sides):
        after = after if side is None else side
        behind.append(after)
    before, found = rtl, list[bool]()
    for side, following in zip(sides, reversed(behind), strict=True):
        before = before if side is None else side
        found.append(before if before == following else rtl)
    at = 0
    for is_rtl, some in groupby(found):
        length = len(list(some))
        yield is_rtl, text[at : at + length]
        at += length
