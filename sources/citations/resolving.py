"""Citations first: the chunks that a query refers to by section and title, or by an identifier."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial

from law.citations.cited_items import CitedItem
from law.citations.parsing import CitationReference, ParsedQuery
from law.citations.titles import parse_title
from law.references.mentions import Citation
from law.references.reasons import Reason
from law.words.abbreviations import abbreviation_beside
from law.words.analysis import terms
from sources import provisions
from sources.citations.act_names import ActName, name_beside
from sources.citations.acts_meant import Parts, read_text, sources_named
from sources.citations.by_country import Unsure
from sources.citations.cited_clauses import CitedClause
from sources.citations.cited_passages import MAX_SOURCES, CitedPassages, passages_of
from sources.citations.lookups import Stored
from sources.citations.missing import UnresolvedCitation, missing_act, missing_section, not_in_force
from sources.citations.naming_in_part import named_by_part, named_by_words_of_title, named_in_part
from sources.citations.source_keys import identifier_lookups, is_parted, section_key
from sources.citations.sources_by_key import SourcesByKey, find_sources_by_key
from sources.citations.title_matching import TitleMatch, best_matches, named_anywhere, named_at_start
from sources.scope import Scope

MAX_REFERENCES = 4  # of one query; each may cost a few look-ups
MAX_CHUNKS = 10
_LETTERED = re.compile(r"(?P<number>\d+(?:\.\d+)+)[A-Z]")  # a letter that says whether it is a rule or guidance
_DIGIT = re.compile(r"\d")
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


def resolve(query: ParsedQuery, *, scope: Scope, names: Sequence[tuple[int, int]] | None = None) -> CitationTargets:
    """The chunks or sources that a query cites, empty when it cites nothing.

    A query without a reference and without a digit costs no look-up, one without a reference at most one. What is not
    found is looked for on other days, where it may be there on one. `names` are what `names_query` gives, if known.
    """
    if not (query.references or _DIGIT.search(query.text)):
        return CitationTargets()
    reading = _CitationReading(query, scope, names)
    found, is_citing = _resolve(reading), query.references or query.number_at_end
    missing, is_found = found.not_found, found.chunk_ids or found.source_ids
    if is_found or not is_citing or scope.day is None or (missing and missing.source_id):
        return found
    if not (reading.is_met or scope.not_in_force().size):
        return found
    ever = _resolve(_CitationReading(query, replace(scope, all_versions=True), on_the_day=reading))
    if ever.first and (there := not_in_force(ever.first[0], day=scope.day)):
        return CitationTargets(not_found=there)
    # An act of other days is here, if without the section.
    return replace(found, not_found=ever.not_found) if missing and ever.not_found else found


def _resolve(reading: _CitationReading) -> CitationTargets:
    found = [reading.passages(one) for one in reading.references]
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
    if len(reading.by_key.by_identifier) > 1 and any(one.items for one in reading.query.references):
        return CitationTargets()  # none of them has the section
    return CitationTargets(source_ids=tuple(reading.identified)[:MAX_SOURCES], unread=tuple(reading.unread))


def _short_name(reference: CitationReference) -> str:
    return abbreviation_beside(before=reference.before, after=reference.after)


@dataclass(frozen=True)
class _Candidates:
    """The sources that a reference may mean, the likeliest first. Further ones where those have no such number.

    `sure` says that their section is meant even where they have none of that number.
    """

    alternatives: Sequence[Sequence[int]] = ()
    sure: bool = False


@dataclass
class _CitationReading:
    """The references of one query, and what the reader of texts makes of them.

    It `is_met` where something of the scope may have what is cited. `on_the_day` is the same of one day, where this is
    of all.
    """

    query: ParsedQuery
    scope: Scope
    names: Sequence[tuple[int, int]] | None = None
    on_the_day: _CitationReading | None = None
    mentions: Sequence[Citation] = field(default=(), init=False)
    is_met: bool = field(default=False, init=False)
    missing: Callable[[], UnresolvedCitation | None] | None = field(default=None, init=False)
    unread: list[str] = field(default_factory=list, init=False)
    _names: list[ActName] = field(default_factory=list, init=False)

    def __post_init__(self) -> None:
        text, ended = self.query.folded, self.query.number_at_end
        self.references = self.query.references[:MAX_REFERENCES]
        if self.on_the_day:
            self.mentions = self.on_the_day.mentions
        elif self.references or ended:
            self.mentions = read_text(text, scope=self.scope, names=self.names)
        mentions = self.mentions
        lookup, days = Stored(self.scope.limited_to, self.scope.source_condition("s")), [self.scope.day] * len(mentions)
        found = sources_named(
            lookup,
            mentions,
            scope=self.scope,
            days=days,
            countries=[None] * len(mentions),
            each_version=self.scope.all_versions,
        )
        if ended:  # a number without a unit is of what is named right before it, if that is here
            touching = [(one, ids) for one, ids in found[-1:] if ids and not text[one.end : ended.start].strip(" ,")]
            found = [(replace(one, end=ended.end, number=ended.items[0].number), ids) for one, ids in touching]
            self.references = [ended] if found else []
        self._meant = found

    @cached_property
    def by_key(self) -> SourcesByKey:
        """The sources of identifiers in the query, and of short names beside its references."""
        lookups = [*identifier_lookups(self.query.text), *filter(None, map(_short_name, self.references))]
        return find_sources_by_key(lookups, self.query.text, scope=self.scope)

    @property
    def identified(self) -> list[int]:
        """Those of identifiers, but for what the names beside the references so far are not those of.

        None where a number is said to be of a country of which no source bears it.
        """
        if any(one.country and not ids for one, ids in self._meant):
            return []
        return [
            one for one in self.by_key.by_identifier if not any(self._is_another(one, name) for name in self._names)
        ]

    def passages(self, reference: CitationReference) -> CitedPassages:
        """The passages of a reference. Where the first has none, `missing` finds out what is not there."""
        around = [one for one in self._meant if one[0].start < reference.end and reference.start < one[0].end]
        numbers = {end.number for item in reference.items for end in item.ends} or {""}
        inside = [one for one in around if one[0].number in numbers]
        if around and not inside:  # a title has it: `תקנות התכנון (סדרי דין בעררים לפי סעיף 198 לחוק)`
            return CitedPassages()
        mention, sources = max(inside, key=lambda one: bool(one[1]), default=(Citation(start=0, end=0), ()))
        name = name_beside(reference) if reference.items else None
        self._names += [name] if name else []
        candidates = self._candidates(reference, mention, sources, name)
        found = self._in(candidates, reference)
        self.is_met = self.is_met or bool(found)
        if having := [passages for passages in found if passages.first]:
            best, *others = having
            # A name that was cut short may have meant the others.
            more = [*best.more, *(chunk for other in others for chunk in other.first)]
            return replace(best, more=more)
        numbered = (one for one in (mention.beside, mention.identifier, mention.title) if any(map(str.isdigit, one)))
        unread = mention.unread or next(numbered, "")
        if unread and ((isinstance(sources, Unsure) and sources) or not (candidates.alternatives or name)):
            self.unread.append(unread)
            return CitedPassages()
        unnamed = reference.items and not (candidates.alternatives or name or mention.title or mention.identifier)
        if unnamed and (is_parted(reference.items[0].number) or reference.items[0].written_as_one):
            self.is_met = True
            return passages_of(reference, None, scope=self.scope)
        self.missing = self.missing or self._missing(reference, mention, name, candidates)
        return CitedPassages()

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
        self, reference: CitationReference, mention: Citation, name: ActName | None, candidates: _Candidates
    ) -> Callable[[], UnresolvedCitation | None] | None:
        if not reference.items or reference.divisions:
            return None
        number, likeliest = reference.items[0].number, next(iter(candidates.alternatives), ())
        if candidates.sure and likeliest:
            near = (one for one in likeliest if len(likeliest) == 1 or _is_numbered_so(one, number))
            return partial(self._missing_section, next(near, likeliest[0]), reference.items[0], name)
        by_part = not likeliest or mention.reason is Reason.NAMED_IN_PART
        return partial(self._missing_act, name, number) if name and by_part else None

    @staticmethod
    def _missing_section(source_id: int, item: CitedItem, name: ActName | None) -> UnresolvedCitation | None:
        """That the source has no such section. A name that ends where the title goes on may be another's."""
        found = missing_section(source_id, item.number, as_one=item.written_as_one)
        ends_before = found and name and name.ends and not name.has_all_of(parse_title(found.title))
        return None if ends_before else found

    def _missing_act(self, name: ActName, number: str) -> UnresolvedCitation | None:
        """That no source has such a name. Where it is abbreviated, or titles have more words, it is `unread` too."""
        if self.on_the_day:  # it has looked at the titles of all days
            return None
        found = None if name.is_abbreviated else missing_act(name, number, scope=self.scope)
        if name.is_abbreviated or (found and found.uncertain):
            self.unread.append(name.text)
        return found

    def _candidates(
        self, reference: CitationReference, mention: Citation, sources: Sequence[int], name: ActName | None
    ) -> _Candidates:
        """Those that the reader of texts finds, or else those that the words beside the reference may mean."""
        if sources:
            sure = isinstance(sources, Parts) or len(sources) == 1
            if mention.reason is Reason.NAMED_IN_PART:
                sure = len(sources) == 1 and _is_numbered_so(sources[0], mention.number)
            return _Candidates() if isinstance(sources, Unsure) else _Candidates([sources], sure=sure)
        short_name = self.by_key.by_abbreviation.get(_short_name(reference), ())
        after = terms(reference.after) if reference.items or reference.linked else []
        if namings := _fitting(named_at_start(after, scope=self.scope), name):
            best = best_matches(namings)
            # A title that was cut short may be another's too.
            others = [] if best[0].complete else namings[len(best) :]
            return _Candidates([_ids(best), *([_ids(others)] if others else [])], sure=best[0].complete)
        if identified := self.identified or short_name:
            return _Candidates([identified], sure=not reference.linked and len(identified) == 1)
        is_named = name or mention.unread or mention.title or mention.identifier
        before = self._named_before(reference) if reference.items and not is_named else []
        if sources_before := before or (() if is_named else self.scope.source_ids):
            return _Candidates([sources_before], sure=not reference.linked)
        if not reference.items:
            return _Candidates()
        by_words = named_by_words_of_title(after, scope=self.scope)
        if namings := best_matches([naming for naming in by_words if name is None or name.is_part_of(naming.title)]):
            return _Candidates([_ids(namings)])
        if name and mention.identifier and (ids := named_by_part(name.text, scope=self.scope)):
            return _Candidates([ids], sure=len(ids) == 1 and _is_numbered_so(ids[0], reference.items[0].number))
        before_number = () if name and name.behind else terms(reference.before)
        namings = _fitting(named_in_part(after, before_number, scope=self.scope), name)
        in_part = _ids([one for one in namings if name is None or name.may_mean(one.title)][:MAX_SOURCES])
        return _Candidates([in_part] if in_part else [], sure=not reference.linked or name is not None)

    def _named_before(self, reference: CitationReference) -> list[int]:
        """The sources whose whole title stands before the reference, none where it stands in one."""
        place, namings = len(terms(reference.before)), named_anywhere(self.query.terms, scope=self.scope)
        is_inside = any(one.start < place < one.end for one in namings)
        return [] if is_inside else _ids(best_matches([one for one in namings if one.end <= place]))

    def _is_another(self, source_id: int, name: ActName) -> bool:
        """Whether a source that has the number is called otherwise: `Hoists Act 12 of 1999`, `Ports Act 12 of 1999`."""
        words = tuple(term for term in name.told if not term.word[:1].isdigit())
        if not words or not (name.behind or len(words) < len(name.told)):
            return False
        worded = replace(name, told=words)
        return all(worded.contradicts(title) for title in self.by_key.titles[source_id])


def _fitting(namings: Sequence[TitleMatch], name: ActName | None) -> list[TitleMatch]:
    """Those that the name, where the reference has one, does not rule out.

    One that has a number in place of a year is not surely what is of some year.
    """
    return [
        one
        for one in namings
        if name is None
        or not (
            name.contradicts(one.title) or (name.is_numbered and one.title.year and not (name.year or name.calendar))
        )
    ]


def _is_numbered_so(source_id: int, number: str) -> bool:
    """Whether a source may have the number: of a code in parts each part has those that begin alike."""
    numbers = [section_key(one.number) for one in provisions.numbered(source_id)]
    is_coded = all(_SEPARATOR.search(one) for one in numbers)
    return not is_coded or _SEPARATOR.split(section_key(number))[0] in {_SEPARATOR.split(one)[0] for one in numbers}


def _ids(namings: Sequence[TitleMatch]) -> list[int]:
    return [naming.source_id for naming in namings]
