"""What a search has decided on before it looks for anything: one object, made once and not changed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import pgvector

from law.citations.parsing import ParsedQuery
from law.languages import Language
from law.languages.scripts import main_language
from law.structure.definitions import DefinitionRequest
from law.words.spellings import SpelledWords
from search.embedders.lacking_vectors import LackingVectors
from search.embedders.spaces import begin_embedding, is_active
from search.index import Vector
from search.models import EmbeddingSpace
from search.ranking import term_coverage
from search.ranking.fusion import Spread, meaning_weight
from search.ranking.word_query import WordQuery
from search.results import Mode, SpellingCorrection
from search.retrieval.listing import Listing, Sort
from sources.citations import GivenTitles, TitleMatches
from sources.scope import Scope


@dataclass(frozen=True, slots=True)
class VectorsOfTopic:
    """How the vectors of the topic lie: their mean, as pgvector writes it, and the deviation of similarities.

    Where several are searched, it is those of all topics. `between` is the direction between its two languages,
    where it has two, `across` the deviation of similarities of a passage of one with a passage of the other.
    """

    mean: str
    deviation: float
    between: str | None = None
    across: float | None = None

    def spread(self, vector: Vector) -> Spread:
        """That of the similarities with the vector of a query."""
        return Spread(float(_read_vector(self.mean) @ vector), self.deviation, self.across)

    def leveled(self, vector: Vector) -> Vector:
        """The vector of a query, without what draws it to the passages of its own language."""
        if self.between is None:
            return vector
        between = _read_vector(self.between)
        left = vector - (vector @ between) * between
        return np.asarray(left / max(float(np.linalg.norm(left)), 1e-9), np.float32)


def _read_vector(written: str) -> Vector:
    return np.asarray(pgvector.Vector.from_text(written).to_numpy(), np.float32)


ASKED, REWORDED, SENTENCE = 0.5, 1.0, 2.0  # what a passage's rank by the query, another wording, a sentence counts


@dataclass(frozen=True, slots=True)
class QueryVariant:
    """Other words for what a query asks, or a sentence as a document may have it that answers."""

    text: str
    is_sentence: bool = False

    @property
    def weight(self) -> float:
        return SENTENCE if self.is_sentence else REWORDED


@dataclass(frozen=True, kw_only=True, slots=True)
class WeightedQuery:
    """One wording of a query, weighed by the scope that it is looked for in."""

    spelled: SpelledWords
    words: WordQuery
    weight: float
    is_sentence: bool = False


@dataclass(frozen=True, kw_only=True)
class QueryPlan:
    """A query and its other wordings, weighed by the scope that they are looked for in, and how results are listed.

    `scope` is where the passages are looked for. Of a list it has no filters: these, in `filtered`, only choose among
    what matches. `titles` are the sources that the query names, None for one that cites: it is found by what it cites,
    and `cited_names` are the whole titles that it gives. Where it `is_list` all that matches is wanted, as a list that
    ends, and not just the best passages. `lacking` says that some passages of the scope's topics have no vectors yet,
    and can be found by their words only. `weigh` weighs other words in the scope, `weigh_inside` in one of its sources,
    whose topic's name says nothing.
    """

    parsed: ParsedQuery
    words: WordQuery
    reworded: Sequence[WeightedQuery]
    titles: TitleMatches | None
    cited_names: GivenTitles | None
    scope: Scope
    filtered: Scope
    mode: Mode
    listing: Listing | None
    space: EmbeddingSpace | None
    is_list: bool = False
    vectors: VectorsOfTopic | None = None
    lacking: LackingVectors | None = None
    expansions: Sequence[QueryVariant] = ()
    corrections: Sequence[SpellingCorrection] = ()
    weigh: Callable[..., WordQuery] = field(repr=False, compare=False)
    weigh_inside: Callable[..., WordQuery] = field(repr=False, compare=False)

    @property
    def lacks_vectors(self) -> bool:
        """Whether words alone find some passages of the scope's topics, where there is a model of meanings."""
        return self.lacking is not None

    @property
    def uses_words(self) -> bool:
        """Whether passages are looked for by their words: those without a vector are in each mode."""
        return self.weight < 1 or self.lacks_vectors

    @property
    def share_of_vectors(self) -> float:
        """Of the passages of the scope's topics, as far as it is known."""
        counted = self.lacking
        return counted.vectors / counted.passages if counted and counted.passages and counted.vectors else 1.0

    @cached_property
    def weight(self) -> float:
        """Of the passages' meaning beside their words, from 0 to 1."""
        if self.space is None:
            return 0.0
        if self.mode is Mode.SEMANTIC:
            return 1.0
        known = self.words.known_share
        return meaning_weight(self.space.provider, known=known, is_question=self.parsed.is_question)

    @cached_property
    def vector(self) -> Future[Vector] | None:
        """What passages are compared with, made from when it is first asked for. None where meaning adds nothing."""
        if self.space is None or not self.weight:
            return None
        adjust = self.vectors.leveled if self.vectors else None
        return begin_embedding(self.parsed.text, space=self.space, adjust=adjust)

    @property
    def spread(self) -> Spread | None:
        """Of the similarities with `vector`, which is waited for, where it is known and words count beside them."""
        if self.vectors is None or self.vector is None or not self.uses_words:
            return None
        return self.vectors.spread(self.vector.result())

    @cached_property
    def asked(self) -> DefinitionRequest:
        """What the query wants explained."""
        return self.parsed.definition_terms(self.words.meanings)

    @property
    def wordings(self) -> list[WeightedQuery]:
        """The query, then its other wordings."""
        return [WeightedQuery(spelled=self.parsed.spelled, words=self.words, weight=ASKED), *self.reworded]

    @property
    def sentence(self) -> WeightedQuery | None:
        """The sentence that may answer. What does answer has its words rather than those of the query."""
        return next((one for one in self.reworded if one.is_sentence), None)

    @cached_property
    def weights(self) -> list[term_coverage.Weights]:
        """What the words are worth by which passages are judged: of the sentence, or else of each wording."""
        judged = [self.sentence] if self.sentence else self.wordings
        return [
            term_coverage.query_weights(
                one.spelled,
                frequencies=one.words.frequencies,
                chunks=one.words.chunks,
                little=one.words.little,
                meanings=one.words.meanings,
            )
            for one in judged
        ]

    @property
    def meanings(self) -> list[str]:
        """What its words also mean, as people read it, each once."""
        corrected = [one.meaning for one in self.corrections]
        return list(dict.fromkeys(one.text for one in self.words.meanings if one not in corrected))

    @cached_property
    def language(self) -> Language:
        """The one that most of the query is in."""
        return main_language(self.parsed.text)

    @property
    def may_move(self) -> bool:
        """Whether the order is open: not where one sees what words or meanings alone find, or the newest."""
        return self.mode is Mode.HYBRID and (self.listing is None or self.listing.sort is Sort.RELEVANCE)

    @property
    def is_switched(self) -> bool:
        """Whether the vectors that it was to be compared with went while it was embedded."""
        return self.space is not None and not is_active(self.space)

    @property
    def shown_stems(self) -> Sequence[frozenset[str]]:
        """The stems whose words are to be highlighted: of the query, then of each meaning (`read_hits`)."""
        return [self.parsed.discriminative.matched_stems, *(meaning.stems for meaning in self.words.meanings)]
