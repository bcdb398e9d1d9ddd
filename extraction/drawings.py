"""Reads what is drawn on sheets and slides (DrawingML): texts, tables, diagrams, and which parts are no text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from lxml.etree import _Element as Element

from extraction.document import Losses, LostWhat, TableRow, characters_of
from extraction.formulas import formula
from extraction.tables import MAX_COLUMNS, cell_text
from extraction.text.looks import MIN_PICTURE_CM2, lost_object, place_at
from extraction.text.numerals import hebrew_letters, latin_letters, roman
from extraction.text.raised import Apart, joined
from extraction.xml import attribute, characters_in, child, children, local_name, unescaped, whole_number

_EMU_TO_CM = 1 / 360_000
_COUNTED: dict[str, Callable[[int], str]] = {
    "arabic": str,
    "alphaLc": latin_letters,
    "alphaUc": lambda number: latin_letters(number).upper(),
    "romanLc": roman,
    "romanUc": lambda number: roman(number).upper(),
    "hebrew2": hebrew_letters,
}
_ROUND = {"Period": "{}.", "ParenR": "{})", "ParenBoth": "({})", "Plain": "{}", "Minus": "{}-"}
_MATH = frozenset({"oMath", "oMathPara"})


class ShapeWalk:
    """One walk over shapes. `related` gives the outermost element of a part by its id, None if there is none.

    `seen` counts the characters that were passed on or are lost.
    """

    def __init__(self, related: Callable[[str], Element | None], losses: Losses) -> None:
        self._related, self._losses = related, losses
        self.seen = 0

    def blocks(self, parent: Iterable[Element]) -> Iterator[str | TableRow]:
        """The paragraphs and rows of the shapes in their order, those in groups too."""
        for element in parent:
            match local_name(element):
                case "AlternateContent":
                    yield from self.blocks(self._alternative(element))
                case "txBody" | "txbx":
                    yield from self.paragraphs(element)
                case "tbl":
                    yield from self._table(element)
                case "chart":
                    self._chart(attribute(element, "id"))
                case "relIds":
                    yield from self._diagram(attribute(element, "dm"))
                case "pic":
                    self._picture(element)
                case "oleObj":
                    self._losses.add(*lost_object(attribute(element, "progId")))
                    self.seen += characters_in(element)
                case "contentPart":
                    self._losses.add(LostWhat.SHAPE)
                case name if name:
                    yield from self.blocks(element)

    def paragraphs(self, body: Iterable[Element]) -> Iterator[str]:
        """The paragraphs of a text, each with the number that its list gives it."""
        counts: dict[int, tuple[str, int]] = {}
        for element in children(body, "p"):
            text = joined(self._inline(element))
            if text.strip():
                yield _number(element, counts) + text

    def _inline(self, parent: Iterable[Element], place: type[str] = str) -> Iterator[str]:
        for element in parent:
            name = local_name(element)
            if name in {"r", "fld"}:
                properties = child(element, "rPr")
                height = 0 if properties is None else whole_number(attribute(properties, "baseline"), 0)
                text = "".join(one.text or "" for one in children(element, "t"))
                self.seen += characters_of(text)
                yield place_at(height)(unescaped(text))
            elif name == "br":
                yield "\n"
            elif name in _MATH:
                self.seen += characters_in(element)
                yield Apart(formula(element))
            elif name == "AlternateContent":
                yield from self._inline(self._alternative(element))
            elif name:
                yield from self._inline(element)

    def _alternative(self, element: Element) -> Element:
        """The first choice that has words, else the first. The others say the same for old programs."""
        branches = [one for one in element if local_name(one) in {"Choice", "Fallback"}]
        chosen = next((one for one in branches if characters_in(one)), branches[0] if branches else element)
        self.seen += sum(characters_in(one) for one in branches if one is not chosen)
        return chosen

    def _table(self, table: Element) -> Iterator[TableRow]:
        properties = child(table, "tblPr")
        has_head = properties is not None and attribute(properties, "firstRow") in {"1", "true"}
        opens = True
        for row in children(table, "tr"):
            cells = list(children(row, "tc"))[:MAX_COLUMNS]
            texts = []
            for cell in cells:
                text = cell_text(self.blocks(cell))
                if attribute(cell, "hMerge") in {"1", "true"} or attribute(cell, "vMerge") in {"1", "true"}:
                    self._losses.add(LostWhat.HIDDEN, characters_of(text))
                    text = ""
                texts.append(text)
            if cells and whole_number(attribute(cells[0], "gridSpan"), 1) >= len(cells) > 1:
                texts = texts[:1]
            if any(texts):
                yield TableRow(tuple(texts), opens=opens, is_head=has_head and opens)
                opens = False

    def _chart(self, relation_id: str) -> None:
        chart = self._related(relation_id)
        texts = () if chart is None else chart.iter("{*}v", "{*}t")
        self._losses.add(LostWhat.SHAPE, characters_of(*(text.text for text in texts)) or None)

    def _diagram(self, relation_id: str) -> Iterator[str]:
        root = self._related(relation_id)
        for paragraph in root.iter("{*}p") if root is not None else ():
            text = "".join(one.text or "" for one in paragraph.iter("{*}t"))
            if text.strip():
                yield text

    def _picture(self, element: Element) -> None:
        extent = next(element.iter("{*}ext"), None)
        sides = [attribute(extent, name) for name in ("cx", "cy")] if extent is not None else []
        known = [int(side) * _EMU_TO_CM for side in sides if side.isdecimal()]
        if len(known) < 2 or known[0] * known[1] >= MIN_PICTURE_CM2:
            self._losses.add(LostWhat.PICTURE)


def _number(paragraph: Element, counts: dict[int, tuple[str, int]]) -> str:
    """The number of a paragraph in its list, with a space behind it. `counts` are the last ones of each level."""
    properties = child(paragraph, "pPr")
    level = whole_number(attribute(properties, "lvl"), 0) if properties is not None else 0
    for deeper in [one for one in counts if one > level]:
        del counts[deeper]
    automatic = child(properties, "buAutoNum")
    if automatic is None:
        counts.pop(level, None)
        return ""
    kind = attribute(automatic, "type")
    start = max(1, whole_number(attribute(automatic, "startAt"), 1))
    last_kind, last = counts.get(level, ("", 0))
    number = last + 1 if last_kind == kind else start
    counts[level] = kind, number
    for ending, shape in _ROUND.items():
        if kind.endswith(ending) and (counted := _COUNTED.get(kind.removesuffix(ending))):
            return f"{shape.format(counted(number))} "
    return f"{number}. "
