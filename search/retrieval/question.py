"""A query as a search understands it: its words and other wordings, weighed, and what else is read before it begins."""

from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace
from uuid import UUID

import numpy as np
import pgvector

from kb_project.database.rows import Query, Rows, fetch_together, storable
from kb_project.errors import Invalid
from law.citations.query import ParsedQuery
from law.words.analysis import Term, terms
from law.words.spellings import matched_stems
from law.words.term_weights import FIELDS, FIELDS_OF_SENTENCE, WeightedField
from search.abbreviations import find_long_forms
from search.embedders import configured, lacking_vectors
from search.embedders.lacking_vectors import LackingVectors
from search.embedders.protocol import TermEmbedder
from search.embedders.spaces import begin_embedding, is_named
from search.index import NearestSearch, Vector, engine
from search.models import EmbeddingSpace
from search.ranking import term_coverage
from search.ranking.fusion import Spread, meaning_weight
from search.ranking.word_query import WordQuery, weigh
from search.results import Mode
from search.retrieval.abbreviations import candidates, meanings_of
from search.retrieval.word_search import count_in
from search.synonyms.known import find_meanings, is_current, outside_titles
from sources.citations import TitleMatches, find_named_anywhere
from sources.scope import Scope, ids_of

LONGEST_QUERY = 2_000  # characters
ASKED, REWORDED, SENTENCE = 0.5, 1.0, 2.0  # what a passage's rank by the query, another wording, a sentence counts

# A space that has no vector yet, as after a switch of the model, is none: passages are found by their words. The first
# vector of it or of a later one is read in the order of the spaces, which only an index has: with EXISTS, or in another
# order, it may be looked for among all vectors.
_STORED = """
SELECT t.name, v.version, e.id, e.provider, e.model, e.dimension, d.mean::text, d.deviation,
    d.between_languages::text, d.deviation_across, ({gone}), EXISTS (SELECT FROM kb_vector_work w WHERE {of_topic})
FROM (SELECT) AS always
LEFT JOIN kb_topic t ON t.id = %(topic)s::bigint
LEFT JOIN kb_synonym_version v ON TRUE
LEFT JOIN (kb_embedding_space e CROSS JOIN LATERAL (
    SELECT made.space_id FROM kb_chunk_embedding made WHERE made.space_id >= e.id ORDER BY made.space_id LIMIT 1
) AS next_vector) ON e.active AND next_vector.space_id = e.id
LEFT JOIN kb_vector_spread d ON d.space_id = e.id AND d.topic_id IS NOT DISTINCT FROM %(topic)s::bigint
"""


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

    terms: Sequence[Term]
    words: WordQuery
    weight: float
    is_sentence: bool = False


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


@dataclass(frozen=True, kw_only=True)
class Question:
    """A query and its other wordings, weighed by the scope that they are looked for in.

    `lacking` says that some passages of the scope's topics have no vectors yet, and can be found by their words only.
    """

    parsed: ParsedQuery
    words: WordQuery
    reworded: Sequence[WeightedQuery]
    titles: TitleMatches
    scope: Scope
    mode: Mode
    space: EmbeddingSpace | None
    vectors: VectorsOfTopic | None = None
    lacking: LackingVectors | None = None

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

    @property
    def weight(self) -> float:
        """Of the passages' meaning beside their words, from 0 to 1."""
        if self.space is None:
            return 0.0
        if self.mode is Mode.SEMANTIC:
            return 1.0
        return meaning_weight(self.space.provider, known=self.known_words, is_question=self.parsed.is_question)

    @property
    def known_words(self) -> float:
        """The share of the query's words that some passage has."""
        stems = {term.stem_hash for term in self.parsed.terms}
        return sum(self.words.frequencies.get(stem, 0) > 0 for stem in stems) / len(stems) if stems else 1.0

    @property
    def wordings(self) -> list[WeightedQuery]:
        """The query, then its other wordings."""
        return [WeightedQuery(terms=self.parsed.terms, words=self.words, weight=ASKED), *self.reworded]

    @property
    def sentence(self) -> WeightedQuery | None:
        """The sentence that may answer. What does answer has its words rather than those of the query."""
        return next((one for one in self.reworded if one.is_sentence), None)

    @property
    def weights(self) -> list[term_coverage.Weights]:
        """What the words are worth by which passages are judged: of the sentence, or else of each wording."""
        judged = [self.sentence] if self.sentence else self.wordings
        return [
            term_coverage.query_weights(
                one.terms, frequencies=one.words.frequencies, chunks=one.words.chunks, little=one.words.little
            )
            for one in judged
        ]

    @property
    def meanings(self) -> list[str]:
        """What its words also mean, as people read it, each once."""
        return list(dict.fromkeys(meaning.text for meaning in self.words.meanings))

    @property
    def shown_stems(self) -> Sequence[frozenset[str]]:
        """The stems whose words are to be highlighted: of the query, then of each meaning (`read_hits`)."""
        return [matched_stems(self.parsed.terms), *(meaning.stems for meaning in self.words.meanings)]


def parse_query(query: str) -> ParsedQuery:
    """The query as it is searched for. Raises Invalid when it is blank or too long."""
    query = storable(query).strip()
    if not query:
        raise Invalid("The query is empty.", errors={"query": ["This field may not be blank."]})
    if len(query) > LONGEST_QUERY:
        sentence = f"The query is longer than {LONGEST_QUERY} characters."
        raise Invalid(sentence, errors={"query": [sentence]})
    return ParsedQuery(query)


@dataclass(frozen=True, kw_only=True)
class _Stored:
    """What is stored beside the index and decides how a query is read."""

    topic_stems: frozenset[int]  # of the words in the name of the topic, by their hashes
    space: EmbeddingSpace | None
    synonyms: UUID | None  # their version
    spread: VectorsOfTopic | None
    scope: Scope  # that knows what is not in force
    lacks_vectors: bool


def _find_stored(scope: Scope) -> Query[_Stored]:
    def read(rows: Rows) -> _Stored:
        [(name, version, pk, provider, model, dimension, mean, deviation, between, across, gone, lacks)] = rows
        return _Stored(
            topic_stems=frozenset(term.stem_hash for term in terms(name or "")),
            space=EmbeddingSpace(pk=pk, provider=provider, model=model, dimension=dimension, active=True)
            if pk
            else None,
            synonyms=version,
            spread=VectorsOfTopic(mean, deviation, between, across) if mean and deviation else None,
            scope=scope if scope.narrows_sources else replace(scope, gone=ids_of(gone)),
            lacks_vectors=lacks,
        )

    gone, parameters = ("NULL::bytea", {}) if scope.narrows_sources else scope.gone_condition()
    of_topic, topics = scope.topic_condition("w.topic_id")
    statement = _STORED.format(gone=gone, of_topic=of_topic)
    return Query(statement, {**parameters, **topics, "topic": scope.topic_id}, read)


def read_question(
    query: ParsedQuery, *, scope: Scope, mode: Mode, expansions: Sequence[QueryVariant] = (), synonyms: bool = True
) -> Question:
    """What a search needs to know first, in one round trip.

    In more where somebody changed the synonyms, or the documents have an abbreviation for what the query says.
    """
    reworded = [terms(wording.text) for wording in expansions]
    synonyms = synonyms and mode is not Mode.SEMANTIC
    meanings = find_meanings(query, topic_id=scope.topic_id) if synonyms else ()
    short = candidates(query) if synonyms else {}
    explained = [find_long_forms(short, scope=scope)] if short else []
    counts, titles, stored, *others = fetch_together(
        [
            count_in(scope, query.terms, meanings),
            find_named_anywhere(query.terms, scope=scope),
            _find_stored(scope),
            *(count_in(scope, words) for words in reworded),
            *explained,
        ]
    )
    wordings = others[: len(reworded)]
    changed = synonyms and not is_current(scope.topic_id, stored.synonyms)
    if changed:
        meanings = find_meanings(query, topic_id=scope.topic_id)
    abbreviations = meanings_of(query.terms, short, others[-1]) if explained else ()
    if changed or abbreviations:
        meanings = (*abbreviations, *meanings)
        counts = count_in(scope, query.terms, meanings).fetch()
    # Where there is no model of meanings all are found by their words, and nothing is lacking.
    is_lacking = stored.lacks_vectors and mode is not Mode.LEXICAL and not isinstance(configured(), TermEmbedder)
    return Question(
        parsed=query,
        words=weigh(
            query.terms,
            counts,
            outside_titles(meanings, titles),
            topic_stems=stored.topic_stems,
            fields=_fields(is_sentence=query.is_question),
        ),
        reworded=[
            WeightedQuery(
                terms=words,
                words=weigh(
                    words,
                    found,
                    topic_stems=stored.topic_stems,
                    fields=_fields(is_sentence=query.is_question or wording.is_sentence),
                ),
                weight=wording.weight,
                is_sentence=wording.is_sentence,
            )
            for words, found, wording in zip(reworded, wordings, expansions, strict=True)
        ],
        titles=titles,
        scope=stored.scope,
        mode=mode,
        space=stored.space if mode is not Mode.LEXICAL and stored.space and is_named(stored.space) else None,
        vectors=stored.spread,
        lacking=lacking_vectors.of_topics(scope.topic_ids()) if is_lacking else None,
    )


def _fields(*, is_sentence: bool) -> Sequence[WeightedField]:
    return FIELDS_OF_SENTENCE if is_sentence else FIELDS


def begin_nearest(question: Question, *, limit: int) -> tuple[NearestSearch, Future[Vector]] | tuple[None, None]:
    """The search by meaning, begun, and the vector it goes by, or neither where it adds nothing."""
    if question.space is None or not question.weight:
        return None, None
    adjust = question.vectors.leveled if question.vectors else None
    vector = begin_embedding(question.parsed.text, space=question.space, adjust=adjust)
    return engine().nearest(vector, space=question.space, scope=question.scope, limit=limit), vector
