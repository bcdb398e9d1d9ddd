"""What a search returns."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from itertools import takewhile
from typing import Any, NamedTuple

from law.chunking.packing import TablePart
from law.citations.provision_names import named_by_number
from law.kinds import numbers_paragraphs
from law.words.analysis import Term
from law.words.synonyms import Meaning
from search.embedders.lacking_vectors import LackingVectors
from search.facets import Facets
from search.ranking.term_coverage import Weights
from sources.citations import CitedClause, UnresolvedCitation
from sources.fields import DocumentFields
from sources.provisions import address
from sources.validity import ValidityStatus

MAX_ABOVE = 5  # lines from the beginning in which a section's own heading is looked for
_WORD = re.compile(r"\w+")


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
    `score` it can be compared between queries. `cover` reckons it: of most hits nobody asks for it.
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
    cover: Callable[[], float] = field(compare=False, repr=False)
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

    @cached_property
    def coverage(self) -> float:
        return self.cover()

    @property
    def heading_length(self) -> int:
        """How much of the text is its section's number and heading, and what it stands in: shown above it."""
        above = {self.heading, f"{self.section} {self.heading}", self.section, *self.path}
        names, lines = {_words(one) for one in above} - {""}, self.text.splitlines(keepends=True)[:-1]
        above_it = len(list(takewhile(lambda line: _words(line) in names, lines)))
        # A heading between others may be no division. What stands before the own heading is not of the section.
        own = _words(f"{self.section} {self.heading}") if self.section and self.heading else ""
        above_it = max([above_it, *(at for at, line in enumerate(lines[:MAX_ABOVE], 1) if own and _words(line) == own)])
        length = sum(map(len, lines[:above_it]))
        number = re.compile(rf"{re.escape(self.section)}(?:[.:)][\u00a0 ]*|[\u00a0 ]+)(?=[^\d\s])")
        printed = number.match(self.text, length) if self.section else None
        return printed.end() if printed else length

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
class SpellingCorrection:
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
    corrected: tuple[SpellingCorrection, ...] = ()
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
    """What the query wants explained, as `law.structure.definitions.DefinitionRequest`."""
    lacking: LackingVectors | None = None
    """That some passages of the topics searched have no vectors yet, None where all have."""

    @property
    def corrected_query(self) -> str:
        """The query with the words that others were taken for. Empty where none was."""
        text = self.query if self.corrected else ""
        for one in reversed(self.corrected):
            text = f"{text[: one.start]}{one.to}{text[one.end :]}"
        return text


def _words(text: str) -> str:
    return " ".join(_WORD.findall(text.casefold()))
