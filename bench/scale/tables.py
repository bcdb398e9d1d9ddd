"""The report of a run at scale: Markdown tables."""

from collections.abc import Mapping, Sequence

from bench.metrics import Percentiles
from bench.scale.beside_ingest import BesideIngest
from bench.scale.index_size import IndexSize
from bench.scale.latency import Row
from bench.scale.load import Loading
from bench.scale.qdrant import Filled
from bench.scale.recall_rows import DenseRow, LexicalRow
from bench.scale.throughput import Throughput
from bench.tables import markdown


def loading(done: Loading) -> str:
    header = [
        "topics",
        "chunks",
        "added now",
        "laws",
        "seconds",
        "chunks/s",
        "chunks/s but for making the texts",
        "then",
    ]
    row = [
        str(len(done.stored)),
        _count(sum(done.stored.values())),
        _count(done.chunks),
        _count(done.laws),
        f"{done.seconds:.0f}",
        f"{done.chunks_per_s:.0f}" if done.chunks else "already there",
        f"{done.chunks_per_s_without_making:.0f}" if done.chunks else "",
        ", ".join(f"{name} {seconds:.0f} s" for name, seconds in done.settling_s.items()),
    ]
    sizes = ", ".join(_count(done.stored[place]) for place in sorted(done.stored))
    return markdown(header, [row]) + f"\n\nChunks of each topic: {sizes}."


def filled(collections: Mapping[str, Filled]) -> str:
    header = ["vectors", "chunks", "fill s", "chunks/s", "build indexes s", "bytes/chunk on disk", "in memory"]
    return markdown(
        header,
        [
            [
                vectors,
                _count(done.chunks),
                f"{done.fill_s:.0f}",
                f"{done.chunks / done.fill_s:.0f}",
                f"{done.optimize_s:.0f}",
                _count(round(done.disk / done.chunks)),
                _count(round(done.memory / done.chunks)),
            ]
            for vectors, done in collections.items()
        ],
    )


def latency(rows: Sequence[Row]) -> str:
    header = ["topic", "chunks searched", "filter", "n", "p50 ms", "p95 ms", "p99 ms", "took_ms p50", "p95", "p99"]
    header += ["results", "top-1", "recall@10"]
    return markdown(
        header,
        [
            [
                row.topics,
                _count(row.chunks),
                row.filtered,
                str(row.http_ms.count),
                *_times(row.http_ms),
                *_times(row.server_ms),
                f"{row.found:.1f}",
                "" if row.top1 is None else f"{row.top1:.3f}",
                "" if row.recall is None else f"{row.recall:.3f}",
            ]
            for row in rows
        ],
    )


def throughput(rows: Sequence[Throughput]) -> str:
    header = ["clients", "searches", "searches/s", "p50 ms", "p95 ms", "p99 ms"]
    return markdown(
        header,
        [
            [str(row.clients), _count(row.took_ms.count), f"{row.searches_per_s:.0f}", *_times(row.took_ms)]
            for row in rows
        ],
    )


def dense(rows: Sequence[DenseRow]) -> str:
    header = ["topic", "filter", "chunks searched", "recall@50", "least", "too few", "p50 ms", "p95 ms", "exact p50 ms"]
    return markdown(
        header,
        [
            [
                row.topics,
                row.filtered,
                _count(row.chunks),
                f"{row.recall:.4f}",
                f"{row.least:.2f}",
                str(row.missing),
                *_times(row.search_ms)[:2],
                f"{row.exact_ms.p50:.1f}",
            ]
            for row in rows
        ],
    )


def lexical(rows: Sequence[LexicalRow]) -> str:
    header = ["topic", "chunks", "queries", "same first", "overlap of ten", "p50 ms", "scoring every match, p50 ms"]
    return markdown(
        header,
        [
            [
                row.topics,
                _count(row.chunks),
                str(row.queries),
                f"{row.same_first:.3f}",
                f"{row.overlap:.4f}",
                f"{row.search_ms.p50:.1f}",
                f"{row.all_ms.p50:.1f}",
            ]
            for row in rows
        ],
    )


def index_size(size: IndexSize) -> str:
    rows = [
        [name, f"{octets / 2**20:.1f}", f"{octets / size.chunks:.0f}"]
        for relations in (size.text_and_terms, size.vectors)
        for name, octets in relations.items()
    ]
    rows.append(["**text, terms and their indexes**", "", f"**{size.bytes_a_chunk:.0f}**"])
    rows.append(["**vectors and their indexes**", "", f"**{size.vector_bytes_a_chunk:.0f}**"])
    sentence = (
        f"{_count(size.chunks)} chunks of {size.mean_characters:.0f} characters"
        f" ({size.mean_bytes:.0f} bytes of UTF-8) in the mean."
    )
    return markdown(["relation", "MB", "bytes a chunk"], rows) + f"\n\n{sentence}"


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


def took(seconds: Mapping[str, float]) -> str:
    return markdown(["part", "seconds"], [[part, f"{took_s:.0f}"] for part, took_s in seconds.items()])


def _times(times: Percentiles) -> list[str]:
    return [f"{times.p50:.1f}", f"{times.p95:.1f}", f"{times.p99:.1f}"]


def _ratio(more: float, less: float) -> str:
    return f"{more / less:.2f}" if less else ""


def _count(number: int) -> str:
    return f"{number:,}"
