"""How much of a question a text holds: the weight of the question's telling words that are in it.

Unlike a score, a share of the question can be compared between questions, topics and lengths of text.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain

from law.languages.scripts import language_of
from law.words.analysis import Term
from law.words.spellings import SpelledWords, stems_of
from law.words.synonyms import Meaning
from law.words.term_weights import idf
from search.ranking.word_query import WEIGHT_IN_TOPIC

# What every topic is counted with: in one of six passages the statistics alone would call a word of the topic
# common, and weigh only the words that it does not have.
BACKGROUND = 1_000
# A light stem joins words that are not related; measured in Hebrew, a word met in another form says this much.
OTHER_FORM = 0.6


@dataclass(frozen=True)
class Weights:
    """A question's telling words: the weight of each stem, and the words as they were asked with.

    `spellings` lead from a stem in another spelling to the one that it stands for. `stems` are all of both. `meanings`
    are the stems of words that mean others too, by their hashes, and what they mean.
    """

    by_stem: Mapping[int, float] = field(default_factory=dict)
    words: frozenset[int] = frozenset()
    spellings: Mapping[int, int] = field(default_factory=dict)
    stems: frozenset[str] = frozenset()
    meanings: tuple[tuple[frozenset[int], Meaning], ...] = ()

    def without(self, stems: Collection[int]) -> Weights:
        """The weights of the other words, if there are others."""
        others = {stem: weight for stem, weight in self.by_stem.items() if stem not in stems}
        return replace(self, by_stem=others) if others else self

    def share(self, held: Iterable[Term]) -> float:
        """The share, from 0 to 1, of the weight of all words that these terms of a text hold."""
        whole, worth = self._whole, self._worth
        best: dict[int, float] = {}
        for term in {term for term in held if term.stem_hash in worth}:
            meant, weight = worth[term.stem_hash]
            same = term.word_hash in self.words or not language_of(term.word).joins_unrelated_words
            best[meant] = max(best.get(meant, 0.0), weight if same else weight * OTHER_FORM)
        return sum(map(best.__getitem__, sorted(best))) / whole if whole else 0.0

    @cached_property
    def _whole(self) -> float:
        """The weight of all words."""
        return sum(self.by_stem.values())

    @cached_property
    def _worth(self) -> Mapping[int, tuple[int, float]]:
        """By each stem that a text may meet words by: the stem that it stands for, and the weight of that one."""
        stands_for = {**{stem: stem for stem in self.by_stem}, **self.spellings}
        return {stem: (meant, weight) for stem, meant in stands_for.items() if (weight := self.by_stem.get(meant))}


def query_weights(
    query: SpelledWords,
    *,
    frequencies: Mapping[int, int],
    chunks: int,
    little: Collection[int] = frozenset(),
    meanings: Sequence[Meaning] = (),
) -> Weights:
    """A question's weights from how many of the topic's chunks hold each stem. `little` are those of its name.

    `meanings` are what words of the query mean too.
    """
    chosen = query.content
    return Weights(
        by_stem={
            term.stem_hash: idf(frequencies.get(term.stem_hash, 0), chunks + BACKGROUND)
            * (WEIGHT_IN_TOPIC if term.stem_hash in little else 1.0)
            for term in chosen
        },
        words=frozenset(term.word_hash for term in (*chosen, *chain(*query.same.values()))),
        spellings={spelling: stem for spelling, (_, stem) in query.spellings.items()},
        stems=stems_of(chosen, query.spellings),
        meanings=tuple(
            (frozenset(term.stem_hash for term in query.terms[one.start : one.end]), one) for one in meanings
        ),
    )
