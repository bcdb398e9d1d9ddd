"""What the faults of an act cost: requests that went wrong, jobs that were worked on again, failed, or waited."""

from collections import defaultdict
from dataclasses import dataclass, field
from statistics import median

import psycopg

from bench.drill.act import Act, Injection

RESTING = ("awaiting_review", "done", "failed")
EVENTS = "SELECT job_id, extract(epoch FROM at)::float8, to_state, why FROM kb_ingest_event ORDER BY job_id, id"


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
