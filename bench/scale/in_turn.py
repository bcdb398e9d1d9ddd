"""`python -m bench.scale.in_turn NAME=CHECKOUT:DATA …`: the latency of several commits, asked in turn on one machine.

CHECKOUT is a working tree of a commit, DATA what its own `bench.scale --only load` filled. All services are up at once,
and each query is asked of one after the other, who is first by turns. So a slow minute of the machine is one of all.
What a commit refuses, as it does not know a member of the request, is left out of its column.
"""

import sys
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median

from tqdm import tqdm

from bench.client import ApiError
from bench.command import parser_of, run
from bench.metrics import percentiles
from bench.scale.client import SearchApi
from bench.scale.latency import REQUESTS, Case, cases_of, warm
from bench.scale.load import OFFLINE
from bench.scale.throughput import measure_throughput
from bench.stack import Stack, StackFailed, running
from bench.tables import markdown

Lines = Mapping[str, Sequence[float]]  # milliseconds by the name of the commit


@dataclass(frozen=True, slots=True)
class Commit:
    """One of the services, and what is asked of it."""

    name: str
    stack: Stack
    api: SearchApi
    cases: Mapping[tuple[str, str], Case]


def main() -> int:
    parser = parser_of("bench.scale.in_turn", __doc__)
    parser.add_argument(
        "services", nargs="+", metavar="NAME=CHECKOUT:DATA", help="the first is what others are held to"
    )
    parser.add_argument("--requests", type=int, default=REQUESTS, help="timed searches for each topic (%(default)s)")
    parser.add_argument("--throughput", action="store_true", help="searches a second of each, too")
    chosen = parser.parse_args()
    with ExitStack() as things:
        commits = [_commit(given, things, requests=chosen.requests) for given in chosen.services]
        first, *_ = commits
        rows = [_row(name, ask_in_turn(name, commits), commits) for name in first.cases]
        heads = [f"{one.name}, {figure}" for one in commits for figure in ("p50", "p95")]
        ratios = [f"{one.name} / {first.name}, {figure}" for one in commits[1:] for figure in ("p50", "p95")]
        print(markdown(["topic", "filter", *heads, *ratios], rows))
        if chosen.throughput:
            print(f"\n{_throughput(commits)}")
    return 0


def _commit(given: str, things: ExitStack, *, requests: int) -> Commit:
    name, _, place = given.partition("=")
    checkout, _, data = place.partition(":")
    if not data:
        raise StackFailed(f"{given} is not NAME=CHECKOUT:DATA")
    stack = things.enter_context(running(Path(data), project=Path(checkout), **OFFLINE))
    warm(stack.database_url)
    api = things.enter_context(closing(SearchApi(stack.base_url, stack.api_key)))
    cases = {(case.topics, case.filtered): case for case in cases_of(stack.database_url, requests=requests)}
    return Commit(name, stack, api, cases)


def ask_in_turn(name: tuple[str, str], commits: Sequence[Commit]) -> dict[str, list[float]]:
    """Milliseconds of the queries of a case, which are those of the first commit for all."""
    first = commits[0].cases[name]
    left = [(one, replace(one.cases[name], queries=first.queries)) for one in commits if name in one.cases]
    took: dict[str, list[float]] = {one.name: [] for one, _ in left}
    before, timed = first.parted
    for turn, query in enumerate(tqdm([*before, *timed], desc=" ".join(name), unit="query", mininterval=2)):
        for one, case in [*left[turn % len(left) :], *left[: turn % len(left)]] if left else ():
            try:
                _, took_ms = one.api.timed(case.request(query))
            except ApiError:
                left = [pair for pair in left if pair[0] is not one]
                del took[one.name]
                continue
            if turn >= len(before):
                took[one.name].append(took_ms)
    return took


def _row(name: tuple[str, str], took: Lines, commits: Sequence[Commit]) -> list[str]:
    """The percentiles of each commit, and of each but the first the ratio to the first's."""
    found = [percentiles(took.get(one.name, ())) for one in commits]
    figures = [figure for one in found for figure in (one.p50, one.p95)]
    ratios = [figure / figures[place % 2] if figures[place % 2] else 0.0 for place, figure in enumerate(figures)][2:]
    cells = [*(f"{figure:.1f}" for figure in figures), *(f"{ratio:.2f}" for ratio in ratios)]
    return [*name, *("–" if not float(cell) else cell for cell in cells)]


def _throughput(commits: Sequence[Commit]) -> str:
    """Searches a second in the largest topic, three times in turn; the medians."""
    rounds = [[measure_throughput(one.stack, one.cases["largest", ""]) for one in commits] for _ in range(3)]
    rows = []
    for line, one in enumerate(rounds[0][0]):
        rates = [median(of_round[place][line].searches_per_s for of_round in rounds) for place in range(len(commits))]
        rows.append([str(one.clients), *(f"{rate:.0f}" for rate in rates)])
    return markdown(["clients", *(f"{one.name}, searches/s" for one in commits)], rows)


if __name__ == "__main__":
    sys.exit(run(main))
