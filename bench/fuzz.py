"""`python -m bench.fuzz`: thousands of hostile files through the isolated reader, and a table of what came of them."""

import argparse
import time
import warnings
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from operator import attrgetter

import psutil
from tqdm import tqdm

from bench.tables import markdown
from tests.fuzz.hostile import kinds_of
from tests.fuzz.reading import MEMORY_MB, TEXT, TIMEOUT_S, Read, read


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.fuzz", description=__doc__)
    parser.add_argument("--files", type=int, default=20_000, help="how many (%(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="other files (%(default)s)")
    parser.add_argument("--parallel", type=int, default=4, help="how many at a time (%(default)s)")
    parser.add_argument("--kind", default="", help="only kinds whose name begins so")
    return parser.parse_args()


def reader_pools() -> list[int]:
    """The processes of this one that fork readers."""
    return [one.pid for one in psutil.Process().children() if "extraction.isolation.pool" in one.cmdline()]


def read_all(wanted: list[tuple[int, str]], *, seed: int, parallel: int) -> Iterator[Read]:
    """The files as they are done, in their order."""
    with ThreadPoolExecutor(parallel) as pool:
        try:
            yield from pool.map(lambda one: read(one[1], seed=seed, number=one[0]), wanted)
        finally:
            pool.shutdown(cancel_futures=True)


def by_kind(reads: Iterable[Read]) -> str:
    """Kinds down, outcomes across."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for one in reads:
        counts[one.kind][one.outcome] += 1
    outcomes = sorted({name for of_kind in counts.values() for name in of_kind}, key=lambda name: (name != TEXT, name))
    rows = [[kind, *(str(counts[kind][name] or "") for name in outcomes)] for kind in sorted(counts)]
    total = [str(sum(of_kind[name] for of_kind in counts.values())) for name in outcomes]
    return markdown(["kind", *outcomes], [*rows, ["all", *total]])


def extremes(reads: list[Read]) -> str:
    """The slowest, the largest, and those whose text took longest to cut."""
    rows = []
    for measure in ("seconds", "cpu_s", "peak_kb", "cut_s"):
        for one in sorted(reads, key=attrgetter(measure), reverse=True)[:5]:
            figures = [f"{one.seconds:.1f}", f"{one.cpu_s:.1f}", f"{one.peak_kb >> 10}", f"{one.cut_s:.1f}"]
            rows.append([measure, f"{one.kind} #{one.number}", f"{one.size >> 10}", one.outcome, *figures])
    return markdown(["most", "file", "KB", "outcome", "wall s", "CPU s", "peak MB", "cutting s"], rows)


def main() -> int:
    given = arguments()
    warnings.filterwarnings("ignore", "Duplicate name")
    kinds = [(number, kind) for number, kind in enumerate(kinds_of(given.files, seed=given.seed))]
    wanted = [(number, kind) for number, kind in kinds if kind.startswith(given.kind)]
    reads: list[Read] = []
    seen: set[int] = set()
    started = time.monotonic()
    for done in tqdm(read_all(wanted, seed=given.seed, parallel=given.parallel), total=len(wanted), unit="file"):
        reads.append(done)
        if len(reads) % 100 == 0 or len(reads) == len(wanted):
            seen.update(reader_pools())
    print(f"\n{len(reads)} files in {time.monotonic() - started:.0f} s; limits {MEMORY_MB} MB, {TIMEOUT_S:g} s\n")
    print(by_kind(reads), "\n", extremes(reads), sep="\n")
    faults = [f"{one.kind} #{one.number}: {fault}" for one in reads for fault in one.faults]
    if wanted and len(seen) != 1:
        faults.append(f"the reader pool died: {len(seen)} were seen")
    print(f"\n{len(faults)} faults", *faults, sep="\n")
    return 1 if faults else 0


if __name__ == "__main__":
    raise SystemExit(main())
