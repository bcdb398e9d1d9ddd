"""The report: Markdown tables of one run."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from bench.documents import Reading
from bench.load import LoadedSet
from bench.quality import Quality


def markdown(header: Sequence[str], rows: Iterable[Iterable[str]]) -> str:
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def table_of(rows: Sequence[Any]) -> str:
    """A line for each of the rows, which are instances of a dataclass, and a column for each figure."""
    flat = [dict(_figures(asdict(row))) for row in rows]
    return markdown(list(flat[0]), [map(_shown, row.values()) for row in flat])


def _figures(row: Mapping[str, Any], *, of: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in row.items():
        if isinstance(value, Mapping):
            yield from _figures(value, of=f"{name} ")
        else:
            yield of + name, value


def _shown(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.4g}"
    return "" if value is None else str(value)


def quality(measured: Mapping[str, Quality]) -> str:
    """Every metric of every set and style of query."""
    header = ["set", "queries", "n", "recall@10", "MAP@10", "top-1", "MRR@10", "p50 ms", "p95 ms"]
    rows = [
        [
            name,
            style,
            str(scores.queries),
            f"{scores.recall:.4f}",
            f"{scores.average_precision:.4f}",
            f"{scores.top1:.4f}",
            f"{scores.reciprocal_rank:.4f}",
            f"{of_set.latency_ms.p50:.1f}",
            f"{of_set.latency_ms.p95:.1f}",
        ]
        for name, of_set in measured.items()
        for style, scores in of_set.scores.items()
    ]
    return markdown(header, rows)


def ingest(loads: Mapping[str, LoadedSet]) -> str:
    header = ["set", "uploaded", "refused", "failed", "lost", "chunks", "seconds", "files/s", "chunks/s"]
    rows = [
        [
            name,
            str(loaded.uploaded),
            str(len(loaded.refused)),
            str(len(loaded.failed)),
            str(len(loaded.lost)),
            str(loaded.chunks or ""),
            f"{loaded.seconds:.1f}" if loaded.uploaded else "already there",
            f"{loaded.files_per_s:.1f}" if loaded.uploaded else "",
            f"{loaded.chunks_per_s:.0f}" if loaded.new_chunks else "",
        ]
        for name, loaded in loads.items()
    ]
    return markdown(header, rows)


def readings(found: Sequence[Reading]) -> str:
    header = ["file", "expected", "outcome", "", "character error rate"]
    rows = [
        [
            reading.filename,
            reading.expected,
            reading.outcome,
            "" if reading.as_expected else "**differs**",
            "" if reading.error_rate is None else f"{reading.error_rate:.4f}",
        ]
        for reading in found
    ]
    return markdown(header, rows)


def readings_summary(found: Sequence[Reading]) -> str:
    right = sum(reading.as_expected for reading in found)
    sentences = [f"{right} of {len(found)} files came out as expected."]
    for name, picture in (("files with text of their own", False), ("files with scanned or unusable pages", True)):
        rates = sorted(
            reading.error_rate for reading in found if reading.picture is picture and reading.error_rate is not None
        )
        if rates:
            sentences.append(
                f"Character error rate of {len(rates)} {name}: median {rates[len(rates) // 2]:.4f}, "
                f"worst {rates[-1]:.4f}."
            )
    return " ".join(sentences)
