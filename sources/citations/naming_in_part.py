"""Which sources a text names by parts of their titles."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kb_project.database.rows import Rows, fetch
from law.citations.parsing import ParsedQuery
from law.citations.titles import (
    PartName,
    Title,
    of_one_year,
    parse_title,
    title_similarity,
    without_prefixes,
    year_beside,
)
from law.languages.scripts import language_of
from law.words.analysis import Term, hash_text
from law.words.term_weights import term_ids
from sources.citations.title_matching import MAX_TITLES, MIN_NAME_LENGTH, TitleMatch, TitleMatches
from sources.scope import Scope

MAX_CONTAINED_LENGTH = 10  # words
MAX_PART_LENGTH = 6  # words of a query that may be part of an act's name
MAX_BEFORE_NUMBER = 4  # words: `Regulation (EC) No 7/2031`

_NUMBER = re.compile(r"\d+/\d+")
_YEAR = re.compile(r"(?:1[5-9]|2[045])\d\d")


class _Stems(NamedTuple):
    """What a title holds: all of some words, and one of some stems. Of either there may be none."""

    words: Sequence[Term] = ()
    any_of: Sequence[str] = ()

    def hashes(self) -> dict[str, NDArray[np.uint64]]:
        """By the operator that holds a title's stems against them."""
        given = {"@>": [term.stem_hash for term in self.words], "&&": list(map(hash_text, self.any_of))}
        return {operator: np.array(hashes, np.uint64) for operator, hashes in given.items() if hashes}


class NamedSource(NamedTuple):
    """A source, as it is called."""

    title: str
    source_id: int
    in_force: bool  # on the day of the scope


def named_by_words_of_title(words: Sequence[Term], *, scope: Scope) -> list[TitleMatch]:
    """Sources of the same type whose title holds all the words, or as many of the first of them as possible.

    `תקנות דוחות תקופתיים` is so found for `תקנות ניירות ערך (דוחות תקופתיים ומיידיים)`.
    """
    if len(words) < MIN_NAME_LENGTH + 1:
        return []
    kinds = {term.stem for term in without_prefixes(words[0])}
    rest = words[1 : MAX_CONTAINED_LENGTH + 1]
    namings = []
    for source_id, raw_title in _titles_holding([_Stems(rest[:MIN_NAME_LENGTH])], scope=scope):
        title = parse_title(raw_title)
        if not title.words or title.words[0].term.stem not in kinds:
            continue
        stems = {word.term.stem for word in title.words}
        held = next((place for place, term in enumerate(rest) if term.stem not in stems), len(rest))
        if _is_numbered_otherwise(title, words[1:], behind=held):
            continue
        namings.append(_by_words(source_id, matched=held, title=title))
    return sorted(namings, key=lambda naming: naming.order)


def named_in_part(after: Sequence[Term], before: Sequence[Term], *, scope: Scope) -> list[TitleMatch]:
    """Sources that a citation names by the least that can tell them, in one look-up.

    By a word of the brackets, if no other title of the type has it: `חוק המעצרים` for `חוק סדר הדין הפלילי (סמכויות
    אכיפה – מעצרים)`. By all words of the last brackets: `Raft Regulation` for `Regulation 2031/7 (Raft Regulation)`. Or
    by all but the first word, behind the number or before it: `הגנת הפרטיות, סעיף 17`.
    """
    after, before = after[:MAX_CONTAINED_LENGTH], before[-MAX_CONTAINED_LENGTH:]
    # By its second word alone hundreds of titles would be found that do not begin so, nor their brackets.
    looked_up = [_Stems(after[1:2], _first_stems(after[0]))] if len(after) >= MIN_NAME_LENGTH else []
    if len(before) >= MIN_NAME_LENGTH:
        looked_up.append(_Stems(before[-MIN_NAME_LENGTH:]))
    rows = _titles_holding(looked_up, scope=scope)
    titles = [(source_id, parse_title(title)) for source_id, title in rows]
    namings = [_by_words(one, matched=matched, title=title) for one, matched, title in _in_brackets(after, titles)]
    for source_id, title in titles:
        wanted = [word for word in title.words[1:] if not word.optional]
        for words in ([word.term for word in some] for some in (wanted, title.called)):
            length = len(words)
            for given, behind in ((after[:length], after[length:]), (before[-length:], ())):
                named = len(given) == length >= MIN_NAME_LENGTH and all(map(title_similarity, words, given))
                if named and not _is_numbered_otherwise(title, behind):
                    namings.append(_by_words(source_id, matched=length, title=title))
    return sorted(namings, key=lambda naming: naming.order)


def named_act(
    query: ParsedQuery, titles: TitleMatches, *, among: Iterable[tuple[str, int]], scope: Scope
) -> int | None:
    """The source whose name the query is, if that is one alone: its title, or the part that tells it from all others.

    `titles` are those of the query. Parts of names are looked up only where the title of one `among` the acts found,
    each with its topic, has all the words.
    """
    return _by_title(query.text, titles) or _by_part(query.terms, among, scope=scope)


def _by_title(query: str, titles: TitleMatches) -> int | None:
    """The one of which the query is the title: the whole title before what begins so, and that of its year."""
    from_start = [naming for naming in titles(1, cut_short=True) if naming.start == 0]
    length = len(parse_title(query).words) if from_start else 0  # without the year
    whole = [naming for naming in from_start if naming.end >= length]
    whole = [naming for naming in whole if not naming.left] or whole
    whole = [naming for naming in whole if naming.same_year] or whole
    return whole[0].source_id if len(whole) == 1 else None


def _by_part(words: Sequence[Term], acts: Iterable[tuple[str, int]], *, scope: Scope) -> int | None:
    """The one that the words name, as `named_in_part`."""
    if not 2 <= len(words) <= MAX_PART_LENGTH:
        return None
    stems = {word.stem for word in words}
    topic_id = next((of for title, of in acts if stems <= {word.term.stem for word in parse_title(title).words}), None)
    if topic_id is None:
        return None
    namings = named_in_part(words, (), scope=replace(scope, topic_id=topic_id))
    left = {naming.source_id: naming.left for naming in namings if naming.matched == len(words)}
    fullest = [source_id for source_id, words_left in left.items() if words_left == min(left.values())]
    return fullest[0] if len(fullest) == 1 else None


def named_by_part(name: str, *, scope: Scope) -> list[int]:
    """The sources of which a name is the end of the title, or has its words cut short. Of a code all parts.

    None where they are of several works that are no parts of one.
    """
    part = PartName(name)
    rows = _titles_holding([_Stems(part.whole)], scope=scope) if part.whole else []
    found = [(source_id, title) for source_id, title in rows if part.may_mean(parse_title(title))]
    is_code = all(part.is_code(parse_title(title)) for _, title in found)
    return [source_id for source_id, _ in found] if is_code or len({title for _, title in found}) == 1 else []


def _is_numbered_otherwise(title: Title, words: Sequence[Term], *, behind: int = 0) -> bool:
    """Whether a text names another number (`2031/7`) beside the name, or another year right behind it."""
    numbers = {term.word for term in words[:MAX_BEFORE_NUMBER] if _NUMBER.fullmatch(term.word)}
    own = {word.term.word for word in title.words}
    other_number = bool(numbers) and numbers.isdisjoint(own)
    year, calendar = year_beside(words[behind:])
    years = set() if title.year else {word for word in own if _YEAR.fullmatch(word)}
    other_year = bool(year and years) and year not in years
    return other_number or other_year or of_one_year(title, year, calendar) is False


def _first_stems(word: Term) -> list[str]:
    """The word in any spelling, and without prefix letters."""
    return [*(one.stem for one in without_prefixes(word)), *language_of(word.stem).other_spellings(word.stem)]


def _in_brackets(words: Sequence[Term], titles: Iterable[tuple[int, Title]]) -> list[tuple[int, int, Title]]:
    """The one source whose title has a word, in brackets, behind the same type of act. How much matches, its title."""
    if len(words) < MIN_NAME_LENGTH:
        return []
    kinds, stem = {term.stem for term in without_prefixes(words[0])}, words[1].stem
    having = [
        (source_id, [word.optional for word in title.words if word.term.stem == stem], title)
        for source_id, title in titles
        if title.words and title.words[0].term.stem in kinds and not _is_numbered_otherwise(title, words[1:], behind=1)
    ]
    having = [row for row in having if row[1]]
    return [(having[0][0], MIN_NAME_LENGTH, having[0][2])] if len(having) == 1 and all(having[0][1]) else []


def _by_words(source_id: int, *, matched: int, title: Title) -> TitleMatch:
    """A source that is named by some words of its title, though not by its beginning."""
    return TitleMatch(
        source_id=source_id,
        title=title,
        start=0,
        end=matched,
        matched=matched,
        left=len(title.words) - matched,
        complete=False,
        same_year=None,
    )


def _titles_holding(alternatives: Sequence[_Stems], *, scope: Scope) -> Rows:
    """Ids and titles of the sources whose title holds one of the alternatives."""
    rows = _titles(alternatives, scope=scope, other_days=False)
    return [(source_id, title) for source_id, title, _ in rows]


def sources_with_any(words: Sequence[Term], *, scope: Scope) -> list[NamedSource]:
    """The sources of the scope, and of other days, whose titles hold one of the words or more, in any spelling."""
    stems = [stem for word in words for stem in (word.stem, *language_of(word.stem).other_spellings(word.stem))]
    rows = _titles([_Stems(any_of=stems)], scope=scope, other_days=True)
    return [NamedSource(title, pk, in_force) for pk, title, in_force in rows]


def _titles(alternatives: Sequence[_Stems], *, scope: Scope, other_days: bool) -> Rows:
    """The sources whose title holds one of the alternatives.

    A row has the id, the title, and whether it is in force on the day of the scope. Those that are come first.
    """
    condition, parameters = replace(scope, all_versions=scope.all_versions or other_days).source_condition("s")
    in_force, days = scope.days_condition("s")
    # The ids of a stem differ from topic to topic: one query asks the index for each topic's.
    ids: dict[str, list[int]] = {}
    held: list[str] = []
    for topic_id, stems in product(scope.topic_ids(), alternatives):
        conditions = []
        for operator, hashes in stems.hashes().items():
            name = f"stems_{len(ids)}"
            ids[name] = term_ids(hashes, topic_id).tolist()
            conditions.append(f"k.title_stems {operator} %({name})s::int[]")
        if conditions:  # nothing holds no stem
            held.append(" AND ".join(conditions))
    if not held:
        return []
    statement = f"""
        SELECT k.source_id, s.title, {in_force} AS in_force FROM kb_source_key k JOIN kb_source s ON s.id = k.source_id
        WHERE ({" OR ".join(held)}) AND {condition} ORDER BY in_force DESC, k.source_id LIMIT {MAX_TITLES}
    """
    return fetch(statement, {**parameters, **days, **ids})
