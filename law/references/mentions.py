"""Reading every reference out of a document's text."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from heapq import merge

from law.citations import grammar
from law.citations.cited_items import Clause, ParsedCitation
from law.citations.folding import normalize
from law.citations.items import CLAUSE_UNIT
from law.citations.numbers import UNIT
from law.citations.provision_names import PlacedProvision
from law.citations.unread import is_page
from law.languages.scripts import MAX_PREFIXES, any_hint
from law.patterns import regex
from law.references import patterns
from law.references.acts import ActIndex
from law.references.cases import PARTED, Case, CaseIndex
from law.references.citation import Act, Citation, cited_again, mention_of, mentions_of_items, with_ranges
from law.references.context import Context
from law.references.places import ProvisionIndex
from law.references.reasons import Reason

MAX_ITEMS = 200  # of one list

_HINT = any_hint((*grammar.HINTS, *patterns.HINTS))
_WORD = regex(r"[^\W\d_]+")
_MAX_NAME_LENGTH = 60  # characters of a short name before a number
_IN_ONE_CLAUSE = regex(r",(?:(?!\. ?[A-Z])[^;()\[\]\n]){0,60} ")  # `, Aug. 21, 2031, `


def read_references(
    text: str, provisions: Sequence[PlacedProvision], *, title: str, kind: str, names: Sequence[tuple[int, int]] = ()
) -> list[Citation]:
    """The references of a document's text, in order and apart from one another.

    `title` and `kind` are the document's own. `names` are where the text has whole titles of documents that are known.
    """
    folded = normalize(text)
    places = ProvisionIndex(text, provisions, folded)
    known = {folded.place(start): folded.place(end - 1) + 1 for start, end in names}
    acts = ActIndex(folded.text, places, title=title, known=known)
    for _ in range(2):
        context, cases = Context(folded.text, places, acts, kind=kind), CaseIndex(folded.text, acts.series.reports)
        mentions = list(_MentionReader(folded.text, acts, context, cases).mentions())
        if not acts.is_late:  # else footnotes explained names that are known now
            break
    if not folded.changed:
        return mentions
    return [replace(one, start=folded.start(one.start), end=folded.end(one.end)) for one in mentions]


@dataclass
class _MentionReader:
    """Its mentions have places of the folded text."""

    text: str
    acts: ActIndex
    context: Context
    cases: CaseIndex
    _last: Citation | None = field(default=None, init=False)  # of a section or part
    _before: Citation | None = field(default=None, init=False)  # whatever was cited last

    def mentions(self) -> Iterator[Citation]:
        place = 0
        numbers = (match.start() for match in PARTED.finditer(self.text))
        named = sorted(
            {*self.acts.numbered, *self.acts.alone, *self.acts.defined, *self.acts.series.unsigned, *self.cases.reports}
        )
        hints = (match.start() for match in _HINT.finditer(self.text))
        for hint in merge(named, hints, numbers):
            if hint >= place:
                found, end = self._read(hint, place)
                if found and found[-1].title:
                    end = self.acts.define_behind(found[-1].title, end)
                yield from found
                self._before = found[-1] if found else self._before
                place = max(place, end)

    def _read(self, hint: int, place: int) -> tuple[list[Citation], int]:
        """The mentions that begin at a hint, and where the text goes on. None begins before `place`."""
        if defined := self.acts.defined.get(hint):
            return self._named(defined)
        if (numbered := self.acts.by_number(hint)) is not None:
            return ([], numbered.ends) if self.context.is_line(numbered) else self._named(numbered)
        if case := self.cases.at(hint, least=place):
            return self._identified(case)
        if coded := self.acts.series.sections_at(hint, most=MAX_ITEMS):
            return self._cited(coded, place)
        if self.text[hint].isdigit():
            return self._named(alone) if (alone := self._alone(hint)) else self._short_named(hint, place)
        start = grammar.word_start(self.text, hint) if grammar.HINT.match(self.text, hint) else -1
        if start >= place:
            if said := grammar.ANAPHOR.match(self.text, start):
                return ([cited_again(self._last, start=start, end=said.end())] if self._last else []), said.end()
            if citation := grammar.read_in_document(self.text, start, most=MAX_ITEMS):
                return self._cited(citation, place)
        named = self.acts.start(hint) if patterns.HINT.match(self.text, hint) else None
        if named in self.acts.series.parts and grammar.HINT.search(self.text, hint, self.acts.series.parts[named] + 1):
            return [], place  # `Idaho Code Title 71`, which is read where its number is
        act = self.acts.at(named, cited=False) if named is not None and named >= place else None
        act = act or self._alone(hint)
        return self._named(act) if act else ([], place)

    def _alone(self, place: int) -> Act | None:
        """What a number stands for that no form reads, where it is not that of a title beside it or of a case."""
        act = self.acts.alone.get(place)
        if act is None or self.context.is_line(act) or (self._before and self._before.beside == act.unread):
            return None
        if is_page(act.unread) and self._is_printed_beside(place):
            self.context.note_printed(act)
            return None
        starts = {self.acts.start(hint.start()) for hint in patterns.HINT.finditer(self.text, place + 1, act.end)}
        numbers = PARTED.finditer(self.text, place, act.end)
        if any(one and one > place for one in starts) or any(
            self.cases.at(one.start(), least=place) for one in numbers
        ):
            return None
        named = self.acts.at(place, cited=False) if place in starts else None
        return named if named and named.end >= act.end else act

    def _is_printed_beside(self, place: int) -> bool:
        """Whether a page is that of the act that was read right before it: `Pub. L. 104-191, § 5, 110 Stat. 1936`."""
        before = self._before
        if before is None or before.internal or not (before.title or before.identifier):
            return False
        return _IN_ONE_CLAUSE.fullmatch(self.text, before.end, place) is not None

    def _named(self, act: Act) -> tuple[list[Citation], int]:
        """An act as a whole. `This Act` is no reference, nor is the title that a document begins with."""
        self.context.note_amendment(act, start=act.start)
        if not (act.title or act.unread) or self.context.is_defined(act) or (act.internal and act.start == 0):
            return [], act.ends
        self.context.note(act, start=act.start)
        return [mention_of(act, Citation(start=act.start, end=act.end))], act.ends

    def _cited(self, first: ParsedCitation, place: int) -> tuple[list[Citation], int]:
        """The mentions of a list of citations. The act at its end is that of all of them."""
        if of := self._of_number(first, place) or self._of_same(first):
            return of
        listed = [first]
        before = self.context.named_before(first)
        linked = self._linked(first, first, is_named=before is not None)
        while linked is None and len(listed) < MAX_ITEMS:
            following = grammar.next_in_list(self.text, listed[-1], most=MAX_ITEMS)
            if following is None:
                break
            listed.append(following)
            linked = self._linked(first, following)
        if linked is None and (of := self._of_before(first)):
            return of
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
            if link and is_number and (found := self.acts.series.around(link.end(), link.end())):
                return found
        return None

    def _linked(self, first: ParsedCitation, last: ParsedCitation, *, is_named: bool = False) -> Act | None:
        """The act that a list of citations goes on with: `… of the Loans Act`. Where one was named, behind no comma."""
        place = last.end
        if "," in self.text[last.start : place] and self.text.startswith(",", place):
            place += 1  # `section 5, subsection (2), of the Loans Act`
        if foreign := self.acts.foreign(first.start, place):
            return foreign
        for language in patterns.ALL:
            if (thereof := language.thereof.match(self.text, place)) and (named := self.context.named_near(place)):
                return replace(named, start=place, end=thereof.end(), ends=thereof.end())
            if same := language.same_behind.match(self.text, place):
                return replace(self.context.same(place), start=place, end=same.end(), ends=same.end())
            inserted = language.inserted_by.match(self.text, place)
            link = language.link.match(self.text, inserted.end() if inserted else place)
            of_language = link and patterns.of_letter(self.text[link.end() : link.end() + 1]) is language
            if is_named and link and link[0] == ", ":
                continue
            is_said = link and link[0].strip(" ,")  # not only by what stands there
            if link and link[0] and (number := self.acts.by_number_behind(link.end(), in_brackets=bool(is_said))):
                return number
            if link and of_language and (act := self.acts.at(link.end(), cited=True)):
                return replace(act, end=place, ends=place) if inserted else act  # what is in brackets is read as well
        return self.acts.behind(place, of_section=bool(last.items or last.divisions), is_named=is_named)

    def _mentions(self, citation: ParsedCitation, act: Act | None, *, end: int) -> list[Citation]:
        if citation.clauses and not citation.divisions and (act is None or end == citation.end):
            return with_ranges(citation.clauses, [self._clause(one, below=citation.below) for one in citation.clauses])
        citation = citation if act else self.context.around(citation)
        numbers = [end.number for item in citation.items for end in item.ends]
        if act is None:
            act = self.context.act_of(citation)
            end = max(end, act.end)
        elif numbers or citation.divisions:
            act = self.context.amended(act, start=citation.start)
            self.context.note_amendment(act, start=citation.start, number=next(iter(numbers), ""))
        said = self.text[citation.start : citation.end].casefold()
        self.context.note(act, start=citation.start, numbers=(*numbers, said))
        clauses = citation.clauses[0].path if citation.clauses else ()
        whole = Citation(start=citation.start, end=end, clauses=clauses, divisions=citation.divisions)
        found = mentions_of_items(mention_of(act, whole), citation.items)
        self._last = found[-1]
        return found

    def _clause(self, clause: Clause, *, below: bool) -> Citation:
        act, number, path = self.context.section_of(clause, below=below)
        return mention_of(act, Citation(start=clause.start, end=clause.end, number=number, clauses=path))

    def _of_number(self, first: ParsedCitation, place: int) -> tuple[list[Citation], int] | None:
        """A section of a part of a collection around or behind it, or of the circular whose number it goes on with."""
        links = filter(None, (language.link.match(self.text, first.end) for language in patterns.ALL))
        is_tied = any(link[0].strip(" ,") for link in links)
        around = self.acts.series.around(first.start, first.end, comma=not is_tied)
        collection = around or self._collection_behind(first.end)
        is_behind = collection is not None and collection[0] >= first.end
        if collection and not (is_behind and first.items and self.acts.series.has_section(collection[1])):
            opens, closes = collection
            start, end = min(first.start, opens) if opens >= place else first.start, max(first.end, closes)
            part = self.acts.series.shown.get(opens) or self.text[opens:closes]
            return self._numbered(part, first, start=start, end=end), end
        case = self.cases.behind(first.end) if first.items else None
        return (self._numbered(case.identifier, first, start=first.start, end=case.end), case.end) if case else None

    def _numbered(self, identifier: str, citation: ParsedCitation, *, start: int, end: int) -> list[Citation]:
        """The sections of what has this number in place of a title."""
        act = Act(start, end, end, identifier=identifier, reason=Reason.NAMED)
        self.context.note(act, start=citation.start)
        return mentions_of_items(mention_of(act, Citation(start=start, end=end)), citation.items)

    def _of_before(self, first: ParsedCitation) -> tuple[list[Citation], int] | None:
        """A paragraph of the judgment, or a section of what was cited, right before it."""
        if not first.items:
            return None
        if case := self.cases.before(first.start, of_paragraphs=self.context.is_of_paragraphs(first)):
            return self._numbered(case.identifier, first, start=first.start, end=first.end), first.end
        if (is_last := self.context.said_same(first)) is not None:
            last = self._before if is_last and self._before else Citation(start=0, end=0)
            whole = cited_again(last, start=first.start, end=first.end)
            return mentions_of_items(replace(whole, clauses=(), divisions=first.divisions), first.items), first.end
        return None

    def _of_same(self, first: ParsedCitation) -> tuple[list[Citation], int] | None:
        """Clauses of the section that was cited last: `paragraph (b) of that section`. It may be another act's."""
        if not first.clauses or first.items or first.divisions:
            return None
        same = grammar.OF_ANAPHOR.match(self.text, first.end)
        if same is None or not self._is_section(same) or self._linked(first, replace(first, end=same.end())):
            return None
        last = self._last if self._last and self._last.number else Citation(start=0, end=0)
        found = [replace(cited_again(last, start=one.start, end=one.end), clauses=one.path) for one in first.clauses]
        return with_ranges(first.clauses, found), same.end()

    def _is_section(self, same: re.Match[str]) -> bool:
        """Whether words that say `that section` do: no subsection, nor a part or schedule."""
        words = list(_WORD.finditer(self.text, same.start("said"), same.end()))
        units = [one for one in words if any(UNIT.match(f"{one[0][cut:]} 1", 0) for cut in range(MAX_PREFIXES + 1))]
        return bool(units) and not any(CLAUSE_UNIT.match(self.text, at) for at in range(units[-1].start(), same.end()))

    def _short_named(self, place: int, least: int) -> tuple[list[Citation], int]:
        """A rule of a book by its short name."""
        lead = self.text[max(least, place - _MAX_NAME_LENGTH) : place]
        name = grammar.NAME_BEFORE.search(lead)
        citation = grammar.read(self.text, place - len(name[0]), most=MAX_ITEMS) if name else None
        return self._cited(citation, least) if citation else ([], least)

    def _identified(self, case: Case) -> tuple[list[Citation], int]:
        """A judgment or circular, and a paragraph of it."""
        whole = Citation(start=case.start, end=case.end, identifier=case.identifier, reason=Reason.NAMED)
        pinpoint = self.cases.pinpoint(case)
        if pinpoint is None:
            return [whole], case.end
        start, end = pinpoint.span("number")
        return [whole, replace(whole, start=start, end=end, number=pinpoint["number"])], pinpoint.end()
