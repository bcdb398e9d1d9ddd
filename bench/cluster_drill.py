"""`python -m bench.cluster_drill`: the service on several machines while each is killed, cut off and slowed."""

import argparse
import random
import shutil
import signal
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median

from bench.drill import faulty_s3
from bench.drill.__main__ import too_slow
from bench.drill.act import Act, perform
from bench.drill.cost import Cost, count
from bench.drill.ledger import Ledger
from bench.drill.machine_faults import NAMES, faults_of
from bench.drill.machines import QDRANT, Service
from bench.drill.patient import GivenUp, PatientApi
from bench.drill.settle import settle
from bench.drill.verdict import judge
from bench.links import own_network
from bench.made_up import make_files
from bench.stack import Stack, StackFailed
from bench.tables import markdown

TOPICS = ("one", "two")
READERS = 3  # of each topic
FILES, COPIES = 150, 6


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.cluster_drill", description=__doc__)
    parser.add_argument("--minutes", type=float, default=10.0, help="of faults; rest and checks come on top")
    parser.add_argument("--seed", type=int, default=int(time.time()) % 100_000, help="which faults when (%(default)s)")
    parser.add_argument("--only", default="", choices=NAMES, metavar="FAULT", help=f"only one of {', '.join(NAMES)}")
    parser.add_argument(
        "--index", choices=("postgres", QDRANT), default="postgres", help="with Qdrant's embedded engine as a machine"
    )
    parser.add_argument("--files", type=int, default=FILES, help="of each topic (%(default)s)")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="copy the logs there at the end")
    chosen = parser.parse_args()
    if chosen.only.startswith(QDRANT) and chosen.index != QDRANT:
        parser.error(f"{chosen.only} needs --index {QDRANT}")
    return chosen


def main() -> int:
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))
    signal.signal(signal.SIGINT, signal.default_int_handler)
    chosen = arguments()
    dropped = "dropped" if own_network() else "held by a proxy: dropping them needs root, ip and tc"
    print(f"Seed {chosen.seed}; {chosen.minutes:g} minutes. Packets of what is cut off are {dropped}.", file=sys.stderr)
    costs: dict[str, Cost] = {}
    counts: Counter[str] = Counter()
    problems: list[str] = []
    with tempfile.TemporaryDirectory(prefix="kb-cluster-drill-", ignore_cleanup_errors=True) as folder:
        try:
            with _opened(Path(folder), chosen=chosen) as (service, acts):
                chance = random.Random(chosen.seed)
                seconds = chosen.minutes * 60
                perform(*acts, seconds=seconds, only=chosen.only, chance=chance, readers=READERS)
                for act in acts:
                    settle(act)
                for act in acts:
                    problems += [f"topic {act.name}: {problem}" for problem in judge(act)]
                    counts += act.ledger.counts
                problems += too_slow(acts[0])
                problems += filter(None, (part.ended() for part in service.parts.values()))
                count(acts[0], costs)
        except (GivenUp, StackFailed) as error:
            problems.append(f"the drill broke off: {error}")
        finally:
            if chosen.keep:
                shutil.copytree(Path(folder) / "log", chosen.keep, dirs_exist_ok=True)
    report(costs, counts=counts, problems=problems)
    return 1 if problems else 0


@contextmanager
def _opened(folder: Path, *, chosen: argparse.Namespace) -> Iterator[tuple[Service, list[Act]]]:
    with ExitStack() as things:
        s3 = things.enter_context(faulty_s3.faulty_s3())
        service = Service(folder, s3=s3, index=chosen.index)
        things.callback(service.stop)
        service.start()
        stack = service.stack(things.enter_context(service.balancer().running()))
        acts: list[Act] = []
        for number, name in enumerate(TOPICS):
            act = _act(name, stack, service=service, chosen=chosen, seed=chosen.seed + number)
            things.callback(act.api.close)
            if acts:  # labels are of all topics, and so is what requests cost
                first = acts[0].ledger
                act.ledger.merged, act.ledger.merging = first.merged, first.merging
                act.ledger.requests = first.requests
            acts.append(act)
        acts[0].faults += faults_of(service, s3=s3, chance=random.Random(chosen.seed))
        yield service, acts


def _act(name: str, stack: Stack, *, service: Service, chosen: argparse.Namespace, seed: int) -> Act:
    ledger = Ledger()
    api = PatientApi(stack.base_url, stack.api_key, ledger=ledger, stop=threading.Event())
    topic_id = int(api.once("POST", "/admin/kb/topics", json={"name": f"Drill {name}", "slug": f"drill-{name}"})["id"])
    files = {file.name: file for file in make_files(good=chosen.files, copies=COPIES, seed=seed)}
    return Act(name, stack, [], topic_id, api, ledger, files, is_ready=service.is_whole)


def report(costs: dict[str, Cost], *, counts: Counter[str], problems: list[str]) -> None:
    """Print the table of faults, what was done meanwhile, and what does not add up."""
    header = ["fault", "times", "requests failed / all", "%", "slowest request s", "whole again, median s", "max s"]
    rows = [[name, *_cells(costs[name])] for name in NAMES if name in costs]
    print(markdown(header, rows))
    done = ", ".join(f"{number} {what}" for what, number in sorted(counts.items()))
    print(f"\nMeanwhile: {done}.")
    print(f"Does not add up: {len(problems)}")
    for problem in problems:
        print(f"- {problem}")


def _cells(cost: Cost) -> list[str]:
    failed = sum(failed for _, failed in cost.requests)
    return [
        str(cost.times),
        f"{failed} / {len(cost.requests)}",
        f"{100 * failed / max(1, len(cost.requests)):.1f}",
        f"{max((seconds for seconds, _ in cost.requests), default=0):.1f}",
        f"{median(cost.recoveries):.1f}" if cost.recoveries else "–",
        "never" if cost.never else f"{max(cost.recoveries):.1f}",
    ]


if __name__ == "__main__":
    sys.exit(main())
