"""A set's chunks in memory, made and weighed by the service's own modules: exact search without a database.

What needs the database is not here: citations, titles named in the query, and the choice of candidates.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from bench.datasets import DataSet, Document
from extraction import extract
from ingest.stages.embed import title_from
from law.chunking import chunk
from law.chunking.drafts import ChunkDraft
from law.words.analysis import terms
from law.words.stop_words import worth
from law.words.term_weights import FIELDS, Field, SparseVector, idf, query_vector, term_ids
from search.index import IndexContext
from search.index.stored.staging import Layout

TOPIC_ID = 1
Ranking = list[tuple[int, float]]  # chunk numbers and scores, best first


class InMemory:
    """All chunks of one set. `units` are their gold-standard units, `texts` what an embedder sees of each."""

    def __init__(self, dataset: DataSet) -> None:
        self.units: list[str] = []
        self.texts: list[str] = []
        self._frequencies: Counter[int] = Counter()
        vectors: list[SparseVector] = []
        for document in tqdm(dataset.documents, desc=f"{dataset.name}: chunks", unit="file"):
            context, drafts = read(document)
            layout = Layout(context)
            for ids, _, vector in layout.indexed(drafts, [layout.analysed(draft) for draft in drafts]):
                self._frequencies.update(ids.tolist())
                vectors.append(vector)
            for draft in drafts:
                self.units.append(dataset.unit(document.filename, draft.section))
                self.texts.append(context.embedded_text(draft))
        self._keep(vectors)

    def search(
        self,
        query: str,
        *,
        limit: int,
        fields: Sequence[Field] = FIELDS,
        worth: Callable[[str], float] = worth,
    ) -> Ranking:
        """The chunks with the greatest inner products, as the index orders its candidates."""
        found = terms(query)
        stems = np.unique(np.array([term.stem_hash for term in found], np.uint64))
        frequencies = (self._frequencies[term_id] for term_id in term_ids(stems, TOPIC_ID).tolist())
        weights = {
            stem: idf(frequency, len(self.units)) for stem, frequency in zip(stems.tolist(), frequencies, strict=True)
        }
        vector = query_vector(found, weights, fields=fields, worth=worth)
        scores = np.zeros(len(self.units))
        starts = np.searchsorted(self._dimensions, vector.indices, "left")
        ends = np.searchsorted(self._dimensions, vector.indices, "right")
        for start, end, weight in zip(starts, ends, vector.values, strict=True):
            if weight:
                scores[self._chunks[start:end]] += weight * self._values[start:end]
        return best(scores, limit=limit)

    def _keep(self, vectors: Sequence[SparseVector]) -> None:
        dimensions = np.concatenate([vector.indices for vector in vectors])
        order = np.argsort(dimensions, kind="stable")
        self._dimensions = dimensions[order]
        numbers = np.repeat(np.arange(len(vectors)), [len(vector.indices) for vector in vectors])
        self._chunks = numbers[order].astype(np.int32)
        self._values = np.concatenate([vector.values for vector in vectors])[order].astype(np.float32)


def read(document: Document) -> tuple[IndexContext, list[ChunkDraft]]:
    """What a document is indexed with, and its passages, as an upload of it would give."""
    with TemporaryDirectory() as directory:
        path = Path(directory) / document.filename
        path.write_bytes(document.read())
        pages = list(extract(path))
    title = document.title or title_from(pages[0] if pages else None, filename=document.filename)
    context = IndexContext(topic_id=TOPIC_ID, kind=document.kind, title=title, identifier=document.identifier)
    return context, list(chunk(pages, kind=document.kind))


def best(scores: NDArray[np.floating], *, limit: int) -> Ranking:
    """The greatest scores above 0 and whose they are; equal ones in the order of the chunks."""
    limit = min(limit, len(scores))
    chosen = np.argpartition(-scores, limit - 1)[:limit]
    chosen = chosen[np.lexsort((chosen, -scores[chosen]))]
    return [(int(number), float(scores[number])) for number in chosen if scores[number] > 0]
