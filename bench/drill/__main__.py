"""`python -m bench.drill`: break the service's parts while it works, and say whether anything was lost or doubled."""

import argparse
import random
import signal
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from bench.command import parser_of, run
from bench.drill.act import Act, opened, perform
from bench.drill.cost import Cost, count
from bench.drill.faults import NAMES
from bench.drill.patient import GivenUp
from bench.drill.settle import settle
from bench.drill.verdict import judge
from bench.made_up import make_files
from bench.stack import StackFailed
from bench.tables import markdown

FILES = 300
BROKEN, COPIES = 10, 8  # of each act
RECOVERED_WITHIN_S = 60.0
ACTS = ("local files", "s3")
ONLY_ON_S3 = ("storage 503", "storage hangs")


def arguments() -> argparse.Namespace:
    parser = parser_of("bench.drill", __doc__)
    parser.add_argument("--minutes", type=float, default=10.0, help="of faults; rest and checks come on top")
    parser.add_argument("--seed", type=int, default=int(time.time()) % 100_000, help="which faults when (%(default)s)")
    parser.add_argument("--only", default="", choices=NAMES, metavar="FAULT", help=f"only one of {', '.join(NAMES)}")
    parser.add_argument("--files", type=int, default=FILES, help="over all acts (%(default)s)")
    parser.add_argument("--storage", choices=ACTS, help="only the act on this storage")
    return parser.parse_args()


def main() -> int:
    signal.signal(signal.SIGINT, signal.default_int_handler)  # also where a script starts it in the background
    chosen = arguments()
    acts = [chosen.storage] if chosen.storage else [ACTS[1]] if chosen.only in ONLY_ON_S3 else list(ACTS)
    print(f"Seed {chosen.seed}; {chosen.minutes:g} minutes, {chosen.files} files.", file=sys.stderr)
    costs: dict[str, Cost] = {}
    counts: Counter[str] = Counter()
    failed: Counter[str] = Counter()
    problems: list[str] = []
    for number, name in enumerate(acts):
        try:
            with tempfile.TemporaryDirectory(prefix="kb-drill-", ignore_cleanup_errors=True) as folder:
                files = make_files(
                    good=max(1, chosen.files // len(acts) - BROKEN - COPIES), copies=COPIES, seed=chosen.seed + number
                )
                with opened(name.split()[0], folder=Path(folder), files=files, seed=chosen.seed) as one:
                    chance = random.Random(chosen.seed + number)
                    perform(one, seconds=chosen.minutes * 60 / len(acts), only=chosen.only, chance=chance)
                    failed += settle(one)
                    problems += [f"{name}: {problem}" for problem in judge(one)]
                    count(one, costs)
                    counts += one.ledger.counts
                    problems += [f"{name}: {sentence}" for sentence in too_slow(one)]
                    for skipped in one.skipped:
                        print(f"Skipped: {skipped}", file=sys.stderr)
        except (GivenUp, StackFailed) as error:
            problems.append(f"{name}: the act broke off: {error}")
        except KeyboardInterrupt:
            print("Stopped; nothing is left running.", file=sys.stderr)
            return 130
    report(costs, counts=counts, failed=failed, problems=problems)
    return 1 if problems else 0


def too_slow(one: Act) -> list[str]:
    """Sentences about the faults after which all was whole too late, or never."""
    return [
        f"{injection.fault}: not whole within {RECOVERED_WITHIN_S:.0f} s of its end"
        f" ({'never' if injection.recovery_s is None else f'{injection.recovery_s:.0f} s'})"
        for injection in one.injections
        if injection.recovery_s is None or injection.recovery_s > RECOVERED_WITHIN_S
    ]


def report(costs: dict[str, Cost], *, counts: Counter[str], failed: Counter[str], problems: list[str]) -> None:
    """Print the table of faults, what was done meanwhile, and what does not add up."""
    header = ["fault", "times", "whole again, median s", "max s", "slowest job s", "requests repeated", "jobs failed"]
    print(markdown(header, [[name, *cost.cells()] for name, cost in sorted(costs.items())]))
    done = ", ".join(f"{number} {what}" for what, number in sorted(counts.items()))
    print(f"\nMeanwhile: {done}.")
    codes = ", ".join(f"{number} {code}" for code, number in sorted(failed.items())) or "none"
    print(f"Jobs that had failed before their retry: {codes}.")
    print(f"Does not add up: {len(problems)}")
    for problem in problems:
        print(f"- {problem}")


if __name__ == "__main__":
    sys.exit(run(main))
