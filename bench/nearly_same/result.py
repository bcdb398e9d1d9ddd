"""What was found, as a table."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from bench.nearly_same.documents import DIFFERENT
from bench.tables import markdown


@dataclass
class Result:
    """What was found: pairs by their formats, and the names of documents that were named with another one."""

    asked: dict[str, int] = field(default_factory=dict)
    found: dict[str, int] = field(default_factory=dict)
    missed: list[str] = field(default_factory=list)
    wrong: dict[str, str] = field(default_factory=dict)
    shares: list[float] = field(default_factory=list)
    took_ms: list[float] = field(default_factory=list)
    jobs_ms: list[float] = field(default_factory=list)
    sources: int = 0
    passages: int = 0
    peak_mb: float = 0.0


def table(result: Result) -> str:
    """The figures of a run."""
    pairs = [[name, f"{result.found.get(name, 0)} of {asked}"] for name, asked in sorted(result.asked.items())]
    found, asked = sum(result.found.values()), sum(result.asked.values())
    rows = [["all pairs", f"{found} of {asked}"], *pairs]
    rows += [["different documents with a wrong warning", f"{len(result.wrong)} of {DIFFERENT}"]]
    rows += [[f"a comparison with {result.sources:,} sources of {result.passages:,} passages", _times(result.took_ms)]]
    rows += [["with 500 files that wait", _times(result.jobs_ms)]]
    rows += [["least similarity of a pair", f"{min(result.shares, default=0):.2f}"]]
    rows += [["peak memory of the process", f"{result.peak_mb:.0f} MB"]]
    return markdown(["", "found"], rows)


def _times(values: Sequence[float]) -> str:
    ordered = sorted(values)
    if not ordered:
        return "not measured"
    return f"{ordered[len(ordered) // 2]:.1f} ms, 95 %: {ordered[int(len(ordered) * 0.95)]:.1f} ms"
