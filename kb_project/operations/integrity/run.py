"""Running the integrity checks, repairing what can be, and keeping how it went."""

import logging
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime, timedelta
from typing import Any

from django.db import connection
from django.utils import timezone

from kb_project.errors import ApiError
from kb_project.models import IntegrityRun
from kb_project.operations.integrity.registry import CheckProgress, Finding, IntegrityCheck, daily

log = logging.getLogger(__name__)

EXAMPLES = 20  # findings of a check that are kept with their sentences; all are counted
KEPT_RUNS = 100
MAX_ERROR_LENGTH = 500


@dataclass(slots=True)
class CheckOutcome:
    """What one check came to. `remaining` is what is still wrong at the end. `error` says why a check broke off."""

    name: str
    found: int = 0
    repaired: int = 0
    remaining: int = 0
    seconds: float = 0.0
    examples: list[dict[str, Any]] = field(default_factory=list)
    refusals: list[dict[str, str]] = field(default_factory=list)
    error: str = ""

    @property
    def clean(self) -> bool:
        return not self.remaining and not self.error


class Reporter:
    """Is told how a run goes. This one says nothing."""

    def started(self, check: IntegrityCheck) -> None: ...

    def progressed(self, check: IntegrityCheck, progress: CheckProgress) -> None: ...

    def repaired(self, check: IntegrityCheck, finding: Finding) -> None: ...

    def finished(self, check: IntegrityCheck, outcome: CheckOutcome) -> None: ...


def run(
    checks: Iterable[IntegrityCheck], *, repair: bool = False, reporter: Reporter | None = None
) -> list[CheckOutcome]:
    """Run the checks one after the other. One that fails with an exception does not stop the others.

    With `repair`, what a check can mend is mended as it is found, then it looks again.
    """
    reporter = reporter or Reporter()
    outcomes = []
    for check in checks:
        reporter.started(check)
        outcome = _examine(check, repair=repair, reporter=reporter)
        reporter.finished(check, outcome)
        outcomes.append(outcome)
    return outcomes


def record(outcomes: Sequence[CheckOutcome], *, started_at: datetime, by: str) -> IntegrityRun:
    """Keep the outcome of a run of all daily checks as the latest, and let go of the oldest ones."""
    kept = IntegrityRun.objects.create(
        started_at=started_at,
        finished_at=timezone.now(),
        by=by,
        results=[asdict(outcome) for outcome in outcomes],
    )
    IntegrityRun.objects.filter(pk__lte=kept.pk - KEPT_RUNS).delete()
    return kept


def latest() -> IntegrityRun | None:
    return IntegrityRun.objects.order_by("-id").first()


def summary() -> dict[str, Any] | None:
    """`{checked_at, findings, failed}` of the latest run, None before the first. Reads one row."""
    kept = latest()
    if kept is None:
        return None
    return {"checked_at": kept.finished_at, "findings": kept.findings, "failed": kept.failed}


def run_if_due(*, every: timedelta, by: str) -> IntegrityRun | None:
    """Run and record the daily checks unless that was done within this time, by whomever."""
    started_at = timezone.now()
    last = latest()
    if last is not None and last.started_at > started_at - every:
        return None
    return record(run(daily()), started_at=started_at, by=by)


def _examine(check: IntegrityCheck, *, repair: bool, reporter: Reporter) -> CheckOutcome:
    outcome = CheckOutcome(name=check.name)
    started = time.monotonic()
    try:
        _find(check, outcome, mend=check.repair if repair else None, reporter=reporter)
        if repair and check.repair_all and outcome.found:
            check.repair_all()
        if repair and check.repairs and outcome.found:
            _look_again(check, outcome, reporter=reporter)
    except Exception as error:  # a check is code like any other, and what it reads may be broken in any way
        log.exception("The integrity check %s failed", check.name)
        outcome.error = f"{type(error).__name__}: {error}"[:MAX_ERROR_LENGTH]
        if not connection.in_atomic_block:
            connection.close_if_unusable_or_obsolete()  # the next check starts with one that works
    outcome.seconds = round(time.monotonic() - started, 3)
    return outcome


def _find(
    check: IntegrityCheck,
    outcome: CheckOutcome,
    *,
    mend: Callable[[Finding], object] | None,
    reporter: Reporter,
) -> None:
    for finding in check.findings(lambda progress: reporter.progressed(check, progress)):
        outcome.found += 1
        outcome.remaining += 1
        _note(outcome, finding)
        if mend is None:
            continue
        try:
            mend(finding)
        except ApiError as refusal:
            if len(outcome.refusals) < EXAMPLES:
                outcome.refusals.append({"object": finding.object, "reason": refusal.detail})
        else:
            reporter.repaired(check, finding)


def _look_again(check: IntegrityCheck, outcome: CheckOutcome, *, reporter: Reporter) -> None:
    """What is left after a repair, which is what the examples then show."""
    outcome.examples.clear()
    outcome.remaining = 0
    for finding in check.findings(lambda progress: reporter.progressed(check, progress)):
        outcome.remaining += 1
        _note(outcome, finding)
    outcome.repaired = max(0, outcome.found - outcome.remaining)


def _note(outcome: CheckOutcome, finding: Finding) -> None:
    if len(outcome.examples) < EXAMPLES:
        values = dict(finding.values)
        outcome.examples.append({"object": finding.object, "detail": finding.detail, "values": values})
