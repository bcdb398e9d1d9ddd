"""What an index of passages does: the verbs through which everything else publishes, searches and looks after it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from kb_project.database.rows import Query
from kb_project.operations.integrity.registry import IntegrityCheck
from law.chunking.packing import ChunkDraft
from search.models import EmbeddingSpace
from search.ranking.fusion import Ranking
from search.ranking.word_query import TermCounts, Word, WordQuery
from sources.models import Source
from sources.scope import Scope

Vector = NDArray[np.float32]


@dataclass(frozen=True, kw_only=True)
class IndexContext:
    """What a chunk is indexed with besides its own words."""

    topic_id: int
    kind: str
    title: str
    identifier: str = ""

    @classmethod
    def of(cls, source: Source) -> IndexContext:
        """What the chunks of a stored source are indexed with."""
        return cls(topic_id=source.topic_id, kind=source.kind, title=source.title, identifier=source.identifier)

    def embedded_text(self, draft: ChunkDraft) -> str:
        """A chunk as the embedder sees it: its context in front."""
        place = " ".join(part for part in (draft.section, draft.heading) if part)
        return "\n".join(part for part in (self.title, self.identifier, place, draft.above, draft.text) if part)


@dataclass(frozen=True)
class Nearest:
    """The chunks nearest to a vector with their cosine similarities, best first, and those of chunks asked about."""

    ranking: Ranking = ()
    similarities: Mapping[int, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Matches:
    """Chunks as parallel arrays, in no order: their ids, those of their sources, and about what they score by words."""

    chunk_ids: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, np.int64))
    source_ids: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, np.int64))
    scores: NDArray[np.float32] = field(default_factory=lambda: np.empty(0, np.float32))

    def at(self, places: NDArray[np.intp]) -> Matches:
        """Those at some places, in that order."""
        return Matches(self.chunk_ids[places], self.source_ids[places], self.scores[places])

    def joined(self, *others: Matches) -> Matches:
        """These and others in one."""
        parts = (self, *others)
        return Matches(
            np.concatenate([part.chunk_ids for part in parts]),
            np.concatenate([part.source_ids for part in parts]),
            np.concatenate([part.scores for part in parts]),
        )


@dataclass(frozen=True)
class NearestSearch:
    """A search of the nearest vectors that has begun: `awaited` is what it needs of others, `end` asks the database.

    `combined` is what its engine asks for together with the words, if it can: then the vector is awaited before.
    """

    awaited: Collection[Future[Any]]
    end: Callable[[Collection[int]], Nearest]
    combined: Any = None

    @property
    def is_awaited(self) -> bool:
        return not all(one.done() for one in self.awaited)

    def __call__(self, chunk_ids: Collection[int]) -> Nearest:
        return self.end(chunk_ids)


class IndexProgress(Protocol):
    """Told after each batch how many chunks are done."""

    def __call__(self, done: int, /) -> object: ...


class StagedChunks(Protocol):
    """The chunks of one document, analysed. A context manager: what it keeps is freed at the end."""

    @property
    def context(self) -> IndexContext: ...

    @property
    def count(self) -> int: ...

    def __enter__(self) -> Self: ...

    def __exit__(self, *exc: object) -> None: ...


class SearchIndex(Protocol):
    """An index. Scores are those of `search.ranking`. What lies outside a scope is never found in it.

    `publish` and `withdraw` belong to the caller's transaction: a search sees what they did once it has committed.
    """

    def stage(
        self,
        drafts: Iterable[ChunkDraft],
        *,
        context: IndexContext,
        on_progress: IndexProgress | None = None,
    ) -> StagedChunks:
        """The slow half of publishing, without a transaction. No outside embedder is asked: its vectors follow."""
        ...

    def publish(self, staged: StagedChunks, *, source: Source, new: bool = False) -> None:
        """Replace a source's chunks by the staged ones. Sets and saves `source.chunk_count`.

        `new` says that the source has none, as one that the transaction has just made. Raises NotFound if the source
        is gone, ValueError when it is in another topic, and TransactionManagementError outside a transaction.
        """
        ...

    def withdraw(self, source_id: int) -> None:
        """Take a source's chunks out. Call it before deleting the source. Raises NotFound if the source is gone."""
        ...

    def count(self, stems: Sequence[int], *, scope: Scope) -> Query[TermCounts]:
        """How many chunks the scope's topics have, and how many hold each of the stems, by their hashes.

        Of what was published a few seconds ago, a sample where that is much.
        """
        ...

    def candidates(
        self,
        query: WordQuery,
        *,
        scope: Scope,
        limit: int,
        guaranteed: int | None = None,
        nearest: NearestSearch | None = None,
    ) -> Ranking:
        """The best chunks of the scope by their words, and their scores, best first.

        Fewer than `limit` only where no more score, or where the best `guaranteed` are there and the others come to
        much less. `nearest` is a search by meaning of the same question, which may be asked for in one.
        """
        ...

    def matches(
        self, words: Sequence[Word], *, scope: Scope, least: float, required: Sequence[Collection[int]] = ()
    ) -> Matches:
        """All chunks of the scope that hold enough of the words: `least` of what the one that holds most does.

        What a chunk holds is the worth of its words, however often it has them. If any are `required`, given as the
        hashes of the stems that each may have, the chunks that hold all of these match, and no others.
        """
        ...

    def scores(self, query: WordQuery, *, chunk_ids: Collection[int]) -> Ranking:
        """What some chunks score by their words, in no order, or 0 for one that holds nothing of the query."""
        ...

    def nearest(self, vector: Future[Vector], *, space: EmbeddingSpace, scope: Scope, limit: int) -> NearestSearch:
        """A search of the nearest vectors, begun while the query's is still awaited.

        What is returned ends it. It takes chunks of the scope whose similarity is asked for besides. It raises what
        the embedder raised.
        """
        ...

    def maintain(self, *, thorough: bool = False) -> int:
        """Bring the index into good shape. Returns how many chunks were brought in. Runs every few seconds.

        A `thorough` run also frees what withdrawn chunks take, and completes what an interrupted run left.
        """
        ...

    def is_behind(self) -> bool:
        """Whether `maintain` has something to bring in, as far as one row tells."""
        ...

    def fill(self, *, on_progress: Callable[[int, int], object] | None = None) -> None:
        """Bring in all chunks that there are, beside what is in use, and then use that.

        `on_progress` is told how many more sources are done, and of how many.
        """
        ...

    def check(self) -> Sequence[IntegrityCheck]:
        """What must hold in what the index stores, with its repair."""
        ...
