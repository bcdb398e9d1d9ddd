"""Citations first: the chunks that a query refers to by section and title, or by an identifier."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from law.citations.parsing import CitationReference
from law.citations.query import ParsedQuery
from law.citations.years import year_beside
from law.words.abbreviations import abbreviation_beside
from law.words.analysis import terms
from sources import provisions
from sources.citations.act_names import ActName, name_beside
from sources.citations.cited_clauses import CitedClause
from sources.citations.cited_passages import MAX_SOURCES, CitedPassages, passages_of
from sources.citations.missing import UnresolvedCitation, missing_act, missing_section, not_in_force
from sources.citations.naming_in_part import named_by_part, named_by_words_of_title, named_in_part
from sources.citations.source_keys import identifier_lookups, is_parted, section_key
from sources.citations.sources_by_key import SourcesByKey, find_sources_by_key
from sources.citations.title_matching import (
    TitleMatch,
    TitleMatches,
    best_matches,
    named_at_start,
    title_query,
)
from sources.scope import Scope

MAX_REFERENCES = 4  # of one query; each may cost a few look-ups
MAX_CHUNKS = 10
_LETTERED = re.compile(r"(?P<number>\d+(?:\.\d+)+)[A-Z]")  # a letter that says whether it is a rule or guidance
_SEPARATOR = re.compile("[.-]")


@dataclass(frozen=True)
class CitationTargets:
    """What a query cites: chunks by their section, best first, or whole sources by their identifier.

    `first` are those of the chunks with which a section that is cited begins, one for each source it may be of.
    `clauses` are those that it cites of a section, by the chunk that they begin in. `not_found` is the first thing it
    cites that is not there, `unread` the words beside a number that look like the name or number of an act, where no
    source here is called so.
    """

    chunk_ids: tuple[int, ...] = ()
    first: tuple[int, ...] = ()
    source_ids: tuple[int, ...] = ()
    clauses: Mapping[int, tuple[CitedClause, ...]] = field(default_factory=dict)
    not_found: UnresolvedCitation | None = None
    unread: tuple[str, ...] = ()


def resolve(query: ParsedQuery, titles: TitleMatches | None = None, *, scope: Scope) -> CitationTargets:
    """The chunks or sources that a query cites, empty when it cites nothing.

    A query without a reference and without a digit costs no look-up, one without a reference at most one. `titles` is
    the answer of `title_query` for the query, if that was asked.
    """
    found, is_citing = _resolve(query, titles, scope=scope), query.references or query.number_at_end
    missing, is_found = found.not_found, found.chunk_ids or found.source_ids
    if is_found or not is_citing or scope.day is None or (missing and missing.source_id):
        return found
    ever = _resolve(query, None, scope=replace(scope, all_versions=True))
    if ever.first and (there := not_in_force(ever.first[0], day=scope.day)):
        return CitationTargets(not_found=there)
    # An act of other days is here, if without the section.
    return replace(found, not_found=ever.not_found) if missing and ever.not_found else found


def _resolve(query: ParsedQuery, titles: TitleMatches | None, *, scope: Scope) -> CitationTargets:
    references, ended = query.references[:MAX_REFERENCES], query.number_at_end
    short_names = [_short_name(reference) for reference in references]
    lookups = [*identifier_lookups(query.text), *filter(None, short_names)]
    by_key = find_sources_by_key(lookups, query.text, scope=scope)
    reading = _CitationReading(query, by_key, titles, scope)
    if ended and (passages := reading.passages_behind_title(ended)).first:
        return CitationTargets(chunk_ids=tuple(passages.first), first=tuple(passages.first))
    found = [reading.passages(one, short_name) for one, short_name in zip(references, short_names, strict=True)]
    first = tuple(dict.fromkeys(chunk for passages in found for chunk in passages.first))
    more = (chunk for passages in found for chunk in passages.more)
    chunk_ids = tuple(dict.fromkeys([*first, *more]))[:MAX_CHUNKS]
    not_found = reading.missing() if reading.missing else None
    if chunk_ids or not_found:
        clauses = {chunk: cited for passages in found for chunk, cited in passages.clauses.items()}
        return CitationTargets(
            chunk_ids=chunk_ids,
            first=first[:MAX_CHUNKS],
            clauses=clauses,
            not_found=not_found,
            unread=tuple(reading.unread),
        )
    if len(by_key.by_identifier) > 1 and any(reference.items for reference in references):
        return CitationTargets()  # none of them has the section
    return CitationTargets(source_ids=tuple(reading.identified)[:MAX_SOURCES], unread=tuple(reading.unread))


def _short_name(reference: CitationReference) -> str:
    if reference.name:
        return abbreviation_beside(before=reference.name, after="")
    return abbreviation_beside(before=reference.before, after=reference.after)


@dataclass(frozen=True)
class _Candidates:
    """The sources that a reference may mean, the likeliest first. Further ones where those have no such number.

    `sure` says that their section is meant even where they have none of that number.
    """

    alternatives: list[Sequence[int]]
    sure: bool
    by_part: bool = False  # whether a part of a title names them, and they may not have such numbers


@dataclass
class _CitationReading:
    """The references of one query, and the titles that the query gives, which are looked up once."""

    query: ParsedQuery
    by_key: SourcesByKey
    titles: TitleMatches | None
    scope: Scope
    missing: Callable[[], UnresolvedCitation | None] | None = field(default=None, init=False)
    unread: list[str] = field(default_factory=list, init=False)
    _named: list[TitleMatch] | None = field(default=None, init=False)
    _parts: dict[str, list[int]] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        self.identified = list(self.by_key.by_identifier)

    def passages(self, reference: CitationReference, short_name: str) -> CitedPassages:
        """The passages of a reference. Where the first has none, `missing` finds out what is not there."""
        words_before = len(terms(reference.before))
        if self._is_in_a_title(words_before):
            return CitedPassages()
        name = name_beside(reference) if reference.items else None
        candidates = self._candidates(reference, short_name, name, words_before=words_before)
        found = self._in(candidates, reference)
        if having := [passages for passages in found if passages.first]:
            best, *others = having
            # A name that was cut short may have meant the others.
            more = [*best.more, *(chunk for other in others for chunk in other.first)]
            return replace(best, more=more)
        if reference.unread and not (candidates.alternatives or name):
            self.unread.append(reference.unread)
            return CitedPassages()
        unnamed = not (candidates.alternatives or reference.name or name) and reference.items
        if unnamed and (is_parted(reference.items[0].number) or reference.items[0].written_as_one):
            return passages_of(reference, None, scope=self.scope)
        self.missing = self.missing or self._missing(reference, name, candidates)
        return CitedPassages()

    def passages_behind_title(self, reference: CitationReference) -> CitedPassages:
        """The passages of a number without a unit, where it stands behind the whole title of a source that has it."""
        before = terms(reference.before)
        dated = sum(map(bool, year_beside(before[-1:])))
        titles = [one for one in self._named_in_query(len(before)) if len(before) - dated <= one.end <= len(before)]
        sources = _ids(best_matches(titles))
        found = passages_of(reference, sources, scope=self.scope) if sources else CitedPassages()
        if sources and not found.first and not self.identified:
            self.missing = self._missing(reference, None, _Candidates([sources], sure=len(sources) == 1))
        return found

    def _in(self, candidates: _Candidates, reference: CitationReference) -> list[CitedPassages]:
        """The passages in each of the alternatives, of `4.2.1R` those of 4.2.1 if nothing has the letter."""
        found = [passages_of(reference, sources, scope=self.scope) for sources in candidates.alternatives]
        if candidates.alternatives and not any(one.first or one.more for one in found) and reference.items:
            first, *others = reference.items
            if (lettered := _LETTERED.fullmatch(first.number)) and not first.last:
                bare = replace(reference, items=(replace(first, number=lettered["number"]), *others))
                return [passages_of(bare, sources, scope=self.scope) for sources in candidates.alternatives]
        return found

    def _missing(
        self, reference: CitationReference, name: ActName | None, candidates: _Candidates
    ) -> Callable[[], UnresolvedCitation | None] | None:
        if not reference.items or reference.divisions:
            return None
        number = reference.items[0].number
        if candidates.alternatives and candidates.sure:
            as_one, likeliest = reference.items[0].written_as_one, candidates.alternatives[0]
            near = (one for one in likeliest if len(likeliest) == 1 or _is_numbered_so(one, number))
            return partial(missing_section, next(near, likeliest[0]), number, as_one=as_one)
        if name and (candidates.by_part or not candidates.alternatives):
            return partial(self._missing_act, name, number)
        return None

    def _missing_act(self, name: ActName, number: str) -> UnresolvedCitation | None:
        """That no source has such a name. Where it is abbreviated, or titles have more words, it is `unread` too."""
        found = None if name.is_abbreviated else missing_act(name, number, scope=self.scope)
        if name.is_abbreviated or (found and found.uncertain):
            self.unread.append(name.text)
        return found

    def _candidates(
        self, reference: CitationReference, short_name: str, name: ActName | None, *, words_before: int
    ) -> _Candidates:
        """Those that the reference may mean, by the surest sign of them."""
        if reference.name:
            return _Candidates(_if_any(self.by_key.by_abbreviation.get(short_name, ()) or self.identified), sure=True)
        after = terms(reference.after) if reference.items or reference.linked else []
        if namings := self._of_collection(self._fitting(named_at_start(after, scope=self.scope), name)):
            best = best_matches(namings)
            # A title that was cut short may be another's too.
            others = [] if best[0].complete else namings[len(best) :]
            # A name that ends where the title goes on may be another's that is not here.
            ends_before = name is not None and name.ends and not name.has_all_of(best[0].title)
            is_whole = best[0].complete or (len(best) == 1 and best[0].source_id in self.by_key.by_identifier)
            return _Candidates([_ids(best), *_if_any(_ids(others))], sure=is_whole and not ends_before)
        untied = not reference.linked
        if name:
            self.identified = [one for one in self.identified if not self._is_another(one, name)]
        if sources := self._by_key(short_name):
            return _Candidates([sources], sure=untied and len(sources) == 1)
        by_words = named_by_words_of_title(after, scope=self.scope)
        if namings := best_matches([naming for naming in by_words if name is None or name.is_part_of(naming.title)]):
            return _Candidates([_ids(namings)], sure=False)
        before = [naming for naming in self._named_in_query(words_before) if naming.end <= words_before]
        if not reference.items or reference.unread:  # `פרק ב` says little: the name has to touch it
            before = [naming for naming in before if naming.end == words_before]
        if name and name.behind:
            before = [naming for naming in before if name.is_part_of(naming.title)]
        before = self._fitting(before, name)
        of_scope = self.scope.source_ids if name is None and not reference.unread else ()
        if sources_before := _ids(best_matches(before)) or of_scope:
            return _Candidates([sources_before], sure=untied)
        if not reference.items:
            return _Candidates([], sure=False)
        called = name.text if name else reference.unread
        if called and (ids := self._by_part(called)):
            sure = len(ids) == 1 and _is_numbered_so(ids[0], reference.items[0].number)
            return _Candidates([ids], sure=sure, by_part=not sure)
        before_number = () if name and name.behind else terms(reference.before)
        in_part = self._fitting(named_in_part(after, before_number, scope=self.scope), name)
        return _Candidates(_if_any(_ids(in_part[:MAX_SOURCES])), sure=untied or name is not None)

    def _by_part(self, name: str) -> Sequence[int]:
        """The sources that the first name of the query means as a part of their titles."""
        if not self._parts:
            self._parts[name] = named_by_part(name, scope=self.scope)
        return self._parts.get(name, ())

    def _fitting(self, namings: Sequence[TitleMatch], name: ActName | None) -> list[TitleMatch]:
        """Those that the name, where the reference has one, does not rule out.

        One that has a number in place of a year is not surely what is of some year, unless that bears the number.
        """
        if name is None:
            return list(namings)
        fitting = [naming for naming in namings if not name.contradicts(naming.title)]
        if not name.is_numbered or name.year or name.calendar:
            return fitting
        return [one for one in fitting if one.source_id in self.identified or not one.title.year]

    def _of_collection(self, namings: Sequence[TitleMatch]) -> Sequence[TitleMatch]:
        """Of sources whose titles begin alike those that the text gives a key of: `title 9, United States Code`."""
        return [naming for naming in namings if naming.source_id in self.by_key.by_identifier] or namings

    def _by_key(self, short_name: str) -> Sequence[int]:
        """The sources by their identifiers, or by a short name. Where the text has both, by both if it can be."""
        named, identified = self.by_key.by_abbreviation.get(short_name, ()), self.identified
        both = [source for source in identified if source in named]
        return both or identified or named

    def _is_another(self, source_id: int, name: ActName) -> bool:
        """Whether a source that has the number is called otherwise: `Hoists Act 12 of 1999`, `Ports Act 12 of 1999`."""
        words = tuple(term for term in name.told if not term.word[:1].isdigit())
        if not words or not (name.behind or len(words) < len(name.told)):
            return False
        worded = replace(name, told=words)
        return all(worded.contradicts(title) for title in self.by_key.titles[source_id])

    def _is_in_a_title(self, words_before: int) -> bool:
        """`תקנות התכנון (סדרי דין בעררים לפי סעיף 198 לחוק)` cites no section 198."""
        return any(naming.start < words_before < naming.end for naming in self._named_in_query(words_before))

    def _named_in_query(self, words_before: int) -> list[TitleMatch]:
        if words_before < 2:  # no title has fewer
            return []
        if self._named is None:
            titles = self.titles or title_query(self.query.terms, scope=self.scope).fetch()
            self._named = titles(1)
        return self._named


def _is_numbered_so(source_id: int, number: str) -> bool:
    """Whether a source may have the number: of a code in parts each part has those that begin alike."""
    numbers = [section_key(one.number) for one in provisions.numbered(source_id)]
    is_coded = all(_SEPARATOR.search(one) for one in numbers)
    return not is_coded or _SEPARATOR.split(section_key(number))[0] in {_SEPARATOR.split(one)[0] for one in numbers}


def _if_any(sources: Sequence[int]) -> list[Sequence[int]]:
    return [sources] if sources else []


def _ids(namings: Sequence[TitleMatch]) -> list[int]:
    return [naming.source_id for naming in namings]
