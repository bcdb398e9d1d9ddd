"""A checked text as Word with comments: the DOCX itself where one was sent, in which nothing else changes.

A part that is not touched is copied byte for byte. Touched are the document, its comments, and, where it had none, the
two lists that name the part of the comments.
"""

import io
import zipfile
from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass
from datetime import datetime

from lxml import etree

from kb_project.errors import Invalid

W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_NS = {"w": W}
_TYPE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/comments"
_CONTENT = "application/vnd.openxmlformats-officedocument.wordprocessingml.comments+xml"
DOCUMENT, COMMENTS = "word/document.xml", "word/comments.xml"
TYPES, RELATIONS = "[Content_Types].xml", "word/_rels/document.xml.rels"
LARGEST_PART = 64 * 1024 * 1024  # bytes of XML
LONGEST_SOUGHT = 120  # characters of a place by which it is found
AUTHOR, INITIALS = "Legal knowledge base", "KB"
_PLAIN_TYPES = (
    '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType='
    '"application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>'
)
_RELATIONSHIPS = "http://schemas.openxmlformats.org/package/2006/relationships"
_PLAIN_ROOT = (
    f'<?xml version="1.0" encoding="UTF-8" standalone="yes"?><Relationships xmlns="{_RELATIONSHIPS}">'
    '<Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument"'
    ' Target="word/document.xml"/></Relationships>'
)
_PLAIN_RELATIONS = (
    f'<?xml version="1.0" encoding="UTF-8" standalone="yes"?><Relationships xmlns="{_RELATIONSHIPS}"></Relationships>'
)


@dataclass(frozen=True, slots=True)
class WordComment:
    """What is said of the words that begin so, in the order of the text."""

    words: str
    said: str


def is_word(content: bytes) -> bool:
    """Whether a file is a DOCX."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as parts:
            return DOCUMENT in parts.namelist()
    except zipfile.BadZipFile:
        return False


def plain_document(text: str, *, rtl: bool) -> bytes:
    """A DOCX of a text, a paragraph for each line."""
    body = etree.Element(_w("document"), nsmap=_NS)
    inside = etree.SubElement(body, _w("body"))
    for line in text.split("\n"):
        paragraph = etree.SubElement(inside, _w("p"))
        if rtl:
            etree.SubElement(etree.SubElement(paragraph, _w("pPr")), _w("bidi"))
        run = etree.SubElement(paragraph, _w("r"))
        if rtl:
            etree.SubElement(etree.SubElement(run, _w("rPr")), _w("rtl"))
        _set(etree.SubElement(run, _w("t")), "".join(char for char in line if char >= " " or char == "\t"))
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as parts:
        parts.writestr(TYPES, _PLAIN_TYPES)
        parts.writestr("_rels/.rels", _PLAIN_ROOT)
        parts.writestr(DOCUMENT, _bytes(body))
        parts.writestr(RELATIONS, _PLAIN_RELATIONS)
    return made.getvalue()


def with_comments(content: bytes, comments: Sequence[WordComment], *, at: datetime) -> bytes:
    """The DOCX with comments at the words. Those whose words are not found stand at its first paragraph.

    Raises Invalid for a file whose parts cannot be read.
    """
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as parts, zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as target:
        document = _parsed(parts, DOCUMENT)
        had_comments = COMMENTS in parts.namelist()
        noted = _parsed(parts, COMMENTS) if had_comments else etree.Element(_w("comments"), nsmap=_NS)
        _annotate(document, noted, comments, at=at)
        changed = {DOCUMENT: _bytes(document), COMMENTS: _bytes(noted)}
        if not had_comments:
            changed |= {TYPES: _bytes(_with_type(parts)), RELATIONS: _bytes(_with_relation(parts))}
        for info in parts.infolist():
            part = changed.pop(info.filename) if info.filename in changed else parts.read(info)
            target.writestr(info, part)
        for name, part in changed.items():
            target.writestr(name, part)
    return made.getvalue()


def _parsed(parts: zipfile.ZipFile, name: str) -> etree._Element:
    try:
        if parts.getinfo(name).file_size > LARGEST_PART:
            raise Invalid("The document is too large for comments.")
        parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False)
        return etree.fromstring(parts.read(name), parser)
    except (KeyError, etree.XMLSyntaxError, zipfile.BadZipFile) as error:
        raise Invalid("The document's parts cannot be read.") from error


def _with_type(parts: zipfile.ZipFile) -> etree._Element:
    types = _parsed(parts, TYPES)
    etree.SubElement(types, f"{{{types.nsmap[None]}}}Override", PartName=f"/{COMMENTS}", ContentType=_CONTENT)
    return types


def _with_relation(parts: zipfile.ZipFile) -> etree._Element:
    if RELATIONS in parts.namelist():
        relations = _parsed(parts, RELATIONS)
    else:
        relations = etree.Element(f"{{{_RELATIONSHIPS}}}Relationships", nsmap={None: _RELATIONSHIPS})
    etree.SubElement(relations, f"{{{_RELATIONSHIPS}}}Relationship", Id="rIdChecked", Type=_TYPE, Target="comments.xml")
    return relations


def _annotate(
    document: etree._Element, noted: etree._Element, comments: Sequence[WordComment], *, at: datetime
) -> None:
    paragraphs = [_Paragraph(one) for one in document.iter(_w("p"))]
    taken = [int(one.get(_w("id"), "0")) for one in noted.findall("w:comment", _NS)]
    number = max(taken, default=-1) + 1
    place = 0
    for comment in comments:
        sought = " ".join(comment.words.split())[:LONGEST_SOUGHT]
        order = [*range(place, len(paragraphs)), *range(place)]
        found = next(((at_, span) for at_ in order if (span := paragraphs[at_].find(sought))), None)
        if found:
            place, span = found
            paragraphs[place].comment(*span, number=number)
        elif paragraphs:
            paragraphs[0].comment(0, 0, number=number)
        _add(noted, comment.said, number=number, at=at)
        number += 1


def _add(noted: etree._Element, said: str, *, number: int, at: datetime) -> None:
    one = etree.SubElement(noted, _w("comment"))
    for name, value in (
        ("id", str(number)),
        ("author", AUTHOR),
        ("date", f"{at:%Y-%m-%dT%H:%M:%SZ}"),
        ("initials", INITIALS),
    ):
        one.set(_w(name), value)
    _set(etree.SubElement(etree.SubElement(etree.SubElement(one, _w("p")), _w("r")), _w("t")), said)


class _Paragraph:
    """A paragraph whose runs can be told by the characters of its text, and divided."""

    def __init__(self, element: etree._Element) -> None:
        self._element = element
        self._from = 0  # where the next words are looked for

    def _runs(self) -> Iterator[tuple[etree._Element, str]]:
        for run in self._element.iter(_w("r")):
            yield run, "".join(_characters(child) for child in run)

    def find(self, sought: str) -> tuple[int, int] | None:
        """The characters of these words, behind those that were found before. White space may differ."""
        text = "".join(said for _, said in self._runs())
        words = sought.split()
        at = text.find(words[0], self._from) if words else -1
        while at >= 0:
            end = at
            for word in words:
                end += len(text[end:]) - len(text[end:].lstrip())
                if not text.startswith(word, end):
                    break
                end += len(word)
            else:
                self._from = at + 1
                return at, end
            at = text.find(words[0], at + 1)
        return None

    def comment(self, start: int, end: int, *, number: int) -> None:
        """Put the marks of a comment around these characters."""
        self._divide(start)
        self._divide(end)
        opening, closing = (etree.Element(_w(f"commentRange{edge}")) for edge in ("Start", "End"))
        reference = etree.Element(_w("r"))
        etree.SubElement(reference, _w("commentReference")).set(_w("id"), str(number))
        for mark in (opening, closing):
            mark.set(_w("id"), str(number))
        at, inside = 0, []
        for run, said in self._runs():
            if said and at < end and start < at + len(said):
                inside.append(run)
            at += len(said)
        if not inside:
            self._element.extend((opening, closing, reference))
            return
        inside[0].addprevious(opening)
        inside[-1].addnext(closing)
        closing.addnext(reference)

    def _divide(self, place: int) -> None:
        """Have a run begin at the character, if it stands inside of one that has a text alone."""
        at = 0
        for run, said in self._runs():
            if at < place < at + len(said):
                texts = [child for child in run if child.tag != _w("rPr")]
                if len(texts) == 1 and texts[0].tag == _w("t"):
                    rest = deepcopy(run)
                    rest.tail = None
                    _set(texts[0], said[: place - at])
                    _set(next(child for child in rest if child.tag == _w("t")), said[place - at :])
                    run.addnext(rest)
                return
            at += len(said)


def _characters(child: etree._Element) -> str:
    if child.tag == _w("t"):
        return child.text or ""
    return " " if child.tag in (_w("tab"), _w("br"), _w("cr"), _w("noBreakHyphen")) else ""


def _set(element: etree._Element, text: str) -> None:
    element.text = text
    element.set("{http://www.w3.org/XML/1998/namespace}space", "preserve")


def _w(name: str) -> str:
    return f"{{{W}}}{name}"


def _bytes(element: etree._Element) -> bytes:
    return etree.tostring(element, xml_declaration=True, encoding="UTF-8", standalone=True)
