"""Reading every reference out of a document's text."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from heapq import merge

from search.citations import grammar
from search.citations.divisions import Division
from search.citations.folding import fold
from search.citations.grammar import Citation
from search.references import patterns
from search.references.acts import Act, Acts
from search.references.places import Placed, Places

MOST_ITEMS = 200  # of one list

_HINT = re.compile(f"{grammar.HINT.pattern}|{patterns.HINT.pattern}")
_PARTED = re.compile(r"\d{1,6}[./-]\d|\[(?=\d{4}\])")
_NUMBER = re.compile(r"\d{1,6}(?:[/-]\d{1,6}){1,3}(?![\w/-])")
_NAME_BEFORE = re.compile(r"(?<![\w.])[A-Z][A-Za-z]{0,8}[A-Z] $")
_BEFORE_NUMBER = 60
_LINE_OPENING = re.compile(r"(?:\d[\w.]{0,8} ?)?(?:\(\w{1,4}\) ?){0,3}[\"”“]?")


@dataclass(frozen=True, kw_only=True, slots=True)
class Mention:
    """A reference as the text makes it; `start` and `end` are characters of the text.

    `internal` says that it is to this very document. `title` is the act as it is really called, where the text says
    so: what the document defines stands in place of `the principal Act`. It is '' if internal or unknown.
    `identifier` is the number of a case or circular, if there is one instead. `number` is the section as printed, ''
    for an act as a whole, `clauses` the way to what is meant inside it, `divisions` the schedule or part named with it.
    """

    start: int
    end: int
    internal: bool = False
    title: str = ""
    identifier: str = ""
    number: str = ""
    clauses: tuple[str, ...] = ()
    divisions: tuple[Division, ...] = ()


def read_references(text: str, provisions: Sequence[Placed], *, title: str, kind: str) -> list[Mention]:
    """The references of a document's text, in order and apart from one another.

    `title` and `kind` are the document's own.
    """
    folded = fold(text)
    places = Places(text, provisions, folded)
    acts = Acts(folded.text, places, title=title, kind=kind)
    reader = _Reader(folded.text, places, acts, kind=kind)
    return [replace(one, start=folded.start(one.start), end=folded.end(one.end)) for one in reader.mentions()]


@dataclass
class _Context:
    """What bare sections are of, up to a place: the act that a section amends."""

    act: Act
    number: str
    end: int


@dataclass
class _Reader:
    text: str
    places: Places
    acts: Acts
    kind: str
    _amended: _Context | None = field(default=None, init=False)

    def mentions(self) -> Iterator[Mention]:
        """In order; their places are those of the folded text."""
        place = 0
        numbers = (match.start() for match in _PARTED.finditer(self.text))
        hints = (match.start() for match in _HINT.finditer(self.text))
        for hint in merge(hints, numbers):
            if hint < place:
                continue
            found, end = self._read(hint, place)
            yield from found
            place = max(place, end)

    def _read(self, hint: int, place: int) -> tuple[list[Mention], int]:
        """The mentions that begin at a hint, and where the text goes on."""
        if not self.text[hint].isalpha() and self.text[hint] in "0123456789[":
            return self._numbered(hint, place)
        start = grammar.word_start(self.text, hint)
        if start >= place and (citation := grammar.read(self.text, start, most=MOST_ITEMS)):
            return self._cited(citation)
        named = self.acts.start(hint)
        act = self.acts.at(named, cited=False) if named is not None and named >= place else None
        if act is None:
            return [], hint + 1
        self._note_amendment(act, number="")
        if (act.internal and not act.title) or not act.title or self._is_being_defined(act):
            return [], act.ends
        return [_mention(act, act.start, act.end)], act.ends

    def _cited(self, citation: Citation) -> tuple[list[Mention], int]:
        act = self._linked(citation.end)
        end = act.end if act else citation.end
        if act and citation.items:
            self._note_amendment(act, number=citation.items[0].number, start=citation.start)
        if citation.clauses and act is None and not citation.divisions:
            return [self._relative(citation, clause) for clause in citation.clauses], end
        act = act or self._unnamed(citation)
        parts = citation.items or (None,)
        found = []
        for index, item in enumerate(parts):
            found.append(
                Mention(
                    start=citation.start if index == 0 or item is None else item.start,
                    end=end if index == len(parts) - 1 or item is None else item.end,
                    internal=act.internal,
                    title="" if act.internal else act.title,
                    number=item.number if item else "",
                    clauses=item.clauses[0] if item and item.clauses else (),
                    divisions=citation.divisions,
                )
            )
        return found, max(end, act.ends)

    def _linked(self, place: int) -> Act | None:
        """The act that a citation goes on with: `… of the Loans Act`."""
        for language in patterns.ALL:
            link = language.link.match(self.text, place)
            if link and (act := self.acts.at(link.end(), cited=True)):
                return act
        return None

    def _unnamed(self, citation: Citation) -> Act:
        """The act of a citation that names none."""
        if citation.name:
            return Act(0, 0, 0, citation.name)
        if self._amended and citation.start < self._amended.end:
            return self._amended.act
        return Act(0, 0, 0, internal=True)

    def _relative(self, citation: Citation, clause: grammar.Clause) -> Mention:
        """A clause of the section at hand, or of the one that is being amended."""
        if self._amended and clause.start < self._amended.end:
            act, number, path = self._amended.act, self._amended.number, clause.path
            return Mention(
                start=clause.start, end=clause.end, title=act.title, internal=act.internal, number=number, clauses=path
            )
        section = self.places.section(clause.start)
        path = clause.path
        if section and not citation.below:
            path = self.places.inside(section, clause.start, path)
        number = section.number if section else ""
        return Mention(start=clause.start, end=clause.end, internal=True, number=number, clauses=path)

    def _note_amendment(self, act: Act, *, number: str, start: int | None = None) -> None:
        """`In the Loans Act 1998, …`: what a section changes, at the beginning of a line."""
        start = act.start if start is None else start
        line = self.text.rfind("\n", 0, start) + 1
        if start - line > 20 or not _LINE_OPENING.fullmatch(self.text, line, start):
            return
        language = patterns.of_letter(self.text[act.start])
        section = self.places.end_of_section(start)
        if language is None or section is None or not language.opens_amendment.match(self.text, act.ends):
            return
        if language.amends.search(self.text, act.ends, section):
            self._amended = _Context(act, number, section)

    def _is_being_defined(self, act: Act) -> bool:
        """The name itself, in quotation marks, is no reference."""
        around = self.text[act.start - 1 : act.start] + self.text[act.end : act.end + 1]
        return len(around) == 2 and all(mark in '"”“„״' for mark in around)

    def _numbered(self, place: int, least: int) -> tuple[list[Mention], int]:
        """A case or circular by its number, or a rule of a book by its short name."""
        lead = self.text[max(least, place - _BEFORE_NUMBER) : place]
        for language in patterns.ALL:
            if neutral := language.neutral.match(self.text, place):
                return [Mention(start=place, end=neutral.end(), identifier=neutral[0])], neutral.end()
        if name := _NAME_BEFORE.search(lead):
            citation = grammar.read(self.text, place - len(name[0]))
            if citation:
                return self._cited(citation)
        number = _NUMBER.match(self.text, place)
        for language in patterns.ALL if number else ():
            if number and (before := language.identifier_before.search(lead)):
                start = place - len(lead) + before.start("identifier")
                return [
                    Mention(start=start, end=number.end(), identifier=self.text[start : number.end()])
                ], number.end()
        return [], number.end() if number else place + 1


def _mention(act: Act, start: int, end: int) -> Mention:
    return Mention(start=start, end=end, internal=act.internal, title="" if act.internal else act.title)
