"""Words of a query that no passage has, and the words here that they are one slip away from: `tenent`, `tenant`."""

from collections.abc import Sequence

from law.citations.parsing import ParsedQuery
from law.questions.spellings import near_words
from law.words.analysis import Term, term_offsets, terms
from law.words.synonyms import Meaning
from search.index import engine
from search.ranking.word_query import TermCounts
from search.results import SpellingCorrection
from sources.scope import Scope

WEIGHT = 0.9  # of the word that was meant, beside 1 of a word that the query has
MAX_WORDS = 40  # of a query that is read for them
MAX_CORRECTED = 2  # words of a query: each is some hundreds to look up


def find_corrections(
    query: ParsedQuery, counts: TermCounts, meanings: Sequence[Meaning], *, scope: Scope
) -> tuple[SpellingCorrection, ...]:
    """What words that no passage of the scope's topics has may have been meant to be, by what these have.

    Nothing for a word in quotation marks, one that is known to mean others, and in a query that cites. Asks nothing
    where each word is known.
    """
    places = _unknown(query, counts, meanings)
    if not places:
        return ()
    near = {place: _by_stem(query.terms[place]) for place in places}
    asked = list({stem: term for found in near.values() for stem, (term, _) in found.items()}.values())
    if not asked:
        return ()
    by_stem = engine().count([term.stem_hash for term in asked], scope=scope).fetch().by_stem
    offsets = term_offsets(query.words)
    found: list[SpellingCorrection] = []
    for place, words in near.items():
        likely = [
            (share * by_stem[stem], term.word, term) for stem, (term, share) in words.items() if by_stem.get(stem)
        ]
        if likely:
            *_, meant = max(likely, key=lambda one: one[:2])
            start, end = offsets[place]
            meaning = Meaning(meant.word, (meant,), WEIGHT, place, place + 1)
            found.append(
                SpellingCorrection(word=query.text[start:end], to=meant.word, start=start, end=end, meaning=meaning)
            )
    return tuple(found)


def _unknown(query: ParsedQuery, counts: TermCounts, meanings: Sequence[Meaning]) -> list[int]:
    """The places of words that say what is asked about and that no passage has in any spelling."""
    words = query.terms
    if len(words) > MAX_WORDS or query.references or not counts.chunks:
        return []
    if all(counts.by_stem.get(term.stem_hash) for term in words):
        return []
    known = {stem for stem, count in counts.by_stem.items() if count}
    known |= {meant for spelling, (_, meant) in query.spelled.spellings.items() if spelling in known}
    discriminative = {term.stem_hash for term in query.spelled.content}
    # A synonym shows that people know the word. To be written in another way does not, where nobody does.
    there = (one for one in meanings if not one.same or known.issuperset(term.stem_hash for term in one.terms))
    apart = query.quoted_places.union(*(range(one.start, one.end) for one in there))
    return [
        place
        for place, term in enumerate(words)
        if place not in apart and term.stem_hash in discriminative and term.stem_hash not in known
    ][:MAX_CORRECTED]


def _by_stem(word: Term) -> dict[int, tuple[Term, float]]:
    """The words near one by their stems, of those with one stem the likeliest."""
    found: dict[int, tuple[Term, float]] = {}
    for other, likely in near_words(word.word).items():
        [term] = terms(other)
        if term.stem_hash not in found or likely > found[term.stem_hash][1]:
            found[term.stem_hash] = term, likely
    return found
