"""The report: Markdown tables of one run, with the reference figures the data sets come with."""

from collections.abc import Iterable, Mapping, Sequence
from statistics import median

from bench.documents import Reading
from bench.ingest_rate import Beside, PdfRate
from bench.latency import Latency
from bench.load import LoadedSet
from bench.memory import Memory
from bench.metrics import Percentiles
from bench.quality import Quality

STYLES = ("formal", "as cited", "heading", "heading and title")

# Measured on the whole development sets before the service was there, without HTTP.
REFERENCE = (
    # system, ObliQA recall / MAP, ms, Hebrew QA top-1 / MRR, law top-1 by style
    ("reference: BM25, words (bm25s)", "0.755 / 0.597", "0.6", "0.79 / 0.84", "0.32", "0.10", "0.84", "0.65"),
    ("reference: BM25, stems", "0.768 / 0.619", "0.4", "0.85 / 0.89", "0.41", "0.19", "0.77", "0.63"),
    ("reference: Tantivy", "0.766 / 0.621", "0.35", "0.81 / 0.86", "", "", "", ""),
    ("reference: Postgres OR query + ts_rank", "0.719 / 0.573", "151", "", "", "", "", ""),
    ("reference: LlamaIndex PGVectorStore, hybrid", "0.699 / 0.518", "35", "", "", "", "", ""),
    ("reference: 30-line citation resolver", "", "", "", "0.999", "0.968", "", ""),
)

# system name -> set name -> what it scored
Results = Mapping[str, Mapping[str, Quality]]


def markdown(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def overview(results: Results) -> str:
    """One line a system: the figures by which the data sets compare systems."""
    header = ["", "ObliQA recall@10 / MAP@10", "ms a query", "Hebrew QA top-1 / MRR@10"]
    header += [f"law: {style} top-1" for style in STYLES]
    rows: list[Sequence[str]] = []
    for system, by_set in results.items():
        obliqa, hebrew, law = (by_set.get(name) for name in ("obliqa", "heqa", "law"))
        row = [f"**{system}**", "", "", "", *[""] * len(STYLES)]
        if obliqa:
            scores = obliqa.scores["questions"]
            row[1] = f"{scores.recall:.3f} / {scores.average_precision:.3f}"
            row[2] = f"{obliqa.latency_ms.p50:.1f}"
        if hebrew:
            scores = hebrew.scores["questions"]
            row[3] = f"{scores.top1:.3f} / {scores.reciprocal_rank:.3f}"
        for column, style in enumerate(STYLES, start=4):
            if law and style in law.scores:
                row[column] = f"{law.scores[style].top1:.3f}"
        rows.append(row)
    return markdown(header, [*REFERENCE, *rows])


def details(results: Results) -> str:
    """Every metric of every set and style."""
    header = ["set", "queries", "system", "n", "recall@10", "MAP@10", "top-1", "MRR@10", "p50 ms", "p95 ms"]
    rows = [
        [
            name,
            style,
            system,
            str(scores.queries),
            f"{scores.recall:.4f}",
            f"{scores.average_precision:.4f}",
            f"{scores.top1:.4f}",
            f"{scores.reciprocal_rank:.4f}",
            f"{quality.latency_ms.p50:.1f}",
            f"{quality.latency_ms.p95:.1f}",
        ]
        for system, by_set in results.items()
        for name, quality in by_set.items()
        for style, scores in quality.scores.items()
    ]
    return markdown(header, sorted(rows, key=lambda row: (row[0], row[1])))


def search_rank_ratios(ours: Mapping[str, Quality], theirs: Mapping[str, Quality]) -> str:
    """The service against SearchRank on the same queries; our times include HTTP, SearchRank's do not."""
    header = [
        "set",
        "queries",
        "MAP@10 ours / SearchRank",
        "ratio",
        "p50 ms ours / SearchRank",
        "times faster",
    ]
    rows = []
    for name, other in theirs.items():
        own = ours[name]
        fast, slow = own.latency_ms.p50, other.latency_ms.p50
        for style, scores in other.scores.items():
            mine, its = own.scores[style].average_precision, scores.average_precision
            rows.append(
                [
                    name,
                    f"{style} ({scores.queries})",
                    f"{mine:.3f} / {its:.3f}",
                    f"{mine / its:.2f}" if its else "",
                    f"{fast:.1f} / {slow:.1f}",
                    f"{slow / fast:.1f}" if fast else "",
                ]
            )
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


def pdf_rate(rate: PdfRate) -> str:
    """PDF files beside pypdfium2 alone: medians of the rounds."""
    rows = [
        ["pypdfium2 alone", *_pages_a_second(rate.pages, rate.bare_seconds), "1.00", ""],
        [
            "this service",
            *_pages_a_second(rate.pages, rate.seconds),
            f"{median(rate.ratios):.2f}",
            f"{rate.ratios[0]:.2f} to {rate.ratios[-1]:.2f}",
        ],
    ]
    header = [
        "PDF files with a text layer",
        "pages",
        "seconds",
        "pages/s",
        "of pypdfium2",
        f"in {len(rate.rounds)} rounds",
    ]
    return markdown(header, rows)


def _pages_a_second(pages: int, seconds: float) -> list[str]:
    return [str(pages), f"{seconds:.1f}", f"{pages / seconds:.0f}"]


def beside(measured: Beside) -> str:
    """Search while documents came in, and on its own."""
    rows = [_times("idle", measured.idle.http_ms), _times("during ingest", measured.during.http_ms)]
    table = markdown(["search over HTTP", "requests", "p50 ms", "p95 ms", "p99 ms"], rows)
    files = f"{measured.load.files_per_s:.1f} files/s came in meanwhile"
    return f"{table}\n\n{files}; p95 is {measured.ratio:.1f} times the idle one."


def latency(measured: Latency) -> str:
    header = ["", "requests", "p50 ms", "p95 ms", "p99 ms"]
    return markdown(header, [_times("HTTP", measured.http_ms), _times("took_ms", measured.server_ms)])


def _times(name: str, times: Percentiles) -> list[str]:
    return [name, str(times.count), f"{times.p50:.1f}", f"{times.p95:.1f}", f"{times.p99:.1f}"]


def memory(measured: Memory) -> str:
    header = ["worker", "processes", "largest process (VmHWM), MB", "all of it (Pss), MB"]
    rows = [
        [name, str(peak.processes), f"{peak.largest_process:.0f}", f"{peak.whole_worker:.0f}"]
        for name, peak in (("idle", measured.idle), ("reading the 600-page PDF", measured.ingesting))
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
