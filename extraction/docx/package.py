"""The parts of a DOCX, found by the relationships between them, however their names are written."""

from __future__ import annotations

import posixpath
import re
import zipfile
from collections.abc import Iterator
from typing import IO, NamedTuple
from urllib.parse import unquote

from lxml import etree
from lxml.etree import _Element as Element

from extraction.document import ExtractionFailed
from extraction.packages import DAMAGED, NO_ENTITIES, part
from extraction.xml import attribute, local_name

UNPACKED_LIMIT = 300 << 20  # bytes of the body. A zip bomb unpacks to more.
SIDE_PART_LIMIT = 48 << 20  # of each other part, which is held whole
NAME = "Word"

_USUAL_MAIN = "word/document.xml"
_MAIN = re.compile(r"(?:.*/)?document\d*\.xml")


class Relation(NamedTuple):
    """What a part refers to: the kind of it, and the name of the other part. Empty if it is outside of the file."""

    kind: str
    part: str


class Package:
    """An open DOCX. Names of parts are in small letters with slashes."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self._archive = archive
        self._names = {_normal(name): name for name in archive.namelist()}
        self.main = self._main()
        self.relations = self.relations_of(self.main)

    def _main(self) -> str:
        named = [one.part for one in self.relations_of("").values() if one.kind == "officeDocument"]
        usual = [_USUAL_MAIN, *sorted(name for name in self._names if _MAIN.fullmatch(name))]
        return next((name for name in (*named, *usual) if name in self._names), _USUAL_MAIN)

    def relations_of(self, name: str) -> dict[str, Relation]:
        """What a part refers to, by the ids that it uses. None if it does not say so or that is damaged."""
        folder, _, last = name.rpartition("/")
        try:
            root = self.root(posixpath.join(folder, "_rels", f"{last}.rels"))
        except (*DAMAGED, ExtractionFailed):
            return {}
        found = {}
        for one in root if root is not None else ():
            target = unquote(attribute(one, "Target")).replace("\\", "/")
            inside = attribute(one, "TargetMode") != "External"
            path = _normal(posixpath.normpath(posixpath.join("/", folder, target))) if inside else ""
            found[attribute(one, "Id")] = Relation(attribute(one, "Type").rpartition("/")[2], path)
        return found

    def beside(self, kind: str) -> str:
        """The part of a kind that the main part refers to, or the one with the usual name."""
        usual = posixpath.join(posixpath.dirname(self.main), f"{kind.lower()}.xml")
        return next((one.part for one in self.relations.values() if one.kind == kind and one.part), usual)

    def stored_name(self, name: str) -> str | None:
        """The name of a part as the file writes it, None if there is no such part."""
        return self._names.get(_normal(name))

    def open_main(self) -> IO[bytes]:
        """The main part. Raises KeyError if there is none, and ExtractionFailed if it is too large."""
        return self._archive.open(part(self._archive, self._names[self.main], limit=UNPACKED_LIMIT, name=NAME))

    def blocks(self) -> Iterator[Element]:
        """The children of the body one by one. Each is freed when the next is read. Raises as `open_main`."""
        body: Element | None = None
        with self.open_main() as file:
            for _, element in etree.iterparse(file, events=("end",), **NO_ENTITIES):
                parent = element.getparent()
                if parent is None:
                    continue
                if body is None and local_name(parent) == "body":
                    body = parent
                if parent is body:
                    yield element
                    element.clear()
                    while (done := element.getprevious()) is not None and body is not None:
                        body.remove(done)

    def read(self, name: str) -> bytes | None:
        """A part as it is, None if there is none. Raises ExtractionFailed if it is too large."""
        if name not in self._names:
            return None
        return self._archive.read(part(self._archive, self._names[name], limit=SIDE_PART_LIMIT, name=NAME))

    def root(self, name: str) -> Element | None:
        """The outermost element of a part, None if there is none."""
        content = self.read(name)
        return None if content is None else etree.fromstring(content, etree.XMLParser(**NO_ENTITIES))


def _normal(name: str) -> str:
    return name.replace("\\", "/").lstrip("/").lower()
