"""Writes the text of a document into elements, each character once and in order.

All that stands between two elements is white space of the text itself. So the text of the elements, one after the
other, is the text of the document.
"""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from reading.akn.elements import Elements
from reading.akn.heads import XML_SPACE, read_head, skip_space
from reading.akn.tree import Node


class ReferenceLink(NamedTuple):
    """A reference in the text: its characters, and what it leads to."""

    start: int
    end: int
    href: str


class ChangeLine(NamedTuple):
    """A line that says that another act is changed: where it ends, the characters that it quotes, in order.

    `structure_end` is where the lines of new text end that stand below it, 0 for none.
    """

    end: int
    quoted: Sequence[tuple[int, int]] = ()
    structure_end: int = 0


class TextWriter:
    """Writes the text from its beginning to its end. `links` and `changes` come in order and do not overlap."""

    def __init__(
        self, elements: Elements, text: str, links: Sequence[ReferenceLink], changes: Sequence[ChangeLine] = ()
    ) -> None:
        self._elements, self._text = elements, text
        self._links = list(reversed(links))
        self._changes = {one.end: (number, one) for number, one in enumerate(changes, 1)}
        self._tables: Counter[str] = Counter()
        self._at = 0

    def has_text(self, end: int) -> bool:
        """Whether anything but white space is left up to a character."""
        return skip_space(self._text, self._at, end) < end

    def provision(self, node: Node) -> None:
        """A provision with its number, its heading, what it says and what stands in it."""
        own = node.provision
        self._space(own.span_start)
        with self._elements.element(*node.element):
            self._head(node)
            children = node.children or node.clauses(self._text)
            first = children[0].provision.span_start if children else own.span_end
            self.container("intro" if children else "content", first, eid=own.eid)
            for child in children:
                self.provision(child)
            self.container("wrapUp", own.span_end, eid=own.eid)

    def container(self, name: str, end: int, *, eid: str) -> None:
        """The lines up to a character in an element of this name, nothing where there are none."""
        if self.has_text(end):
            with self._elements.element(name):
                self.lines(end, eid=eid)

    def lines(self, end: int, *, eid: str) -> None:
        """The lines up to a character: paragraphs, and tables of lines with tabs, which are addressed within `eid`."""
        while self._at < end:
            line_ends = self._line_ends(end)
            if not self.has_text(line_ends):
                self._write(min(line_ends + 1, end))
            elif self._is_row(line_ends):
                self._table(end, eid=eid)
            else:
                self._paragraph(line_ends, end)

    def _head(self, node: Node) -> None:
        """The number and the heading. What begins with them on one line does not end them."""
        end = node.provision.span_end
        if node.children and node.children[0].provision.span_start > self._at:
            end = node.children[0].provision.span_start
        for part in read_head(node.provision, self._text, self._at, end):
            self._space(part.start)
            with self._elements.element(part.element):
                self._inline(part.end)

    def _table(self, end: int, *, eid: str) -> None:
        self._tables[eid] += 1
        with self._elements.element("table", {"eId": f"{eid}__table_{self._tables[eid]}"}):
            while self._at < end and self._is_row(line_ends := self._line_ends(end)):
                with self._elements.element("tr"):
                    self._cells(line_ends)
                self._write(min(line_ends + 1, end))

    def _cells(self, line_ends: int) -> None:
        while True:
            tab = self._text.find("\t", self._at, line_ends)
            cell_ends = line_ends if tab < 0 else tab
            with self._elements.element("td"):
                if self.has_text(cell_ends):
                    self._paragraph(cell_ends)
                self._write(cell_ends)
            if tab < 0:
                return
            self._write(tab + 1)

    def _paragraph(self, end: int, room: int = 0) -> None:
        """A line, and below one that changes an act its new text, if that ends within the room that there is."""
        self._space(end)
        text_ends = self._at + len(self._text[self._at : end].rstrip(XML_SPACE))
        with self._elements.element("p"):
            if change := self._changes.pop(text_ends, None):
                self._change(*change, room=room)
            else:
                self._inline(text_ends)
        self._write(end)

    def _change(self, number: int, change: ChangeLine, *, room: int) -> None:
        eid = f"mod_{number}"
        with self._elements.element("mod", {"eId": eid}):
            for place, (start, end) in enumerate(change.quoted, 1):
                if start >= self._at:
                    self._inline(start)
                    self._links = [link for link in self._links if link.start >= end]
                    with self._elements.element("quotedText", {"eId": f"{eid}__qtext_{place}"}):
                        self._write(end)
            self._inline(change.end)
            if self._at < change.structure_end <= room:
                self._space(change.structure_end)
                with self._elements.element("quotedStructure", {"eId": f"{eid}__qstr_1"}):
                    self.lines(change.structure_end, eid=f"{eid}__qstr_1")

    def _inline(self, end: int) -> None:
        """The text up to a character, and the links in it."""
        while self._links and self._links[-1].end <= end:
            link = self._links.pop()
            if link.start >= self._at:
                self._write(link.start)
                with self._elements.element("ref", {"href": link.href}):
                    self._write(link.end)
        self._write(end)

    def _space(self, end: int) -> None:
        """The white space at this place, up to a character at most."""
        self._write(skip_space(self._text, self._at, max(end, self._at)))

    def _write(self, end: int) -> None:
        """The text up to a character, as it is."""
        self._elements.text(self._text[self._at : end])
        self._at = max(end, self._at)

    def _line_ends(self, end: int) -> int:
        found = self._text.find("\n", self._at, end)
        return end if found < 0 else found

    def _is_row(self, line_ends: int) -> bool:
        """Is it a row of a table? What stands behind a number on its line is none."""
        begins = self._at == 0 or self._text[self._at - 1] == "\n"
        return begins and self._text.find("\t", self._at, line_ends) >= 0
