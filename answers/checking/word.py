"""A checked text as Word with comments: the DOCX itself where one was sent, in which nothing else changes.

A part that is not touched is copied byte for byte. Touched are the document, its comments, and, where it had none, the
two lists that name the part of the comments. Without a comment the file is the one that was sent.
"""

import io
import re
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _
from lxml import etree

from answers.checking.word_places import WordText
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
MAX_PART_BYTES = 64 * 1024 * 1024  # bytes of XML
MAX_HEAD_LENGTH = 8 * 1024  # bytes of the document, in which its namespace stands
_NOTES = {"footnoteReference": "footnotes", "endnoteReference": "endnotes"}
MIN_SOUGHT, FIRST_WORDS = 10, 3  # characters of a line, words of a beginning
_LABELS = re.compile(r"^\s*(?:\(?\w{1,4}[.)]\s*){1,3}")
AUTHOR, INITIALS = "Legal knowledge base", "KB"


@dataclass(frozen=True, slots=True)
class WordComment:
    """What is said of these words, which stand in the text so many times `before`. Without words it is at the top."""

    words: str
    said: str
    before: int = 0


@dataclass(frozen=True, slots=True)
class _PartNames:
    """The names of parts as the file writes them. What it has not is named as a neighbour of the document."""

    document: str
    comments: str
    relations: str
    types: str
    notes: dict[str, str]  # the names of those parts that are there, by the name of their sign

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
            {sign: name for sign, kind in _NOTES.items() if (name := package.stored_name(package.beside(kind)))},
        )


def is_word(content: bytes) -> bool:
    """Whether a file is a DOCX."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as parts, parts.open(_PartNames.of(parts).document) as document:
            return W.encode() in document.read(MAX_HEAD_LENGTH)
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
    """The DOCX with comments at the words, those on words of a note at its sign. What is not found is at the top.

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
        notes = {sign: _parsed(parts, name) for sign, name in names.notes.items()}
        _annotate(document, noted, comments, notes, at=at)
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
        if parts.getinfo(name).file_size > MAX_PART_BYTES:
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
    document: etree._Element,
    noted: etree._Element,
    comments: Sequence[WordComment],
    notes: dict[str, etree._Element],
    *,
    at: datetime,
) -> None:
    text = WordText(document, notes)
    taken = [int(one.get(w("id"), "0")) for one in noted.findall("w:comment", _NS)]
    for number, comment in enumerate(comments, max(taken, default=-1) + 1):
        found = (text.find(sought, before=comment.before) for sought in _sought(comment.words))
        if span := next(filter(None, found), None):
            text.comment(span, number=number)
        elif text.paragraphs:
            text.paragraphs[0].open_with(number=number)
        _add(noted, comment.said, number=number, at=at)


def _sought(words: str) -> Iterator[str]:
    """By what a place is found: its words, then each of its lines without its number, then the first words."""
    yield words
    for line in words.split("\n"):
        said = _LABELS.sub("", line)
        if len(said.strip()) >= MIN_SOUGHT:
            yield said
    yield " ".join(words.split()[:FIRST_WORDS])


def _add(noted: etree._Element, said: str, *, number: int, at: datetime) -> None:
    when = f"{at:%Y-%m-%dT%H:%M:%SZ}"
    one = add(noted, "comment", id=number, author=AUTHOR, date=when, initials=INITIALS)
    for line in said.split("\n"):
        set_text(add(add(add(one, "p"), "r"), "t"), line)
