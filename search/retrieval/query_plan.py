"""The first step of a search: the words and other wordings of the query, weighed, and what decides on them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial

from kb_project.database.rows import Query, fetch_together, storable
from kb_project.errors import Invalid
from law.citations.folding import fold_query
from law.citations.parsing import ParsedQuery
from law.structure.definitions import DefinitionRequest
from law.words.analysis import terms, without_invisible
from law.words.spellings import SpelledWords
from law.words.synonyms import Meaning
from law.words.term_weights import FIELDS, FIELDS_OF_SENTENCE, WeightedField
from search.abbreviations import abbreviation_query
from search.embedders import configured, lacking_vectors
from search.embedders.lacking_vectors import LackingVectors
from search.embedders.protocol import TermEmbedder
from search.embedders.spaces import is_active, is_named
from search.index import engine
from search.models import EmbeddingSpace
from search.ranking import term_coverage
from search.ranking.fusion import meaning_weight
from search.ranking.word_query import TermCounts, WordQuery, stems_to_count, weigh
from search.results import Correction, Mode
from search.retrieval.corrections import find_corrections
from search.retrieval.listing import Listing, Sort
from search.retrieval.topic_state import VectorsOfTopic, topic_state
from search.synonyms.known import find_meanings, is_current
from sources.citations import MIN_CHUNKS, GivenTitles, TitleMatches, names_query, title_query
from sources.scope import Scope

MAX_QUERY_LENGTH = 2_000  # characters
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
    and `cited_names` are the whole titles that it gives. `lacking` says that some passages of the scope's topics have
    no vectors yet, and can be found by their words only.
    """

    parsed: ParsedQuery
    words: WordQuery
    counts: TermCounts
    reworded: Sequence[WeightedQuery]
    titles: TitleMatches | None
    cited_names: GivenTitles | None
    scope: Scope
    filtered: Scope
    mode: Mode
    listing: Listing | None
    space: EmbeddingSpace | None
    vectors: VectorsOfTopic | None = None
    lacking: LackingVectors | None = None
    expansions: Sequence[QueryVariant] = ()
    corrections: Sequence[Correction] = ()
    weigh: Callable[[SpelledWords], WordQuery] = field(repr=False, compare=False)

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
        return meaning_weight(self.space.provider, known=self.known_words, is_question=self.parsed.is_question)

    @property
    def known_words(self) -> float:
        """The share of the query's words that some passage has."""
        stems = {term.stem_hash for term in self.parsed.terms}
        return sum(self.words.frequencies.get(stem, 0) > 0 for stem in stems) / len(stems) if stems else 1.0

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
    def asked(self) -> DefinitionRequest:
        """What the query wants explained."""
        return self.parsed.definition_terms(self.words.meanings)

    @property
    def is_list(self) -> bool:
        """Whether all that matches is wanted, as a list that ends, and not just the best passages."""
        return _is_list(self.parsed, self.listing)

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


def parse_query(query: str) -> ParsedQuery:
    """The query as it is searched for. Raises Invalid when it is blank or too long."""
    query = without_invisible(storable(query)).strip()
    if not query:
        raise Invalid("The query is empty.", errors={"query": ["This field may not be blank."]})
    if len(query) > MAX_QUERY_LENGTH:
        sentence = f"The query is longer than {MAX_QUERY_LENGTH} characters."
        raise Invalid(sentence, errors={"query": [sentence]})
    return ParsedQuery(query)


def build_query_plan(
    query: ParsedQuery,
    *,
    scope: Scope,
    mode: Mode,
    listing: Listing | None = None,
    expansions: Sequence[QueryVariant] = (),
    synonyms: bool = True,
) -> QueryPlan:
    """What a search needs to know first, in one round trip. `scope` has the filters of a list.

    In more where somebody changed the synonyms, the documents have an abbreviation for what the query says, or no
    passage has a word of it.
    """
    filtered, scope = scope, scope.unfiltered if _is_list(query, listing) else scope
    reworded = [SpelledWords(terms(wording.text)) for wording in expansions]
    synonyms = synonyms and mode is not Mode.SEMANTIC
    meanings = find_meanings(query, topic_id=scope.topic_id) if synonyms else ()
    explained = abbreviation_query(query, scope=scope) if synonyms else None
    named = (
        names_query(fold_query(query.text).text, scope=scope)
        if query.references
        else title_query(query.terms, scope=scope)
    )
    counts, state, *others = fetch_together(
        [
            count_in(scope, query.spelled, meanings),
            topic_state(scope),
            *([scope.sources_query()] if scope.narrows_sources else ()),
            *(count_in(scope, words) for words in reworded),
            *([explained] if explained else ()),
            named,
        ]
    )
    scope = replace(state.scope, known=others.pop(0)) if scope.narrows_sources else state.scope
    wordings, others = others[: len(reworded)], others[len(reworded) :]
    abbreviations: tuple[Meaning, ...] = others.pop(0) if explained else ()
    cited_names: GivenTitles | None = others.pop() if query.references else None
    titles: TitleMatches | None = None if query.references else others.pop()
    changed = synonyms and not is_current(scope.topic_id, state.synonyms)
    if changed:
        meanings = find_meanings(query, topic_id=scope.topic_id)
    meanings = (*abbreviations, *meanings)
    corrections = find_corrections(query, counts, meanings, scope=scope) if synonyms else ()
    if changed or abbreviations or corrections:
        meanings = (*(one.meaning for one in corrections), *meanings)
        counts = count_in(scope, query.spelled, meanings).fetch()
    # Where there is no model of meanings all are found by their words, and nothing is lacking.
    is_lacking = state.lacks_vectors and mode is not Mode.LEXICAL and not isinstance(configured(), TermEmbedder)
    weighed = partial(
        weigh,
        counts=counts,
        meanings=_outside_titles(meanings, titles) if titles else meanings,
        topic_stems=state.topic_stems,
        fields=_fields(is_sentence=query.is_question),
    )
    words = weighed(query.spelled)
    return QueryPlan(
        parsed=query,
        words=words,
        counts=counts,
        weigh=weighed,
        reworded=[
            WeightedQuery(
                spelled=spelled,
                words=weigh(
                    spelled,
                    found,
                    topic_stems=state.topic_stems,
                    fields=_fields(is_sentence=query.is_question or wording.is_sentence),
                ),
                weight=wording.weight,
                is_sentence=wording.is_sentence,
            )
            for spelled, found, wording in zip(reworded, wordings, expansions, strict=True)
        ],
        titles=titles,
        cited_names=cited_names,
        scope=scope,
        filtered=filtered,
        mode=mode,
        listing=listing,
        space=state.space if mode is not Mode.LEXICAL and state.space and is_named(state.space) else None,
        vectors=state.spread,
        lacking=lacking_vectors.of_topics(scope.topic_ids()) if is_lacking else None,
        expansions=expansions,
        corrections=[one for one in corrections if one.meaning in words.meanings],
    )


def count_in(scope: Scope, words: SpelledWords, meanings: Sequence[Meaning] = ()) -> Query[TermCounts]:
    """The counts by which the words are weighed, and those of what they mean."""
    return engine().count(stems_to_count(words, meanings), scope=scope)


def _outside_titles(meanings: Sequence[Meaning], titles: TitleMatches) -> Sequence[Meaning]:
    """Those of words that are not part of a title which the query gives."""
    named = titles(MIN_CHUNKS) if meanings else ()
    return [one for one in meanings if not any(one.start < title.end and title.start < one.end for title in named)]


def _is_list(query: ParsedQuery, listing: Listing | None) -> bool:
    return listing is not None and (not listing.is_plain or bool(query.phrases))


def _fields(*, is_sentence: bool) -> Sequence[WeightedField]:
    return FIELDS_OF_SENTENCE if is_sentence else FIELDS
