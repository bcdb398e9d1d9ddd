"""Reads PPTX: each slide is a page, its title first, then shapes in their order, then the speaker's notes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from lxml import etree
from lxml.etree import _Element as Element
from pptx.package import Package

from extraction.document import Losses, LostWhat, Page, TableRow, characters_of, in_parts
from extraction.drawings import ShapeWalk
from extraction.packages import NO_ENTITIES, open_office
from extraction.text.looks import lost_margin
from extraction.xml import attribute, characters_in, local_name

NAME = "PowerPoint"
_SHAPES = frozenset({"sp", "grpSp", "graphicFrame", "pic", "cxnSp", "contentPart", "AlternateContent"})
_TITLES, _MARGINS = frozenset({"title", "ctrTitle"}), frozenset({"ftr", "hdr", "dt", "sldNum"})
_OFF = frozenset({"0", "false"})
_MEDIA = ("/video", "/audio", "/media")


def read_pptx(path: Path) -> Iterator[Page]:
    """The slides in order. A hidden one has a page without text, which tells what is lost.

    Raises ExtractionFailed with code corrupt, encrypted or too_large. Left out: hidden slides, comments, charts, and
    what lies outside of a slide.
    """
    with open_office(path, name=NAME):
        presentation = Package.open(str(path)).main_document_part.presentation
        size = presentation.slide_width or 0, presentation.slide_height or 0
        for number, slide in enumerate(presentation.slides, 1):
            losses = Losses()
            blocks = _Slide(slide, losses, size=size).blocks()
            made = [replace(page, number=number) for page in in_parts(blocks, losses=losses)]
            yield from made or [Page(number, ())]


class _Slide:
    def __init__(self, slide: Any, losses: Losses, *, size: tuple[int, int]) -> None:
        self._slide, self._losses, self._size = slide, losses, size
        self._drawing = ShapeWalk(self._related, losses)
        self._tree: Element = slide.shapes._spTree

    def blocks(self) -> Iterator[str | TableRow]:
        self._beside()
        notes = list(self._notes())
        if attribute(self._slide._element, "show") in _OFF:
            self._losses.add(LostWhat.HIDDEN, characters_in(self._tree) + characters_of(*map(_text, notes)))
            return
        shapes = [shape for shape in self._tree if local_name(shape) in _SHAPES]
        shapes.sort(key=lambda shape: _role(shape) not in _TITLES)  # the order among others stays
        for shape in shapes:
            yield from self._shape(shape)
        self._losses.add(LostWhat.OTHER, characters_in(self._tree) - self._drawing.seen)
        yield from notes

    def _shape(self, shape: Element) -> Iterator[str | TableRow]:
        role, characters = _role(shape), characters_in(shape)
        if role in _MARGINS:
            self._drawing.seen += characters
            self._losses.add(LostWhat.MARGIN, lost_margin(characters))
        elif self._is_outside(shape):
            self._drawing.seen += characters
            self._losses.add(LostWhat.MARGIN, characters)
        elif role in _TITLES:
            title = " ".join(" ".join(map(str, self._drawing.blocks([shape]))).split())
            yield from [title] if title else []
        else:
            yield from self._drawing.blocks([shape])

    def _is_outside(self, shape: Element) -> bool:
        """Whether nothing of it lies on the slide."""
        frame = next(shape.iter("{*}xfrm"), None)
        sides = {local_name(one): one for one in frame} if frame is not None else {}
        if not {"off", "ext"} <= sides.keys() or not all(self._size):
            return False
        left, top = (int(attribute(sides["off"], name) or 0) for name in ("x", "y"))
        width, height = (int(attribute(sides["ext"], name) or 0) for name in ("cx", "cy"))
        return left >= self._size[0] or top >= self._size[1] or left + width < 0 or top + height < 0

    def _notes(self) -> Iterator[str | TableRow]:
        """What the speaker is to say. It belongs to the document as much as the slide."""
        if not self._slide.has_notes_slide:
            return
        tree = self._slide.notes_slide.shapes._spTree
        drawing = ShapeWalk(lambda _key: None, self._losses)
        for shape in tree:
            if _role(shape) not in _MARGINS:
                yield from drawing.blocks([shape])

    def _beside(self) -> None:
        """Account for parts of the slide that are no shapes."""
        for relation in self._slide.part.rels.values():
            kind = relation.reltype.rpartition("/")[2]
            if kind == "comments":
                root = _root(relation.target_part.blob)
                self._losses.add(LostWhat.NOTE, characters_of(*(one.text for one in root.iter("{*}text", "{*}t"))))
            elif relation.reltype.endswith(_MEDIA):
                self._losses.add(LostWhat.ATTACHMENT)
        for shape in self._slide.slide_layout.shapes._spTree:
            if local_name(shape) in _SHAPES and not _is_placeholder(shape):
                self._losses.add(LostWhat.MARGIN, lost_margin(characters_in(shape)))

    def _related(self, key: str) -> Element | None:
        relation = self._slide.part.rels.get(key)
        if relation is None or relation.is_external:
            return None
        return _root(relation.target_part.blob)


def _role(shape: Element) -> str:
    """What a placeholder is for. "" for another shape."""
    place = next(shape.iter("{*}ph"), None)
    return "" if place is None or local_name(shape) == "grpSp" else attribute(place, "type") or "obj"


def _is_placeholder(shape: Element) -> bool:
    return next(shape.iter("{*}ph"), None) is not None


def _text(block: str | TableRow) -> str:
    return block if isinstance(block, str) else " ".join(block.cells)


def _root(content: bytes) -> Element:
    return etree.fromstring(content, etree.XMLParser(**NO_ENTITIES))
