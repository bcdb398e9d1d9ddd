"""Where words stand in the parts of a DOCX: in its paragraphs, over several of them, and in its notes."""

from array import array
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from copy import deepcopy

from lxml import etree

from kb_project.word_files import W, add, set_text, w

_NS = {"w": W}
_SKIPPED = (w("txbxContent"), "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback")


def letters(text: str) -> str:
    """What words are compared by: letters and digits in small letters, without marks, space and signs of notes."""
    return "".join(char.lower()[0] for char in text if char.isalpha() or char.isdecimal())


class WordText:
    """The text of a document and of its notes, which are the elements of their parts by the name of their mark."""

    def __init__(self, document: etree._Element, notes: dict[str, etree._Element]) -> None:
        self.paragraphs = [_Paragraph(one) for one in document.iter(w("p"))]
        self._starts: list[int] = []  # of each stretch, in letters
        self._stretches: list[tuple[_Paragraph, array[int], etree._Element | None]] = []
        parts: list[str] = []
        size = 0
        for paragraph, mark in [*((one, None) for one in self.paragraphs), *_noted(document, notes)]:
            text = paragraph.text
            places = array("l", (at for at, char in enumerate(text) if char.isalpha() or char.isdecimal()))
            self._starts.append(size)
            self._stretches.append((paragraph, places, mark))
            parts.append(letters(text))
            size += len(places)
        self._letters = "".join(parts)

    def find(self, words: str, *, before: int = 0) -> tuple[int, int] | None:
        """The letters of the words where they stand for the time after so many, or for the last time."""
        sought = letters(words)
        at = found = self._letters.find(sought) if sought else -1
        for _ in range(before):
            at = self._letters.find(sought, at + 1) if at >= 0 else -1
            found = at if at >= 0 else found
        return (found, found + len(sought)) if found >= 0 else None

    def comment(self, span: tuple[int, int], *, number: int) -> None:
        """Put the marks of a comment around letters: those of a note around its sign."""
        first, mark, start, _ = self._place(span[0])
        last, other, _, end = self._place(span[1] - 1)
        if mark is not None or other is not None:
            sign = mark if mark is not None else other
            _surround(sign, sign, number=number)
        elif first is last:
            first.comment(start, end, number=number)
        else:
            _surround(first.begins_run(start), last.ends_run(end), number=number)

    def _place(self, letter: int) -> tuple["_Paragraph", etree._Element | None, int, int]:
        """The paragraph of a letter, the run of its note's sign, and the characters around it in the paragraph."""
        at = bisect_right(self._starts, letter) - 1
        paragraph, places, mark = self._stretches[at]
        char = places[letter - self._starts[at]]
        return paragraph, mark, char, char + 1


def _noted(document: etree._Element, notes: dict[str, etree._Element]) -> Iterator[tuple["_Paragraph", etree._Element]]:
    """The paragraphs of notes in the order of their signs, with the run of the sign."""
    held = {kind: {one.get(w("id")): one for one in part} for kind, part in notes.items()}
    for kind, by_id in held.items():
        for sign in document.iter(w(kind)):
            note, run = by_id.get(sign.get(w("id"))), sign.getparent()
            if note is not None and run is not None:
                yield from ((_Paragraph(one), run) for one in note.iter(w("p")))


def _surround(first: etree._Element, last: etree._Element, *, number: int) -> None:
    opening, closing = (etree.Element(w(f"commentRange{edge}")) for edge in ("Start", "End"))
    reference = etree.Element(w("r"))
    add(reference, "commentReference", id=number)
    for mark in (opening, closing):
        mark.set(w("id"), str(number))
    first.addprevious(opening)
    last.addnext(closing)
    closing.addnext(reference)


class _Paragraph:
    """A paragraph whose runs can be told by the characters of its text, and divided."""

    def __init__(self, element: etree._Element) -> None:
        self._element = element

    @property
    def text(self) -> str:
        return "".join(said for _, said in self._runs())

    def _runs(self) -> Iterator[tuple[etree._Element, str]]:
        """Its own runs, without those of boxes in it, which are paragraphs themselves."""
        for run in self._own(self._element):
            yield run, "".join(_characters(child) for child in run)

    def _own(self, parent: etree._Element) -> Iterable[etree._Element]:
        for child in parent:
            if child.tag == w("r"):
                yield child
            elif child.tag not in (*_SKIPPED, w("pPr"), w("p")):
                yield from self._own(child)

    def comment(self, start: int, end: int, *, number: int) -> None:
        """Put the marks of a comment around these characters."""
        _surround(self.begins_run(start), self.ends_run(end), number=number)

    def open_with(self, *, number: int) -> None:
        """Put a comment at the beginning, around nothing."""
        point = etree.Element(w("r"))
        properties = self._element.find("w:pPr", _NS)
        if properties is None:
            self._element.insert(0, point)
        else:
            properties.addnext(point)
        _surround(point, point, number=number)

    def begins_run(self, char: int) -> etree._Element:
        """The run that begins with a character, divided from what stands before it."""
        self._divide(char)
        return self._run_of(char)

    def ends_run(self, char: int) -> etree._Element:
        """The run that ends before a character."""
        self._divide(char)
        return self._run_of(max(char - 1, 0))

    def _run_of(self, char: int) -> etree._Element:
        at, last = 0, self._element
        for run, said in self._runs():
            if said and at <= char < at + len(said):
                return run
            at, last = at + len(said), run
        return last

    def _divide(self, place: int) -> None:
        """Have a run begin at the character, if it stands inside of one."""
        at = 0
        for run, said in self._runs():
            if at < place < at + len(said):
                _divide_run(run, place - at)
                return
            at += len(said)


def _divide_run(run: etree._Element, place: int) -> None:
    rest = etree.Element(run.tag, run.attrib)
    at = 0
    for child in list(run):
        size = len(_characters(child))
        if child.tag == w("rPr"):
            rest.append(deepcopy(child))
        elif at >= place:
            rest.append(child)
        elif at + size > place and child.tag == w("t"):
            other, text = deepcopy(child), child.text or ""
            set_text(child, text[: place - at])
            set_text(other, text[place - at :])
            rest.append(other)
        at += size
    run.addnext(rest)


def _characters(child: etree._Element) -> str:
    if child.tag == w("t"):
        return child.text or ""
    return " " if child.tag in (w("tab"), w("br"), w("cr"), w("noBreakHyphen")) else ""
