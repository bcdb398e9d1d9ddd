"""The report of a run at scale: the rows of its tables, and the tables as Markdown."""

from dataclasses import dataclass

from bench.metrics import Percentiles
from bench.scale.beside_ingest import BesideIngest
from bench.scale.index_size import IndexSize
from bench.scale.load import Loading
from bench.tables import markdown


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


def loading(done: Loading) -> str:
    sizes = ", ".join(_count(done.stored[place]) for place in sorted(done.stored))
    added = (
        f"{_count(done.chunks)} chunks of {_count(done.laws)} laws in {done.seconds:.0f} s, {done.chunks_per_s:.0f}/s"
    )
    return f"Added {added}. Chunks of each topic: {sizes}."


def index_size(size: IndexSize) -> str:
    text, vectors = (octets / max(1, size.chunks) for octets in (size.text_and_terms, size.vectors))
    return f"{_count(size.chunks)} chunks: {text:.0f} bytes each with terms and indexes, {vectors:.0f} of vectors."


def beside_ingest(measured: BesideIngest) -> str:
    idle, during, uploaded = measured.idle, measured.during, measured.uploaded
    header = ["search in the largest topic", "n", "p50 ms", "p95 ms", "p99 ms"]
    rows = [
        ["idle", str(idle.count), *_times(idle)],
        ["during the ingest", str(during.count), *_times(during)],
        ["ratio", "", *(_ratio(getattr(during, name), getattr(idle, name)) for name in ("p50", "p95", "p99"))],
    ]
    sentence = (
        f"Ingest of {uploaded.uploaded} laws ({len(uploaded.refused)} refused, {len(uploaded.failed)} failed):"
        f" {measured.new_chunks} chunks in {uploaded.seconds:.0f} s from the first upload to the last job at rest,"
        f" {measured.chunks_per_s:.0f} chunks/s; the uploads alone took {uploaded.upload_seconds:.0f} s."
    )
    return markdown(header, rows) + f"\n\n{sentence}"


def _times(times: Percentiles) -> list[str]:
    return [f"{times.p50:.1f}", f"{times.p95:.1f}", f"{times.p99:.1f}"]


def _ratio(more: float, less: float) -> str:
    return f"{more / less:.2f}" if less else ""


def _count(number: int) -> str:
    return f"{number:,}"
