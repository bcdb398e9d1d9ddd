"""`python -m bench.drill`: break the service's parts while it works, and say whether anything was lost or doubled.

Each act ends when everything is decided, at rest, and what failed was tried again. Then its faults' cost is counted.
"""

import argparse
import random
import signal
import sys
import tempfile
import time
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

import psycopg

from bench.client import ApiError
from bench.command import parser_of, run
from bench.drill.act import Act, Injection, opened, perform
from bench.drill.faults import NAMES
from bench.drill.patient import GivenUp
from bench.drill.people import Reviewer
from bench.drill.verdict import judge
from bench.made_up import make_files
from bench.stack import StackFailed
from bench.tables import markdown

FILES = 300
BROKEN, COPIES = 10, 8  # of each act
RECOVERED_WITHIN_S = 60.0
ACTS = ("local files", "s3")
ONLY_ON_S3 = ("storage 503", "storage hangs")
RESTING = ("awaiting_review", "done", "failed")
EVENTS = "SELECT job_id, extract(epoch FROM at)::float8, to_state, why FROM kb_ingest_event ORDER BY job_id, id"
REST_WITHIN_S = 240.0
DELETED_WITHIN_S = 150.0
UNDER_WAY = ("queued", "processing")
AN_HOUR_LATER = "UPDATE kb_file_deletion SET requested_at = now() - interval '5 minutes' WHERE requested_at > now()"
NOT_TO_RETRY = ("discarded", "source_deleted")


def settle(act: Act) -> Counter[str]:
    """Wait for rest, retry what failed once, wait again. Gives how many jobs had failed, by code, at first."""
    come_to_rest(act)
    failed = failed_jobs(act)
    for job in failed:
        if job["error"]["code"] in NOT_TO_RETRY:
            continue
        try:
            act.api.safe("POST", f"/admin/kb/jobs/{job['id']}/retry")
        except ApiError as refusal:
            if not (job["reindex"] and refusal.code == "wrong_state"):  # its source is being indexed again already
                act.ledger.complain(f"job {job['id']} ({job['filename']}) cannot be retried: {refusal}")
    come_to_rest(act)
    _wait_for_deletions(act)
    return Counter(job["error"]["code"] for job in failed)


def come_to_rest(act: Act) -> None:
    """Decide what awaits review until nothing is under way any more."""
    reviewer = Reviewer(act.api, ledger=act.ledger, topic_id=act.topic_id, files=act.files)
    chance = random.Random(1)
    ends = time.monotonic() + REST_WITHIN_S
    while True:
        waiting = reviewer.look(chance)
        under_way = [job for status in UNDER_WAY for job in act.api.pages("/admin/kb/jobs", status=status)]
        if not under_way and not waiting:
            return
        if time.monotonic() > ends:
            for job in under_way:
                act.ledger.complain(f"job {job['id']} ({job['filename']}) is still {job['status']}")
            return
        time.sleep(0.5)


def failed_jobs(act: Act) -> list[dict[str, Any]]:
    return act.api.pages("/admin/kb/jobs", topic_id=act.topic_id, status="failed")


def _wait_for_deletions(act: Act) -> None:
    """Until no stored file is to be deleted any more, neither what could not be, nor what nobody came to name."""
    ends = time.monotonic() + DELETED_WITHIN_S
    while time.monotonic() < ends:
        with psycopg.connect(act.stack.database_url, connect_timeout=10) as connection:
            connection.execute(AN_HOUR_LATER)
            (left,) = connection.execute("SELECT count(*) FROM kb_file_deletion").fetchone() or (0,)
        if not left:
            return
        time.sleep(1.0)
    act.ledger.complain(f"{left} files are still to be deleted after {DELETED_WITHIN_S:.0f} s")


@dataclass(slots=True)
class Cost:
    """Of one sort of fault over all acts, in seconds. `waits` has the slowest job that was under way at each end."""

    times: int = 0
    recoveries: list[float] = field(default_factory=list)
    never: int = 0
    waits: list[float] = field(default_factory=list)
    troubles: int = 0
    failed: int = 0

    def cells(self) -> list[str]:
        return [
            str(self.times),
            f"{median(self.recoveries):.1f}" if self.recoveries else "–",
            f"{max(self.recoveries):.1f}" if self.recoveries and not self.never else "never" if self.never else "–",
            f"{max(self.waits):.0f}" if self.waits else "0",
            str(self.troubles),
            str(self.failed),
        ]


def count(act: Act, costs: dict[str, Cost]) -> None:
    """Add an act's faults to the costs by fault. Call it once all is at rest."""
    histories = _histories(act.stack.database_url)
    for injection in act.injections:
        cost = costs.setdefault(injection.fault, Cost())
        cost.times += 1
        if injection.recovery_s is None:
            cost.never += 1
        else:
            cost.recoveries.append(injection.recovery_s)
        cost.waits.append(slowest(histories, injection.ended))
        cost.troubles += act.ledger.troubles(injection.began, injection.whole)
        cost.failed += _failed(histories, injection)


History = list[tuple[float, str, str]]


def _histories(database_url: str) -> dict[str, History]:
    histories: dict[str, History] = defaultdict(list)
    with psycopg.connect(database_url, connect_timeout=10) as connection:
        for job_id, at, state, why in connection.execute(EVENTS):
            histories[str(job_id)].append((at, state, why))
    return histories


def slowest(histories: dict[str, History], moment: float) -> float:
    """How long after the moment the last job that was queued or worked on then came to rest."""
    longest = 0.0
    for history in histories.values():
        before = [state for at, state, _ in history if at <= moment]
        if not before or before[-1] in RESTING:
            continue
        longest = max(longest, next((at - moment for at, state, _ in history if at > moment and state in RESTING), 0.0))
    return longest


def _failed(histories: dict[str, History], injection: Injection) -> int:
    """Jobs that failed from the fault's beginning until all was whole, for a reason that is not in their file."""
    marks = ("worker died", "storage_error", "database_error", "provider_error", "internal_error", "file_missing")
    return sum(
        injection.began <= at <= injection.whole and state == "failed" and any(mark in why for mark in marks)
        for history in histories.values()
        for at, state, why in history
    )


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
