"""The first step of a search: the words and other wordings of the query, weighed, and what decides on them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from uuid import UUID

from kb_project.database.rows import Query, Rows, fetch_together, storable
from kb_project.errors import Invalid
from law.citations.parsing import ParsedQuery
from law.words.analysis import terms, without_invisible
from law.words.spellings import SpelledWords
from law.words.synonyms import Meaning
from law.words.term_weights import FIELDS, FIELDS_OF_SENTENCE
from search.abbreviations import abbreviation_query
from search.embedders import configured, lacking_vectors
from search.embedders.protocol import TermEmbedder
from search.embedders.spaces import is_named
from search.index import engine
from search.models import EmbeddingSpace
from search.ranking.word_query import stems_to_count, weigh
from search.results import Mode
from search.retrieval.corrections import find_corrections
from search.retrieval.listing import Listing
from search.retrieval.query_plan import QueryPlan, QueryVariant, VectorsOfTopic, WeightedQuery
from search.synonyms.known import current_synonyms, known_synonyms
from sources.citations import MIN_CHUNKS, GivenTitles, TitleMatches, names_query, title_query
from sources.scope import Scope, ids_of

MAX_QUERY_LENGTH = 2_000  # characters
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
    is_list = _is_list(query, listing)
    filtered, scope = scope, scope.unfiltered if is_list else scope
    reworded = [SpelledWords(terms(wording.text)) for wording in expansions]
    synonyms = synonyms and mode is not Mode.SEMANTIC
    known = known_synonyms(scope.topic_id) if synonyms else None
    meanings = known.meanings(query) if known else ()
    explained = abbreviation_query(query, scope=scope) if synonyms else None
    named = names_query(query.folded, scope=scope) if query.references else title_query(query.terms, scope=scope)
    count = partial(engine().count, scope=scope)
    counts, state, *others = fetch_together(
        [
            count(stems_to_count(query.spelled, meanings)),
            topic_state(scope),
            *([scope.sources_query()] if scope.narrows_sources else ()),
            *(count(stems_to_count(words)) for words in reworded),
            *([explained] if explained else ()),
            named,
        ]
    )
    scope = replace(state.scope, known=others.pop(0)) if scope.narrows_sources else state.scope
    wordings, others = others[: len(reworded)], others[len(reworded) :]
    abbreviations: tuple[Meaning, ...] = others.pop(0) if explained else ()
    cited_names: GivenTitles | None = others.pop() if query.references else None
    titles: TitleMatches | None = None if query.references else others.pop()
    current = current_synonyms(scope.topic_id, state.synonyms) if synonyms else None
    if current and current is not known:
        meanings = current.meanings(query)
    meanings = (*abbreviations, *meanings)
    corrections = find_corrections(query, counts, meanings, scope=scope) if synonyms else ()
    if current is not known or abbreviations or corrections:
        meanings = (*(one.meaning for one in corrections), *meanings)
        counts = engine().count(stems_to_count(query.spelled, meanings), scope=scope).fetch()
    # The words of a title that the query gives mean that title.
    given = titles(MIN_CHUNKS) if titles and meanings else ()
    meanings = tuple(one for one in meanings if not any(one.start < it.end and it.start < one.end for it in given))
    weighed = partial(
        weigh,
        counts=counts,
        meanings=meanings,
        topic_stems=state.topic_stems,
        fields=FIELDS_OF_SENTENCE if query.is_question else FIELDS,
    )
    words = weighed(query.spelled)
    space = state.space if mode is not Mode.LEXICAL and state.space and is_named(state.space) else None
    # Where there is no model of meanings all are found by their words, and nothing is lacking.
    is_lacking = state.lacks_vectors and mode is not Mode.LEXICAL and not isinstance(configured(), TermEmbedder)
    return QueryPlan(
        parsed=query,
        words=words,
        weigh=weighed,
        weigh_inside=partial(weigh, counts=counts),
        reworded=[
            WeightedQuery(
                spelled=spelled,
                words=weigh(
                    spelled,
                    found,
                    topic_stems=state.topic_stems,
                    fields=FIELDS_OF_SENTENCE if query.is_question or wording.is_sentence else FIELDS,
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
        is_list=is_list,
        space=space,
        vectors=state.spread,
        lacking=lacking_vectors.of_topics(scope.topic_ids()) if is_lacking else None,
        expansions=expansions,
        corrections=[one for one in corrections if one.meaning in words.meanings],
    )


def _is_list(query: ParsedQuery, listing: Listing | None) -> bool:
    return listing is not None and (not listing.is_plain or bool(query.phrases))


@dataclass(frozen=True, kw_only=True)
class TopicState:
    """What is stored beside the index and decides how a query is read."""

    topic_stems: frozenset[int]  # of the words in the name of the topic, by their hashes
    space: EmbeddingSpace | None
    synonyms: UUID | None  # their version
    spread: VectorsOfTopic | None
    scope: Scope  # that knows what is not in force
    lacks_vectors: bool


@lru_cache(maxsize=8)
def _active_space(pk: int, provider: str, model: str, dimension: int) -> EmbeddingSpace:
    return EmbeddingSpace(pk=pk, provider=provider, model=model, dimension=dimension, active=True)


def topic_state(scope: Scope) -> Query[TopicState]:
    """Read in one round trip with what else a plan needs."""

    def read(rows: Rows) -> TopicState:
        [(name, version, pk, provider, model, dimension, mean, deviation, between, across, gone, lacks)] = rows
        return TopicState(
            topic_stems=frozenset(term.stem_hash for term in terms(name or "")),
            space=_active_space(pk, provider, model, dimension) if pk else None,
            synonyms=version,
            spread=VectorsOfTopic(mean, deviation, between, across) if mean and deviation else None,
            scope=replace(scope, gone=ids_of(gone)),
            lacks_vectors=lacks,
        )

    gone, parameters = scope.gone_condition()
    of_topic, topics = scope.topic_condition("w.topic_id")
    statement = _STORED.format(gone=gone, of_topic=of_topic)
    return Query(statement, {**parameters, **topics, "topic": scope.topic_id}, read)
