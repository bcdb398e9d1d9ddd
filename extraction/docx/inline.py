"""The text inside of a paragraph of a DOCX: runs, fields, signs, formulas, notes, and what is drawn beside them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from lxml.etree import _Element as Element

from extraction.document import ExtractionFailed, Losses, LostWhat, characters_of
from extraction.docx.numbering import DocxNoteNumbers
from extraction.docx.package import Package, Relation
from extraction.docx.styles import DocxStyles
from extraction.formulas import formula
from extraction.packages import DAMAGED
from extraction.text.list_numbers import ENDNOTES, FOOTNOTES
from extraction.text.looks import MIN_PICTURE_CM2, TextStyle, lost_field, lost_object
from extraction.text.raised import joined
from extraction.text.symbols import sign, with_signs
from extraction.xml import attribute, characters_in, child, children, flag, local_name, value, whole_number

NO_TEXT = frozenset(
    {"del", "moveFrom", "pPr", "rPr", "sdtPr", "sdtEndPr", "rt", "tblPr", "tblGrid", "trPr", "tcPr", "sectPr"}
    | {"delText"}
)
NOTES = {"footnoteReference": FOOTNOTES, "endnoteReference": ENDNOTES}
_BOXES = frozenset({"txbxContent", "txBody", "textpath", "relIds"})

_CHARACTERS = {"tab": "\t", "ptab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "-"}
_LISTED = re.compile(r"\t[^\t]{1,8}$")  # a page's number
_EMU_TO_CM = 1 / 360_000
_VML_SIZE = re.compile(r"(?<![\w-])(width|height)\s*:\s*(\d+(?:\.\d+)?)(pt|in|cm)")
_VML_CM = {"pt": 2.54 / 72, "in": 2.54, "cm": 1.0}


@dataclass(slots=True)
class _Field:
    """A field that Word fills: what it is to show, and what it shows once `is_result`."""

    instruction: str = ""
    is_result: bool = False


class Inline:
    """Reads paragraphs of a part. `seen` counts the characters that were passed on, are lost or are not to be read."""

    def __init__(self, package: Package, styles: DocxStyles, losses: Losses, note_numbers: DocxNoteNumbers) -> None:
        self._package, self._styles, self._losses = package, styles, losses
        self._note_numbers = note_numbers
        self.relations: Mapping[str, Relation] = package.relations  # of the part that is read
        self.seen = 0
        self.notes: dict[tuple[str, str], str] = {}  # marks by part and id, in their order
        self._marked: list[tuple[str, str]] = []  # those whose texts are still to be written
        self._fields: list[_Field] = []  # those that are open, also over several paragraphs

    def text(self, paragraph: Iterable[Element], boxes: list[Element]) -> str:
        """The text of a paragraph. What has paragraphs of its own is added to `boxes`."""
        pieces: list[str] = []
        listed = self._in_contents()
        self._read(paragraph, pieces, boxes, self._styles.of_paragraph(child(paragraph, "pPr")))
        for field in self._fields:  # an instruction ends with its paragraph, also where its end is deleted
            field.is_result = True
        text = joined(pieces)
        return "" if (listed or self._in_contents()) and _LISTED.search(text) else text

    def _in_contents(self) -> bool:
        """Whether the text is the result of a field that lists the document's headings with their pages."""
        return any(one.is_result and one.instruction.split()[:1] == ["TOC"] for one in self._fields)

    def take_marked(self) -> list[tuple[str, str]]:
        """The part and id of each note that was marked since the last call."""
        marked, self._marked = self._marked, []
        return marked

    def leave(self, element: Element, what: LostWhat | None = None) -> None:
        """Go past an element. Its text is lost, or is not to be read."""
        characters = characters_in(element)
        self.seen += characters
        if what:
            self._losses.add(what, characters)

    def _read(self, parent: Iterable[Element], pieces: list[str], boxes: list[Element], look: TextStyle) -> None:
        for element in parent:
            name = local_name(element)
            if name == "r":
                self._read(element, pieces, boxes, self._styles.of_run(element, look))
            elif name == "t":
                pieces.append(self._piece(element.text or "", look))
            elif name == "instrText":
                self._instruction(element.text or "")
            elif name in _CHARACTERS:
                pieces.append(_CHARACTERS[name])
            elif name in _BOXES:
                boxes.append(element)
            elif name in _OTHERS:
                pieces.append(_OTHERS[name](self, element, look))
            elif name == "AlternateContent":
                self._read(self.alternative(element), pieces, boxes, look)
            elif name in NO_TEXT:
                self.leave(element)
            elif name:
                self._instruction(attribute(element, "instr"))
                self._read(element, pieces, boxes, look)

    def alternative(self, element: Element) -> Element:
        """The first choice that has words, else the first. The others say the same for old programs."""
        branches = [one for one in element if local_name(one) in {"Choice", "Fallback"}]
        chosen = next((one for one in branches if characters_in(one)), branches[0] if branches else element)
        for one in branches:
            if one is not chosen:
                self.leave(one)
        return chosen

    def _piece(self, text: str, look: TextStyle) -> str:
        characters = characters_of(text)
        self.seen += characters
        if not all(field.is_result for field in self._fields):  # what one field tells another
            return ""
        if look.hidden:
            self._losses.add(LostWhat.HIDDEN, characters)
            return ""
        text = text.replace("\n", " ")  # of markup that somebody laid out; a line of the text ends otherwise
        text, unknown = with_signs(text, look.font or "")
        self._losses.add(LostWhat.OTHER, unknown)
        return (look.place or str)(text)

    def _sign(self, element: Element, look: TextStyle) -> str:
        try:
            meant = sign(int(attribute(element, "char"), 16), attribute(element, "font"))
        except ValueError:
            meant = ""
        if look.hidden or not meant:
            self._losses.add(LostWhat.HIDDEN if look.hidden else LostWhat.OTHER, 1)
            return ""
        return (look.place or str)(meant)

    def _note_mark(self, element: Element, look: TextStyle) -> str:
        """The mark of a footnote or endnote: those of each part are counted in the order of their marks.

        A mark that the writer made himself is in the text and in the note.
        """
        kind = NOTES[local_name(element)]
        key = kind, attribute(element, "id")
        if key not in self.notes:
            is_own = attribute(element, "customMarkFollows") in {"1", "true", "on"}
            self.notes[key] = "" if is_own else self._note_numbers.mark(kind)
            self._marked.append(key)
        return self.notes[key]

    def _field(self, element: Element, look: TextStyle) -> str:
        """What is filled in a field of a form, where it is no text: a box that is ticked, an entry that is chosen."""
        match attribute(element, "fldCharType"):
            case "begin":
                self._fields.append(_Field())
            case "separate" if self._fields:
                self._fields[-1].is_result = True
            case "end" if self._fields:
                self._fields.pop()
        data = child(element, "ffData")
        box, choice = child(data, "checkBox"), child(data, "ddList")
        if box is not None:
            state = child(box, "checked")
            return "☒" if flag(child(box, "default") if state is None else state) else "☐"
        if choice is None:
            return ""
        entries = [value(entry) for entry in children(choice, "listEntry")]
        chosen = value(child(choice, "result")) or value(child(choice, "default"))
        place = whole_number(chosen, 0)
        return entries[place] if 0 <= place < len(entries) else ""

    def _instruction(self, text: str) -> None:
        """What a field says is its result. Some have none."""
        if self._fields:
            self._fields[-1].instruction += text
        if lost := lost_field(text):
            self._losses.add(*lost)

    def _formula(self, element: Element, look: TextStyle) -> str:
        self.leave(element)
        return formula(element)

    def _control(self, element: Element, look: TextStyle) -> str:
        self._losses.add(LostWhat.FORM)
        return ""

    def _embedded(self, element: Element, look: TextStyle) -> str:
        self._losses.add(*lost_object(attribute(element, "ProgID")))
        return ""

    def _chart(self, element: Element, look: TextStyle) -> str:
        chart = self.related(attribute(element, "id"))
        texts = () if chart is None else chart.iter("{*}v", "{*}t")
        self._losses.add(LostWhat.SHAPE, characters_of(*(text.text for text in texts)) or None)
        return ""

    def _other_file(self, element: Element, look: TextStyle) -> str:
        self._losses.add(LostWhat.FOREIGN)
        return ""

    def related(self, relation_id: str) -> Element | None:
        """The part that is referred to, None if there is none in the file."""
        relation = self.relations.get(relation_id)
        return self.side_part(relation.part) if relation and relation.part else None

    def side_part(self, name: str) -> Element | None:
        """The outermost element of a part beside the text, None if there is none. A damaged or too large one is lost.

        By then the text is read, and stays.
        """
        try:
            return self._package.root(name)
        except (*DAMAGED, ExtractionFailed):
            self._losses.add(LostWhat.FOREIGN)
            return None

    def note_pictures(self, element: Element) -> None:
        """Say of the large pictures in an element that their words are not read."""
        for frame in element.iter("{*}inline", "{*}anchor"):
            extent = child(frame, "extent")
            if extent is not None and next(frame.iter("{*}blip"), None) is not None:
                sides = [int(side) for side in (attribute(extent, "cx"), attribute(extent, "cy")) if side.isdecimal()]
                self._picture([side * _EMU_TO_CM for side in sides])
        for shape in element.iter("{*}shape"):
            if child(shape, "imagedata") is not None:
                sizes = _VML_SIZE.findall(attribute(shape, "style"))
                self._picture([float(number) * _VML_CM[unit] for _side, number, unit in sizes])

    def _picture(self, sides: list[float]) -> None:
        if len(sides) == 2 and sides[0] * sides[1] >= MIN_PICTURE_CM2:
            self._losses.add(LostWhat.PICTURE)


_OTHERS = {
    **{"sym": Inline._sign, "fldChar": Inline._field, "oMath": Inline._formula, "oMathPara": Inline._formula},
    **dict.fromkeys(NOTES, Inline._note_mark),
    **{"control": Inline._control, "OLEObject": Inline._embedded, "chart": Inline._chart},
    **{"subDoc": Inline._other_file},
}
