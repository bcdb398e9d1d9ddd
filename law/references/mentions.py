"""Reading every reference out of a document's text."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from heapq import merge

from law.citations import grammar
from law.citations.cited_items import CitedItem, Clause, ParsedCitation
from law.citations.divisions import CitedDivision
from law.citations.folding import normalize
from law.languages.scripts import any_hint
from law.references import patterns
from law.references.acts import Act, ActIndex
from law.references.cases import PARTED, Case, CaseIndex
from law.references.context import Context
from law.references.places import Placed, ProvisionIndex
from law.references.reasons import Reason, weaker

MOST_ITEMS = 200  # of one list
LONGEST_UNREAD = 80  # characters

_HINT = any_hint((*grammar.HINTS, *patterns.HINTS))
_LONGEST_NAME = 60  # characters of a short name before a number


@dataclass(frozen=True, kw_only=True, slots=True)
class ActMention:
    """A reference as the text makes it. `start` and `end` are characters of the text.

    `internal` says that it is to this very document. `title` is the act as it is really called, where the text says
    so: what the document defines stands in place of `the principal Act`. It is '' if internal or unknown.
    `identifier` is the number of a case or circular, or a part of a collection (`5 U.S.C.`), if there is one instead.
    `number` is the section as printed, '' for an act as a whole, `clauses` the way to what is meant inside it,
    `divisions` the schedule or part named with it. A range is two mentions, of its ends: that of the first knows the
    `last`, that of the last the `first`, and what is between them is cited by the former. Where both are in clauses it
    also knows the `last_clauses`, with which a range may be one of clauses of a single section. `unread` are the words
    beside it that say of which act it is, in a form that is not read. `reason` is what says that it is of this act,
    None where no act is known.
    """

    start: int
    end: int
    internal: bool = False
    title: str = ""
    identifier: str = ""
    number: str = ""
    clauses: tuple[str, ...] = ()
    divisions: tuple[CitedDivision, ...] = ()
    first: str = ""
    last: str = ""
    last_clauses: tuple[str, ...] = ()
    unread: str = ""
    reason: Reason | None = None

    @property
    def written_as_one(self) -> str:
        """`1-102` may be a range, or the number of a single section."""
        if self.number in (self.first, self.last):
            return ""
        return "-".join((self.first or self.number, self.last or self.number)) if self.first or self.last else ""


def read_references(text: str, provisions: Sequence[Placed], *, title: str, kind: str) -> list[ActMention]:
    """The references of a document's text, in order and apart from one another.

    `title` and `kind` are the document's own.
    """
    folded = normalize(text)
    places = ProvisionIndex(text, provisions, folded)
    acts = ActIndex(folded.text, places, title=title)
    context, cases = Context(folded.text, places, acts, kind=kind), CaseIndex(folded.text, acts.series.reports)
    reader = _MentionReader(folded.text, acts, context, cases)
    if not folded.changed:
        return list(reader.mentions())
    return [replace(one, start=folded.start(one.start), end=folded.end(one.end)) for one in reader.mentions()]


@dataclass
class _MentionReader:
    """Its mentions have places of the folded text."""

    text: str
    acts: ActIndex
    context: Context
    cases: CaseIndex
    _last: ActMention | None = field(default=None, init=False)  # of a section or part
    _before: ActMention | None = field(default=None, init=False)  # whatever was cited last

    def mentions(self) -> Iterator[ActMention]:
        place = 0
        numbers = (match.start() for match in PARTED.finditer(self.text))
        acts, reports = sorted(self.acts.numbered), sorted(self.cases.reports)
        hints = (match.start() for match in _HINT.finditer(self.text))
        for hint in merge(acts, reports, hints, numbers):
            if hint >= place:
                found, end = self._read(hint, place)
                yield from found
                self._before = found[-1] if found else self._before
                place = max(place, end)

    def _read(self, hint: int, place: int) -> tuple[list[ActMention], int]:
        """The mentions that begin at a hint, and where the text goes on. None begins before `place`."""
        if (numbered := self.acts.by_number(hint)) is not None:
            return ([], numbered.ends) if self.context.is_line(numbered) else self._named(numbered)
        if case := self.cases.at(hint, least=place):
            return self._identified(case)
        if self.text[hint].isdigit():
            return self._short_named(hint, place)
        start = grammar.word_start(self.text, hint) if grammar.HINT.match(self.text, hint) else -1
        if start >= place:
            if said := grammar.SAID.match(self.text, start):
                return ([_again(self._last, start=start, end=said.end())] if self._last else []), said.end()
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
        if of := self._of_number(first, place):
            return of
        listed = [first]
        before = self.context.named_before(first)
        linked = self._linked(first, first, is_named=before is not None)
        while linked is None and len(listed) < MOST_ITEMS:
            following = grammar.next_in_list(self.text, listed[-1], most=MOST_ITEMS)
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
            if link and link[0] and (number := self.acts.by_number_behind(link.end())):
                return number
            if link and of_language and (act := self.acts.at(link.end(), cited=True)):
                return replace(act, end=place, ends=place) if inserted else act  # what is in brackets is read as well
        return self.acts.behind(place, of_section=bool(last.items or last.divisions), is_named=is_named)

    def _mentions(self, citation: ParsedCitation, act: Act | None, *, end: int) -> list[ActMention]:
        if citation.clauses and not citation.divisions and (act is None or end == citation.end):
            return _ranged(citation.clauses, [self._clause(one, below=citation.below) for one in citation.clauses])
        citation = citation if act else self.context.around(citation)
        numbers = [end.number for item in citation.items for end in item.ends]
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

    def _clause(self, clause: Clause, *, below: bool) -> ActMention:
        act, number, path = self.context.section_of(clause, below=below)
        return _mention(act, start=clause.start, end=clause.end, number=number, clauses=path)

    def _of_number(self, first: ParsedCitation, place: int) -> tuple[list[ActMention], int] | None:
        """A section of a part of a collection around or behind it, or of the circular whose number it goes on with."""
        links = filter(None, (language.link.match(self.text, first.end) for language in patterns.ALL))
        is_tied = any(link[0].strip(" ,") for link in links)
        around = self.acts.series.around(first.start, first.end, comma=not is_tied)
        if collection := around or self._collection_behind(first.end):
            opens, closes = collection
            start, end = min(first.start, opens) if opens >= place else first.start, max(first.end, closes)
            part = self.acts.series.shown.get(opens) or self.text[opens:closes]
            whole = ActMention(start=start, end=end, identifier=part, reason=Reason.NAMED)
            return _of_items(whole, first.items), end
        case = self.cases.behind(first.end) if first.items else None
        return _of_case(case, first, end=case.end) if case else None

    def _of_before(self, first: ParsedCitation) -> tuple[list[ActMention], int] | None:
        """A paragraph of the judgment, or a section of what was cited, right before it."""
        if not first.items:
            return None
        if case := self.cases.before(first.start, of_paragraphs=self.context.is_of_paragraphs(first)):
            return _of_case(case, first, end=first.end)
        if (is_last := self.context.said_same(first)) is not None:
            last = self._before if is_last and self._before else ActMention(start=0, end=0)
            whole = _again(last, start=first.start, end=first.end)
            return _of_items(replace(whole, clauses=(), divisions=first.divisions), first.items), first.end
        return None

    def _short_named(self, place: int, least: int) -> tuple[list[ActMention], int]:
        """A rule of a book by its short name."""
        lead = self.text[max(least, place - _LONGEST_NAME) : place]
        name = grammar.NAME_BEFORE.search(lead)
        citation = grammar.read(self.text, place - len(name[0]), most=MOST_ITEMS) if name else None
        return self._cited(citation, least) if citation else ([], least)

    def _identified(self, case: Case) -> tuple[list[ActMention], int]:
        """A judgment or circular, and a paragraph of it."""
        whole = ActMention(start=case.start, end=case.end, identifier=case.identifier, reason=Reason.NAMED)
        pinpoint = self.cases.pinpoint(case)
        if pinpoint is None:
            return [whole], case.end
        start, end = pinpoint.span("number")
        return [whole, replace(whole, start=start, end=end, number=pinpoint["number"])], pinpoint.end()


def _of_case(case: Case, citation: ParsedCitation, *, end: int) -> tuple[list[ActMention], int]:
    """The paragraphs or sections that are cited of it, and where that ends."""
    whole = ActMention(start=citation.start, end=end, identifier=case.identifier, reason=Reason.NAMED)
    return _of_items(whole, citation.items), end


def _again(last: ActMention, *, start: int, end: int) -> ActMention:
    """What was cited last, where words say that the same is meant."""
    is_known = last.internal or last.title or last.identifier
    return replace(last, start=start, end=end, reason=weaker(last.reason, Reason.SAID_LAST) if is_known else None)


def _of_items(whole: ActMention, items: Sequence[CitedItem]) -> list[ActMention]:
    """The mentions of sections that are listed together, or that of none of them."""
    found = [
        replace(
            whole,
            start=end.start,
            end=end.end,
            number=end.number,
            clauses=next(iter(end.clauses), ()),
            first=item.number if item.last and not end.last else "",
            last=end.last,
            last_clauses=next(iter(item.last_clauses), ()) if end.last else (),
        )
        for item in items
        for end in item.each
    ]
    if found:
        found[0] = replace(found[0], start=whole.start)
        found[-1] = replace(found[-1], end=whole.end)
    return found or [whole]


def _ranged(clauses: Sequence[Clause], found: Sequence[ActMention]) -> list[ActMention]:
    """The mentions of clauses without their section, those of ranges with what they reach to."""
    mentions = list(found)
    for place, clause in enumerate(clauses[:-1]):
        if clause.up_to:
            one, last = mentions[place : place + 2]
            mentions[place] = replace(one, last=last.number, last_clauses=last.clauses)
            mentions[place + 1] = replace(last, first=one.number)
    return mentions


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
    is_known = act.internal or bool(title)
    return ActMention(
        start=start,
        end=end,
        internal=act.internal,
        title=title,
        number=number,
        clauses=clauses,
        divisions=divisions,
        unread=act.unread[:LONGEST_UNREAD],
        reason=act.reason if is_known else None,
    )
