"""Places in words: `Paragraphs 10(a) to (d)`, `the portion of subsection 9(1) before paragraph (a)`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from law.amendments.instructions import Place
from law.citations.cited_items import CitedItem, Clause
from law.citations.folding import fold_query
from law.citations.grammar import next_in_list, read
from law.languages import Language
from law.patterns import regex

MAX_PLACES = 60
_END = regex(r"[\s,;.]+$")
_WORD = regex(r"\w")


class _Unread(Exception):
    """Words behind a citation were not understood."""


@dataclass(frozen=True, slots=True)
class NamedPlaces:
    """Places and the act whose they are, '' where none is named. `unread` are words that were not understood."""

    places: tuple[Place, ...] = ()
    act: str = ""
    is_other_version: bool = False
    unread: str = ""


def read_places(words: str, language: Language, *, within: Place | None = None) -> NamedPlaces:
    """The places that words name, inside of `within` where they say no section."""
    said, act, other = _without_act(words, language)
    places: list[Place] = []
    unread: list[str] = []
    for part in re.split(language.amending.joins, said):
        inner = re.match(language.amending.pattern("narrows"), part)
        outer = places.pop() if inner and places else (within or (places[-1] if places else None))
        found = _all(_END.sub("", part[inner.end() if inner else 0 :]).strip(), language, outer)
        if outer is not None and outer.annex:  # `paragraph 3` of a schedule is no section of the act
            found = [replace(one, annex=one.annex or outer.annex) for one in found]
        places += found[: MAX_PLACES - len(places)]
        if not found:
            unread.append(part)
    if not said and act:
        places = [Place(words=words)]
        unread = []
    return NamedPlaces(tuple(places), act, other, "; ".join(unread))


def _all(words: str, language: Language, within: Place | None) -> list[Place]:
    try:
        return list(_one(words, language, within))
    except _Unread:
        return []


def _without_act(words: str, language: Language) -> tuple[str, str, bool]:
    """The words without the name of the act that they end with or hold."""
    rows = language.amending
    if alone := re.fullmatch(rows.act_alone, words.strip()):
        return "", alone["act"], False
    if re.fullmatch(rows.same, words.strip()):
        return "", words.strip(), False
    if first := re.match(rows.act_first, words):
        return words[first.end() :].strip(), first["act"], False
    match = re.search(rows.act, words)
    if match is None:
        return words.strip(), "", False
    said = f"{words[: match.start()]}{words[match.end() :]}".strip()
    return said, match["act"], match["version"] == rows.other_version


def _one(words: str, language: Language, within: Place | None) -> Iterator[Place]:
    for pattern in language.amending.places:
        if match := re.fullmatch(pattern, words, re.IGNORECASE):
            yield from _described(match, words, language, within)
            return
    yield from _cited(words, within)


def _described(match: re.Match[str], words: str, language: Language, within: Place | None) -> Iterator[Place]:
    """A place that is more than a number: a heading, a definition, the words before a list."""
    of = match.groupdict()
    rest = list(_one(of["rest"], language, within)) if of.get("rest") else [within or Place()]
    if of.get("annex"):
        yield Place(annex=of["annex"].lower(), words=words)
    elif of.get("heading"):
        side = "of" if of.get("own") else "before"
        yield from (replace(one, heading=side, words=words) for one in _one(of["heading"], language, within))
    elif not rest:
        return
    elif of.get("heading_before"):
        yield replace(rest[0], heading="before", words=words)
    elif of.get("heading_own") is not None:
        yield replace(rest[0], heading="of", words=words)
    elif of.get("portion") or of.get("side") or of.get("behind"):
        yield from _edge(of, rest[0], words)
    elif of.get("terms"):
        base = replace(rest[0], terms=of["terms"], inside=(), last_inside=(), words=words)
        inside = _cited(of["inside"], None) if of.get("inside") else [Place()]
        yield from (replace(base, inside=one.clauses, last_inside=one.last_clauses) for one in inside)
    elif within is not None:  # `that paragraph`
        yield replace(within, words=words)


def _edge(of: dict[str, str | None], there: Place, words: str) -> Iterator[Place]:
    """The words of a place before a clause of it, or behind; without a clause before its list, or behind."""
    side = "after" if of.get("behind") else "before"
    if not of.get("portion"):
        yield replace(there, edge=side, words=words)
    elif clause := next(_cited(of["portion"] or "", Place()), None):
        yield replace(there, edge=side, edge_clauses=clause.clauses, words=words)


def _cited(words: str, within: Place | None) -> Iterator[Place]:
    """Sections and clauses that are cited by number."""
    text = fold_query(words).text
    citation = read(text, 0, most=MAX_PLACES)
    end = 0
    while citation is not None and citation.end > end:
        end = citation.end
        annex = next((one.number or "*" for one in citation.divisions if one.is_annex), "")
        for item in citation.items:
            yield from _sections(item, annex, words)
        if citation.clauses:
            yield from _clauses(citation.clauses, within or Place(), words)
        elif citation.divisions and not citation.items:
            yield Place(annex=annex or "/".join(f"{one.kind} {one.number}" for one in citation.divisions), words=words)
        following = next_in_list(text, citation, most=MAX_PLACES)
        if following is None and _WORD.search(text, citation.end):
            raise _Unread
        citation = following


def _sections(item: CitedItem, annex: str, words: str) -> Iterator[Place]:
    """A section or clauses of it, or a range: `10(a) to (d)`."""
    place = Place(section=item.number, annex=annex, words=words)
    if not item.last:
        yield from (replace(place, clauses=path) for path in item.clauses or ((),))
        return
    *before, first = item.clauses or ((),)
    last, *behind = item.last_clauses or ((),)
    yield from (replace(place, clauses=path) for path in before)
    number = "" if item.last == item.number else item.last
    yield replace(place, last=number, clauses=first, last_clauses=last)
    yield from (replace(place, section=item.last, clauses=path) for path in behind)


def _clauses(clauses: Sequence[Clause], within: Place, words: str) -> Iterator[Place]:
    """Clauses of the place that was named before: `paragraph (g)` of subsection 4(2)."""
    above = within.inside if within.terms else within.clauses
    held: tuple[str, ...] = ()
    for clause in clauses:
        path = (*above, *clause.path)
        if held:
            yield _at(within, held, path, words)
            held = ()
        elif clause.up_to:
            held = path
        else:
            yield _at(within, path, (), words)


def _at(within: Place, path: tuple[str, ...], last: tuple[str, ...], words: str) -> Place:
    """A clause of a place, or all up to the last, in the section or in the definition that the place is."""
    if within.terms:
        return replace(within, inside=path, last_inside=last, edge="", edge_clauses=(), words=words)
    return replace(within, clauses=path, last_clauses=last, edge="", edge_clauses=(), words=words)
