"""Abbreviations, as the documents themselves explain them, both ways: `Multilateral Trading Facility (MTF)`."""

import re
from collections.abc import Iterator, Mapping, Sequence

from kb_project.database.rows import fetch
from law.citations.query import ParsedQuery
from law.languages import LANGUAGES
from law.languages.scripts import either, language_of
from law.words.analysis import Term, term_offsets, terms
from law.words.stop_words import FUNCTION_WORDS
from law.words.synonyms import Meaning, are_same
from search.index import engine
from search.ranking.word_query import QueryTerm, TermCounts
from sources.scope import Scope

WEIGHT = 0.8  # of a word of the long form beside the abbreviation, and the other way round
SHORTEST, LONGEST = 2, 6  # letters
SHORTEST_LOOKED_UP = 3  # letters of an abbreviation that the query spells out: any two words begin with some two
MOST_WORDS = 40  # of a query that is read for them
MOST_LOOKED_UP = 3  # abbreviations that a query may stand for
MOST_READ = 2_000  # passages with an abbreviation that are searched for what it is short for
MOST_SPELLED_OUT = 200  # that have one which the query spells out: initials make many a common word
MOST_MEANINGS = 2  # of one abbreviation
_ABBREVIATION = re.compile(either(language.acronym for language in LANGUAGES))
_WORD = re.compile(r"[^\W_]+(?:[\"״'’][^\W_]+)*")
_BEFORE = 160  # characters in which the long form stands
_PREFIX = f"[{''.join(sorted(set().union(*(language.prefixes for language in LANGUAGES))))}]{{0,2}}"
_OPENS = r"(?:\((?:[^()\n]{0,12}[\s–—-])?[\"“”„״]?|[\"“”„״])" + _PREFIX
_CLOSES = r"(?:[\"“”״]?\)|[\"“”״])"
_SENTENCE_END = re.compile(r"[.;:\n\t]|\)\s")


def candidates(query: ParsedQuery) -> dict[Term, tuple[int, int]]:
    """What may be an abbreviation, and the places of the words that it stands for: its own, or those it is made of.

    Words that it is made of are looked for in questions only: the initials of any words make many.

    Nothing in a query that cites, where it is likely the name of an act, nor in a very long one.
    """
    words = query.terms
    if len(words) > MOST_WORDS or query.references:
        return {}
    written = [query.text[start:end] for start, end in term_offsets(query.text)]
    singular = [word.removesuffix("s") for word in written]  # a stem may keep the s of `MTFs`
    found = {
        short: (at, at + 1)
        for at, word in enumerate(singular)
        if _ABBREVIATION.fullmatch(word)
        for short in terms(word)
        if len(short.stem) >= SHORTEST
    }
    for short, place in _spelled_out(words) if query.is_question else ():
        found.setdefault(short, place)
    return found


def find_abbreviations(
    words: Sequence[Term], places: Mapping[Term, tuple[int, int]], counts: TermCounts, *, scope: Scope
) -> tuple[Meaning, ...]:
    """What abbreviations of the query are short for, and abbreviations of its words; `places` are its `candidates`."""
    found: list[Meaning] = []
    likeliest = _likeliest(places, counts)[:MOST_LOOKED_UP]
    for term, longs in _long_forms(likeliest, Scope(topic_id=scope.topic_id)).items() if likeliest else ():
        start, end = places[term]
        if end - start == 1:
            found += [Meaning(text, tuple(terms(text)), WEIGHT, start, end) for text in longs[:MOST_MEANINGS]]
        elif any(are_same(terms(text), words[start:end]) for text in longs):
            found.append(Meaning(term.word.upper(), (term,), WEIGHT, start, end))
    return tuple(found)


def _likeliest(places: Mapping[Term, tuple[int, int]], counts: TermCounts) -> list[Term]:
    """Those that the documents have: what the query writes as one, then what it spells out, the rarest first."""
    count = {term: counts.by_stem.get(term.stem_hash, 0) for term in places}
    written = [term for term, (start, end) in places.items() if end - start == 1 and count[term]]
    spelled_out = [term for term in places if term not in written and 0 < count[term] <= MOST_SPELLED_OUT]
    return [*written, *sorted(spelled_out, key=lambda term: count[term])]


def _spelled_out(words: Sequence[Term]) -> Iterator[tuple[Term, tuple[int, int]]]:
    """The words that the initials of neighbouring words make, without the small ones between them, and their places."""
    tells = [word.word[0].isalpha() and word.word not in FUNCTION_WORDS for word in words]
    for start in range(len(words)):
        letters = ""
        for end in range(start, len(words)):
            if tells[end]:
                letters += words[end].word[0]
                if len(letters) >= SHORTEST_LOOKED_UP:
                    yield from ((short, (start, end + 1)) for short in terms(letters))
            if not letters or len(letters) == LONGEST:
                break


def _long_forms(shorts: Sequence[Term], scope: Scope) -> dict[Term, list[str]]:
    """What the documents of a scope say that each is short for, the commonest first."""
    stems = [short.stem_hash for short in shorts]
    any_of = [QueryTerm(stem, 1.0, 1) for stem in stems]
    holding = engine().matches([any_of], scope=scope, least=1.0, required=[stems])
    patterns = {short: _explained(short.stem) for short in shorts}
    rows = fetch(
        "SELECT text FROM kb_chunk WHERE id = ANY(%s::bigint[]) AND text ~ %s",
        [holding.chunk_ids[:MOST_READ].tolist(), "|".join(patterns.values())],
    )
    return {short: _commonest(short.stem, pattern, [text for (text,) in rows]) for short, pattern in patterns.items()}


def _commonest(letters: str, pattern: str, texts: Sequence[str]) -> list[str]:
    """What the letters are short for in these texts, each in one form of its words."""
    found: dict[tuple[str, ...], list[str]] = {}
    for text in texts:
        for match in re.finditer(pattern, text):
            for long in _before(text[max(0, match.start() - _BEFORE) : match.start()], letters):
                found.setdefault(tuple(term.stem for term in terms(long)), []).append(long)
    return [longs[0] for longs in sorted(found.values(), key=lambda longs: -len(longs))]


def _explained(letters: str) -> str:
    """A pattern, of Postgres and Python, for the abbreviation in brackets or quotation marks, as texts explain it."""
    last = letters[-1].upper()
    return f"{_OPENS}{letters[:-1].upper()}[\"״”']?{last}s?{_CLOSES}"


def _before(text: str, letters: str) -> Iterator[str]:
    """The words at the end of a text that the letters are the first of."""
    sentence = _SENTENCE_END.split(text)[-1]
    words = list(_WORD.finditer(sentence))
    for count in range(1, min(len(words), 2 * len(letters)) + 1):
        run = [word[0].casefold() for word in words[-count:]]
        if run[0] not in FUNCTION_WORDS and _spells(letters, run):
            yield sentence[words[-count].start() : words[-1].end()]
            return


def _spells(letters: str, words: Sequence[str]) -> bool:
    """Whether the letters are the first one or two of each word, of which small ones may be left out."""
    if not words:
        return not letters
    word, rest = words[0], words[1:]
    if word in FUNCTION_WORDS and _spells(letters, rest):
        return True
    forms = [word, word[1:]] if word[0] in language_of(word).prefixes else [word]
    starts = ((form[:count], count) for form in forms for count in (1, 2))
    return any(bool(start) and letters.startswith(start) and _spells(letters[count:], rest) for start, count in starts)
