"""The lines of the tables that `bench.scale.recall` fills."""

from dataclasses import dataclass

from bench.metrics import Percentiles


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


@dataclass(frozen=True, slots=True)
class LexicalRow:
    """Of `queries`, how many have the same first result, and the mean overlap of the first ten."""

    topics: str
    chunks: int
    queries: int
    same_first: float
    overlap: float
    search_ms: Percentiles
    all_ms: Percentiles
