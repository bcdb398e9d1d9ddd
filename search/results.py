"""What a search returns, and how it is read from the database."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum
from functools import cache, lru_cache
from typing import Any, NamedTuple

from kb_project.database.rows import fetch
from law.chunking.drafts import TablePart
from law.citations.provision_names import named_by_number
from law.kinds import numbers_paragraphs
from law.timeline import Period
from law.words.analysis import Term, term_positions, terms
from law.words.spellings import shown, telling_stems, words_by_stem
from law.words.synonyms import Meaning
from search.embedders.lacking_vectors import LackingVectors
from search.facets import Facets
from search.ranking.term_coverage import Weights
from sources.citations import CitedClause, UnresolvedCitation
from sources.fields import COLUMNS, DocumentFields
from sources.provisions import address
from sources.validity import ValidityStatus, is_followed_sql, said, status_on


class Mode(StrEnum):
    """How to search: by words and meaning, by words alone, by meaning alone."""

    HYBRID = "hybrid"
    LEXICAL = "lexical"
    SEMANTIC = "semantic"


class Match(StrEnum):
    """What found a passage."""

    CITATION = "citation"
    LEXICAL = "lexical"
    SEMANTIC = "semantic"
    BOTH = "both"


class Reranking(StrEnum):
    """What became of the re-ranking of a search."""

    OFF = "off"  # none was wanted, or there is no reranker
    NEEDLESS = "needless"  # fewer than two passages
    MADE = "made"
    LEFT_ALONE = "left_alone"  # the reranker failed a moment ago
    BUSY = "busy"  # as many searches as it may have wait for it
    LATE = "late"
    FAILED = "failed"


class ScoredChunk(NamedTuple):
    """A chunk's place in the answer, before its text is read."""

    chunk_id: int
    score: float
    match: Match
    similarity: float | None
    clauses: tuple[CitedClause, ...] = ()


@dataclass(frozen=True, kw_only=True)
class LabelCard:
    """A label of a result's source."""

    id: int
    slug: str
    name: str


@dataclass(frozen=True, kw_only=True)
class SourceCard(DocumentFields):
    """What a result says of its source.

    Of a passage that has days of its own, the days and the status are those on which both are in force. `holds` says
    the day that the passage holds for, in words.
    """

    id: int
    topic_id: int
    labels: tuple[LabelCard, ...]
    work_id: int
    status: ValidityStatus = ValidityStatus.UNDATED
    holds: str = ""

    @property
    def dated(self) -> dict[str, Any]:
        """Its days, as ISO 8601, its status, and what is said of them."""
        return {
            "valid_from": self.valid_from.isoformat() if self.valid_from else None,
            "valid_to": self.valid_to.isoformat() if self.valid_to else None,
            "status": self.status.value,
            "holds": self.holds,
        }


@dataclass(frozen=True, kw_only=True)
class SearchHit:
    """One passage. `text` is verbatim. `highlights` are character ranges of it. `eid` is the address of its provision.

    `tables` are the rows of tables in it.

    Where the query cites clauses of it, `clauses` are those: they are highlighted, and `eid` is that of the first.

    `coverage` is the share, from 0 to 1, of the query's weight that the passage, its heading and its source's title
    hold (of another wording's, where that is more, or of the sentence's alone, where one was searched with): unlike
    `score` it can be compared between queries.
    `similarity` is the cosine of query and passage, None where the embedder was not asked or did not bring it up.
    `more` is the number of further passages of its document that match, None where results are not grouped by document.
    """

    rank: int
    score: float
    match: Match
    chunk_id: int
    text: str
    highlights: tuple[tuple[int, int], ...]
    page: int | None
    section: str
    heading: str
    path: tuple[str, ...]
    eid: str
    span_start: int
    span_end: int
    coverage: float
    source: SourceCard
    similarity: float | None = None
    clauses: tuple[CitedClause, ...] = ()
    tables: tuple[TablePart, ...] = ()
    more: int | None = None

    def eid_of(self, quote: str) -> str:
        """The address of what a quote of the passage is of: a cited clause, or the passage's provision."""
        if not self.clauses:
            return self.eid
        holding = (clause.eid for clause in self.clauses if quote in self.text[clause.start : clause.end])
        return next(holding, self.clauses[0].within)

    @property
    def meaning(self) -> float | None:
        """The similarity as the API gives it."""
        return None if self.similarity is None else float(self.similarity)

    @property
    def above(self) -> str:
        """The names of columns, and what else of a table stands before the passage that its rows begin in."""
        return "\n".join(row for part in self.tables for row in part.above)

    @property
    def url(self) -> str:
        """The path of the document's page at the passage."""
        return address(self.source.id, self.eid, chunk_id=self.chunk_id)

    @property
    def place(self) -> str:
        """What its section is called in its document, as `rule 5`, or the paragraph of a judgment."""
        return named_by_number(self.section, source=self.source, of_paragraphs=self.is_of_paragraph)

    @property
    def is_of_paragraph(self) -> bool:
        """Whether `section` is the number of a paragraph, as of a judgment."""
        return numbers_paragraphs(self.source.kind)


@dataclass(frozen=True, kw_only=True)
class Correction:
    """A word that no passage has, between `start` and `end` of the query, and the word that it was taken for."""

    word: str
    to: str
    start: int
    end: int
    meaning: Meaning


@dataclass(frozen=True, kw_only=True)
class Retrieval:
    """The passages found for a query, in their order.

    `weights` are those of the query's words. With `by_sentence`, of those of the sentence that was searched with.
    `phrases` are those of the query that every passage holds. `passages` and `documents` are the numbers of those in
    scope that match, None where only the best passages were asked for (`search.retrieval.listing`).
    """

    query: str
    mode: Mode
    hits: tuple[SearchHit, ...]
    weights: Weights
    by_sentence: bool = False
    took_ms: float = 0.0
    expanded: tuple[str, ...] = ()
    not_found: UnresolvedCitation | None = None
    unread: tuple[str, ...] = ()
    """Words of the query that look like the name or number of an act, and were not understood."""
    corrected: tuple[Correction, ...] = ()
    operators: tuple[str, ...] = ()
    """Signs in the query that look like operators, and are none."""
    named_id: int | None = None
    """The source whose name the query is."""
    phrases: tuple[str, ...] = ()
    passages: int | None = None
    documents: int | None = None
    facets: Facets | None = None
    reranking: Reranking = Reranking.OFF
    asked: Sequence[Sequence[Term]] = ()
    """What the query wants explained, as `search.retrieval.definitions.DefinitionRequest`."""
    lacking: LackingVectors | None = None
    """That some passages of the topics searched have no vectors yet, None where all have."""

    @property
    def corrected_query(self) -> str:
        """The query with the words that others were taken for. Empty where none was."""
        text = self.query if self.corrected else ""
        for one in reversed(self.corrected):
            text = f"{text[: one.start]}{one.to}{text[one.end :]}"
        return text


def rearranged(hits: Sequence[SearchHit], order: Sequence[int]) -> tuple[SearchHit, ...]:
    """The hits in another order. Each takes the rank and the score of the place that it comes to."""
    return tuple(replace(hits[at], rank=place.rank, score=place.score) for at, place in zip(order, hits, strict=True))


# Of passages that end, those whose section is printed again, in force from then on. Few end, so this is asked apart.
_FOLLOWED = """
SELECT c.id FROM kb_chunk c WHERE c.id = ANY(%s::bigint[]) AND EXISTS (SELECT FROM kb_chunk next_one
    WHERE next_one.source_id = c.source_id AND next_one.section_key = c.section_key
    AND next_one.valid_from >= c.valid_to)
"""
_PASSAGES = f"""
SELECT c.id, c.text, c.page, c.section, c.heading, c.path, c.eid, c.span_start, c.span_end, c.tables::text,
    c.valid_from, c.valid_to,
    s.id, s.topic_id, s.work_id, {is_followed_sql("s")}, {", ".join(f"s.{column}" for column in COLUMNS)},
    (SELECT json_agg(json_build_array(l.id, l.slug, l.name) ORDER BY l.name, l.id)::text
        FROM kb_source_label sl JOIN kb_label l ON l.id = sl.label_id WHERE sl.source_id = s.id)
FROM kb_chunk c JOIN kb_source s ON s.id = c.source_id WHERE c.id = ANY(%s::bigint[])
"""
_ENDS = 10  # where a row has `valid_to`, behind its id


def read_hits(
    ranked: Sequence[ScoredChunk],
    *,
    query: Sequence[Term],
    cites: bool,
    names_act: bool,
    shown_stems: Sequence[frozenset[str]],
    wordings: Sequence[Weights],
    day: date,
) -> tuple[SearchHit, ...]:
    """The passages of a ranking, in its order. One deleted since is left out.

    `shown_stems` are those of the words to be highlighted: of the query, then those of each meaning, of which none is
    shown where not all stand. `cites` says whether the query cites a section, `names_act` whether it names an act
    besides: the words of that name tell nothing.
    `wordings` are the query and its expansions. Of the `day` is the status of their sources.
    """
    rows = {row[0]: row[1:] for row in fetch(_PASSAGES, [[row.chunk_id for row in ranked]])}
    labels: dict[str | None, tuple[LabelCard, ...]] = {
        text: _labels(text) for text in {row[-1] for row in rows.values()}
    }
    ending = [chunk_id for chunk_id, row in rows.items() if row[_ENDS]]
    followed_ones = {row[0] for row in fetch(_FOLLOWED, [ending])} if ending else set()
    there = [row for row in ranked if row.chunk_id in rows]
    places_of = term_positions(
        [rows[row.chunk_id][0] for row in there],
        frozenset[str]().union(*shown_stems, *(weights.stems for weights in wordings)),
    )
    asked = words_by_stem(query)

    @cache
    def holds(days: Period, kind: str, is_followed: bool) -> str:
        return said(days, kind=kind, is_followed=is_followed, on=day)

    hits: list[SearchHit] = []
    for (chunk_id, score, match, similarity, clauses), found in zip(there, places_of, strict=True):
        text, page, section, heading, path, eid, start, end, tables, *rest, label_list = rows[chunk_id]
        passage_from, passage_to, source_id, topic_id, work_id, followed, *values = rest
        parts = TablePart.stored(json.loads(tables))
        about = dict(zip(COLUMNS, values, strict=True))
        days = Period(passage_from, passage_to).within(Period(about["valid_from"], about["valid_to"]))
        if days.end == passage_to != about["valid_to"]:
            followed = chunk_id in followed_ones
        name = _terms_of(f"{about['title']}\n{about['identifier']}")
        told = telling_stems(shown_stems[0], name=name, cites=cites) if cites or names_act else shown_stems[0]
        marked = told.union(*(meant for meant in shown_stems[1:] if meant <= {stem for *_, stem in found}))
        words = " ".join({text[start:end] for start, end, _ in found})
        above = "\n".join(row for part in parts for row in part.above)
        held = [
            *name,
            *terms(f"{section}\n{heading}\n{above}\n{words}"),
        ]
        hits.append(
            SearchHit(
                rank=len(hits) + 1,
                score=score,
                match=match,
                chunk_id=chunk_id,
                text=text,
                highlights=_ranges(clauses)
                or tuple(shown(asked, text, [place for place in found if place[2] in marked])),
                page=page,
                section=section,
                heading=heading,
                path=tuple(path),
                eid=clauses[0].eid if clauses else eid,
                clauses=clauses,
                tables=parts,
                span_start=start,
                span_end=end,
                similarity=similarity,
                coverage=max(weights.share(held) for weights in wordings),
                source=SourceCard.of_columns(
                    about | {"valid_from": days.begin, "valid_to": days.end},
                    id=source_id,
                    topic_id=topic_id,
                    work_id=work_id,
                    status=status_on(day, days, is_followed=bool(followed)),
                    holds=holds(days, about["kind"], bool(followed)),
                    labels=labels[label_list],
                ),
            )
        )
    return tuple(hits)


@lru_cache(maxsize=2_000)  # several hits are of one source
def _terms_of(name: str) -> Sequence[Term]:
    return terms(name)


def _ranges(clauses: Sequence[CitedClause]) -> tuple[tuple[int, int], ...]:
    """Where the clauses stand, in the order of the text. One inside another is left out."""
    ranges: list[tuple[int, int]] = []
    for clause in sorted(clauses, key=lambda one: (one.start, -one.end)):
        if not ranges or clause.start >= ranges[-1][1]:
            ranges.append((clause.start, clause.end))
    return tuple(ranges)


def _labels(text: str | None) -> tuple[LabelCard, ...]:
    """The labels of a source, from the JSON that the statement makes of them."""
    return tuple(LabelCard(id=label_id, slug=slug, name=name) for label_id, slug, name in json.loads(text or "[]"))
