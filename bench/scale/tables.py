"""The report of a run at scale: the rows of its tables, and the tables as Markdown."""

from dataclasses import dataclass

from bench.metrics import Percentiles
from bench.scale.index_size import IndexSize
from bench.scale.load import Loading


@dataclass(frozen=True, slots=True)
class LatencyRow:
    """`top1` and `recall` are of the queries that mean a section, None under a filter, which may leave that out."""

    topics: str
    chunks: int
    filtered: str
    took_ms: Percentiles
    top1: float | None
    recall: float | None


@dataclass(frozen=True, slots=True)
class DenseRow:
    """`recall` and `least` are the mean and the lowest share of the exact answer; `missing` counts searches that gave
    fewer results than there are.
    """

    topics: str
    filtered: str
    chunks: int
    recall: float
    least: float
    missing: int
    search_ms: Percentiles
    exact_ms: Percentiles


def loading(done: Loading) -> str:
    sizes = ", ".join(_count(done.stored[place]) for place in sorted(done.stored))
    speed = f"{done.chunks / max(done.seconds, 1):.0f} chunks/s"
    return f"Added {_count(done.chunks)} chunks of {_count(done.laws)} laws, {speed}. Chunks of each topic: {sizes}."


def index_size(size: IndexSize) -> str:
    text, vectors = (octets / max(1, size.chunks) for octets in (size.text_and_terms, size.vectors))
    return f"{_count(size.chunks)} chunks: {text:.0f} bytes each with terms and indexes, {vectors:.0f} of vectors."


def _count(number: int) -> str:
    return f"{number:,}"
