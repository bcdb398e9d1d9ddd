"""A checked text as Word with comments: the DOCX itself where one was sent, in which nothing else changes.

A part that is not touched is copied byte for byte. Touched are the document, its comments, and, where it had none, the
two lists that name the part of the comments. Without a comment the file is the one that was sent.
"""

import io
import re
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _
from lxml import etree

from extraction.docx.package import Package
from kb_project.errors import Invalid
from kb_project.word_files import (
    DOCUMENT,
    RELATIONSHIPS,
    TYPES,
    W,
    add,
    add_runs,
    as_bytes,
    content_type,
    packed,
    relation,
    root,
    set_text,
    w,
)

_NS = {"w": W}
COMMENTS, RELATIONS = "word/comments.xml", "word/_rels/document.xml.rels"
LARGEST_PART = 64 * 1024 * 1024  # bytes of XML
LONGEST_HEAD = 8 * 1024  # bytes of the document, in which its namespace stands
LONGEST_SOUGHT = 120  # characters of a place by which it is found
LEAST_SOUGHT, FIRST_WORDS = 10, 3  # characters of a line, words of a beginning
_LABELS = re.compile(r"^\s*(?:\(?\w{1,4}[.)]\s*){1,3}")
AUTHOR, INITIALS = "Legal knowledge base", "KB"


@dataclass(frozen=True, slots=True)
class WordComment:
    """What is said of the words that begin so, in the order of the text."""

    words: str
    said: str


@dataclass(frozen=True, slots=True)
class _PartNames:
    """The names of parts as the file writes them. What it has not is named as a neighbour of the document."""

    document: str
    comments: str
    relations: str
    types: str

    @classmethod
    def of(cls, parts: zipfile.ZipFile) -> "_PartNames":
        package = Package(parts)
        document = package.stored_name(package.main) or DOCUMENT
        last = package.main.rpartition("/")[2]
        folder = document[: len(document) - len(last)]
        relations = f"{package.main[: -len(last)]}_rels/{last}.rels"
        return cls(
            document,
            package.stored_name(package.beside("comments")) or f"{folder}comments.xml",
            package.stored_name(relations) or f"{folder}_rels/{document[len(folder) :]}.rels",
            package.stored_name(TYPES) or TYPES,
        )


def is_word(content: bytes) -> bool:
    """Whether a file is a DOCX."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as parts, parts.open(_PartNames.of(parts).document) as document:
            return W.encode() in document.read(LONGEST_HEAD)
    except (zipfile.BadZipFile, KeyError, OSError, zlib.error):
        return False


def plain_document(text: str, *, rtl: bool) -> bytes:
    """A DOCX of a text, a paragraph for each line."""
    document = root("document")
    inside = add(document, "body")
    for line in text.split("\n"):
        paragraph = add(inside, "p")
        if rtl:
            add(add(paragraph, "pPr"), "bidi")
        add_runs(paragraph, line, rtl=rtl)
    return packed({"document": document})


def with_comments(content: bytes, comments: Sequence[WordComment], *, at: datetime) -> bytes:
    """The DOCX with comments at the words. Those whose words are not found stand at its first paragraph.

    Raises Invalid for a file whose parts cannot be read.
    """
    if not comments:
        return content
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as parts, zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as target:
        names = _PartNames.of(parts)
        document = _parsed(parts, names.document)
        had_comments = names.comments in parts.namelist()
        noted = _parsed(parts, names.comments) if had_comments else root("comments")
        _annotate(document, noted, comments, at=at)
        changed = {names.document: as_bytes(document), names.comments: as_bytes(noted)}
        if not had_comments:
            changed[names.types] = as_bytes(_with_type(parts, names))
            changed[names.relations] = as_bytes(_with_relation(parts, names))
        for info in parts.infolist():
            part = changed.pop(info.filename) if info.filename in changed else parts.read(info)
            target.writestr(info, part)
        for name, part in changed.items():
            target.writestr(name, part)
    return made.getvalue()


def _parsed(parts: zipfile.ZipFile, name: str) -> etree._Element:
    try:
        if parts.getinfo(name).file_size > LARGEST_PART:
            raise Invalid(_("The document is too large for comments."))
        parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False)
        return etree.fromstring(parts.read(name), parser)
    except (KeyError, etree.XMLSyntaxError, zipfile.BadZipFile) as error:
        raise Invalid(_("The document's parts cannot be read.")) from error


def _with_type(parts: zipfile.ZipFile, names: _PartNames) -> etree._Element:
    types = _parsed(parts, names.types)
    name = names.comments.replace("\\", "/").lstrip("/")
    etree.SubElement(
        types, f"{{{types.nsmap[None]}}}Override", PartName=f"/{name}", ContentType=content_type("comments")
    )
    return types


def _with_relation(parts: zipfile.ZipFile, names: _PartNames) -> etree._Element:
    if names.relations in parts.namelist():
        relations = _parsed(parts, names.relations)
    else:
        relations = etree.Element(f"{{{RELATIONSHIPS}}}Relationships", nsmap={None: RELATIONSHIPS})
    etree.SubElement(
        relations, f"{{{RELATIONSHIPS}}}Relationship", Id="rIdChecked", Type=relation("comments"), Target="comments.xml"
    )
    return relations


def _annotate(
    document: etree._Element, noted: etree._Element, comments: Sequence[WordComment], *, at: datetime
) -> None:
    paragraphs = [_Paragraph(one) for one in document.iter(w("p"))]
    taken = [int(one.get(w("id"), "0")) for one in noted.findall("w:comment", _NS)]
    number = max(taken, default=-1) + 1
    place = 0
    for comment in comments:
        order = [*range(place, len(paragraphs)), *range(place)]
        every = ((at_, sought) for sought in _sought(comment.words) for at_ in order)
        found = next(((at_, span) for at_, sought in every if (span := paragraphs[at_].find(sought))), None)
        if found:
            place, span = found
            paragraphs[place].comment(*span, number=number)
        elif paragraphs:
            paragraphs[0].comment(0, 0, number=number)
        _add(noted, comment.said, number=number, at=at)
        number += 1


def _sought(words: str) -> Iterator[str]:
    """By what a place is found: its words, then each of its lines without its number, then the first words."""
    whole = " ".join(words.split())[:LONGEST_SOUGHT]
    yield whole
    for line in words.split("\n"):
        said = " ".join(_LABELS.sub("", line).split())[:LONGEST_SOUGHT]
        if len(said) >= LEAST_SOUGHT and said != whole:
            yield said
    yield " ".join(words.split()[:FIRST_WORDS])


def _add(noted: etree._Element, said: str, *, number: int, at: datetime) -> None:
    when = f"{at:%Y-%m-%dT%H:%M:%SZ}"
    one = add(noted, "comment", id=number, author=AUTHOR, date=when, initials=INITIALS)
    set_text(add(add(add(one, "p"), "r"), "t"), said)


class _Paragraph:
    """A paragraph whose runs can be told by the characters of its text, and divided."""

    def __init__(self, element: etree._Element) -> None:
        self._element = element
        self._from = 0  # where the next words are looked for

    def _runs(self) -> Iterator[tuple[etree._Element, str]]:
        for run in self._element.iter(w("r")):
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
        opening, closing = (etree.Element(w(f"commentRange{edge}")) for edge in ("Start", "End"))
        reference = etree.Element(w("r"))
        add(reference, "commentReference", id=number)
        for mark in (opening, closing):
            mark.set(w("id"), str(number))
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
                texts = [child for child in run if child.tag != w("rPr")]
                if len(texts) == 1 and texts[0].tag == w("t"):
                    rest = deepcopy(run)
                    rest.tail = None
                    set_text(texts[0], said[: place - at])
                    set_text(next(child for child in rest if child.tag == w("t")), said[place - at :])
                    run.addnext(rest)
                return
            at += len(said)


def _characters(child: etree._Element) -> str:
    if child.tag == w("t"):
        return child.text or ""
    return " " if child.tag in (w("tab"), w("br"), w("cr"), w("noBreakHyphen")) else ""
