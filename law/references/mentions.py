"""Reading every reference out of a document's text."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from heapq import merge

from law.citations import grammar
from law.citations.collections import collection_around
from law.citations.divisions import CitedDivision
from law.citations.folding import normalize
from law.citations.grammar import ParsedCitation
from law.citations.items import CitedItem
from law.languages.scripts import any_hint
from law.references import patterns
from law.references.acts import Act, ActIndex
from law.references.context import Context
from law.references.places import Placed, ProvisionIndex

MOST_ITEMS = 200  # of one list

_HINT = any_hint((*grammar.HINTS, *patterns.HINTS))
_PARTED = re.compile(r"\d{1,6}[./-]\d|\[(?=\d{4}\])")
_NUMBER = re.compile(r"\d{1,6}(?:[/-]\d{1,6}){1,3}(?![\w/-])")
_NUMBER_BEGINS = "0123456789["
_LONGEST_LEAD = 60  # characters before the number of a case that belong to it


@dataclass(frozen=True, kw_only=True, slots=True)
class ActMention:
    """A reference as the text makes it. `start` and `end` are characters of the text.

    `internal` says that it is to this very document. `title` is the act as it is really called, where the text says
    so: what the document defines stands in place of `the principal Act`. It is '' if internal or unknown.
    `identifier` is the number of a case or circular, or a part of a collection (`5 U.S.C.`), if there is one instead.
    `number` is the section as printed, '' for an act as a whole, `clauses` the way to what is meant inside it,
    `divisions` the schedule or part named with it.
    """

    start: int
    end: int
    internal: bool = False
    title: str = ""
    identifier: str = ""
    number: str = ""
    clauses: tuple[str, ...] = ()
    divisions: tuple[CitedDivision, ...] = ()


def read_references(text: str, provisions: Sequence[Placed], *, title: str, kind: str) -> list[ActMention]:
    """The references of a document's text, in order and apart from one another.

    `title` and `kind` are the document's own.
    """
    folded = normalize(text)
    places = ProvisionIndex(text, provisions, folded)
    acts = ActIndex(folded.text, places, title=title)
    reader = _MentionReader(folded.text, acts, Context(folded.text, places, acts, kind=kind))
    if not folded.changed:
        return list(reader.mentions())
    return [replace(one, start=folded.start(one.start), end=folded.end(one.end)) for one in reader.mentions()]


@dataclass
class _MentionReader:
    """Its mentions have places of the folded text."""

    text: str
    acts: ActIndex
    context: Context
    _last: ActMention | None = field(default=None, init=False)  # of a section or part
    _case: ActMention | None = field(default=None, init=False)  # or circular that was cited last

    def mentions(self) -> Iterator[ActMention]:
        place = 0
        numbers = (match.start() for match in _PARTED.finditer(self.text))
        acts = sorted(self.acts.numbered)
        hints = (match.start() for match in _HINT.finditer(self.text))
        for hint in merge(acts, hints, numbers):
            if hint >= place:
                found, end = self._read(hint, place)
                yield from found
                place = max(place, end)

    def _read(self, hint: int, place: int) -> tuple[list[ActMention], int]:
        """The mentions that begin at a hint, and where the text goes on. None begins before `place`."""
        if (numbered := self.acts.by_number(hint)) is not None:
            return ([], numbered.ends) if self.context.is_line(numbered) else self._named(numbered)
        if self.text[hint] in _NUMBER_BEGINS:
            return self._numbered(hint, place)
        start = grammar.word_start(self.text, hint) if grammar.HINT.match(self.text, hint) else -1
        if start >= place:
            if said := grammar.SAID.match(self.text, start):
                return ([replace(self._last, start=start, end=said.end())] if self._last else []), said.end()
            if citation := grammar.read_in_document(self.text, start, most=MOST_ITEMS):
                return self._cited(citation, place)
        named = self.acts.start(hint) if patterns.HINT.match(self.text, hint) else None
        act = self.acts.at(named, cited=False) if named is not None and named >= place else None
        return self._named(act) if act else ([], place)

    def _named(self, act: Act) -> tuple[list[ActMention], int]:
        """An act as a whole. `This Act` is no reference, nor is the title that a document begins with."""
        self.context.note_amendment(act, start=act.start)
        if not act.title or self.context.is_defined(act) or (act.internal and act.start == 0):
            return [], act.ends
        self.context.note(act, start=act.start)
        return [_mention(act, start=act.start, end=act.end)], act.ends

    def _cited(self, first: ParsedCitation, place: int) -> tuple[list[ActMention], int]:
        """The mentions of a list of citations. The act at its end is that of all of them."""
        if (
            self._case and self.text[self._case.end : first.start] == ", " and first.items
        ):  # `Case C-131/12, paragraph 5`
            return _of_items(replace(self._case, start=first.start, end=first.end), first.items), first.end
        if collection := collection_around(self.text, first.start, first.end) or self._collection_behind(first.end):
            opens, closes = collection
            start, end = max(place, min(first.start, opens)), max(first.end, closes)
            whole = ActMention(start=start, end=end, identifier=self.text[opens:closes])
            return _of_items(whole, first.items), end
        listed = [first]
        before = self.context.named_before(first)
        linked = self._linked(first.end, is_named=before is not None)
        while linked is None and len(listed) < MOST_ITEMS:
            following = grammar.next_in_list(self.text, listed[-1], most=MOST_ITEMS)
            if following is None:
                break
            listed.append(following)
            linked = self._linked(following.end)
        if linked is None and self.context.is_heading(first):
            return [], first.end
        act = linked or before
        found = [one for citation in listed[:-1] for one in self._mentions(citation, act, end=citation.end)]
        last = listed[-1]
        found += self._mentions(last, act, end=linked.end if linked else last.end)
        return found, linked.ends if linked else max(found[-1].end, last.end)

    def _collection_behind(self, place: int) -> tuple[int, int] | None:
        """The part of a collection that a citation goes on with: `… of 12 CFR Part 1008`."""
        for language in patterns.ALL:
            link = language.link.match(self.text, place)
            is_number = link and link[0] != ", " and self.text[link.end() : link.end() + 1].isdigit()
            if link and is_number and (found := collection_around(self.text, link.end(), link.end())):
                return found
        return None

    def _linked(self, place: int, *, is_named: bool = False) -> Act | None:
        """The act that a citation goes on with: `… of the Loans Act`. Where one was named, not behind a comma."""
        for language in patterns.ALL:
            if (thereof := language.thereof.match(self.text, place)) and (last := self.context.named_near(place)):
                return replace(last, start=place, end=thereof.end(), ends=thereof.end())
            inserted = language.inserted_by.match(self.text, place)
            link = language.link.match(self.text, inserted.end() if inserted else place)
            of_language = link and patterns.of_letter(self.text[link.end() : link.end() + 1]) is language
            if is_named and link and link[0] == ", ":
                continue
            if link and of_language and (act := self.acts.at(link.end(), cited=True)):
                return replace(act, end=place, ends=place) if inserted else act  # what is in brackets is read as well
        return self.acts.behind(place)

    def _mentions(self, citation: ParsedCitation, act: Act | None, *, end: int) -> list[ActMention]:
        if citation.clauses and not citation.divisions and (act is None or end == citation.end):
            return [self._clause(clause, below=citation.below) for clause in citation.clauses]
        citation = citation if act else self.context.around(citation)
        numbers = [item.number for item in citation.items]
        if act is None:
            act = self.context.act_of(citation)
            end = max(end, act.end)
        elif numbers or citation.divisions:
            self.context.note_amendment(act, start=citation.start, number=next(iter(numbers), ""))
        self.context.note(act, start=citation.start, numbers=numbers)
        clauses = citation.clauses[0].path if citation.clauses else ()
        whole = _mention(act, start=citation.start, end=end, clauses=clauses, divisions=citation.divisions)
        found = _of_items(whole, citation.items)
        self._last = found[-1]
        return found

    def _clause(self, clause: grammar.Clause, *, below: bool) -> ActMention:
        act, number, path = self.context.section_of(clause, below=below)
        return _mention(act, start=clause.start, end=clause.end, number=number, clauses=path)

    def _numbered(self, place: int, least: int) -> tuple[list[ActMention], int]:
        """A case or circular by its number, or a rule of a book by its short name."""
        lead = self.text[max(least, place - _LONGEST_LEAD) : place]
        if (name := grammar.NAME_BEFORE.search(lead)) and (
            citation := grammar.read(self.text, place - len(name[0]), most=MOST_ITEMS)
        ):
            return self._cited(citation, least)
        number = _NUMBER.match(self.text, place)
        for language in patterns.ALL:
            if whole := language.neutral.match(self.text, place):
                return [self._identified(place, whole.end())], whole.end()
            if number and (before := language.identifier_before.search(lead)):
                start = place - len(lead) + before.start("identifier")
                return [self._identified(start, number.end())], number.end()
        return [], least

    def _identified(self, start: int, end: int) -> ActMention:
        self._case = ActMention(start=start, end=end, identifier=self.text[start:end])
        return self._case


def _of_items(whole: ActMention, items: Sequence[CitedItem]) -> list[ActMention]:
    """The mentions of sections that are listed together, or that of none of them."""
    found = [
        replace(whole, start=item.start, end=item.end, number=item.number, clauses=next(iter(item.clauses), ()))
        for item in items
    ]
    if found:
        found[0] = replace(found[0], start=whole.start)
        found[-1] = replace(found[-1], end=whole.end)
    return found or [whole]


def _mention(
    act: Act,
    *,
    start: int,
    end: int,
    number: str = "",
    clauses: tuple[str, ...] = (),
    divisions: tuple[CitedDivision, ...] = (),
) -> ActMention:
    title = "" if act.internal else act.title
    return ActMention(
        start=start, end=end, internal=act.internal, title=title, number=number, clauses=clauses, divisions=divisions
    )
