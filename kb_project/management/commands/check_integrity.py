"""`manage.py check_integrity [--repair] [--deep]`: whether the stored data is in order, and putting it in order."""

import json
import time
from argparse import ArgumentParser
from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any

from django.core.management.base import CommandError, OutputWrapper
from django.utils import timezone

from kb_project.configuration.startup import ServiceCommand
from kb_project.models import IntegrityRun
from kb_project.operations.integrity.registry import CheckProgress as Seen
from kb_project.operations.integrity.registry import Finding, IntegrityCheck, checks, daily, named, sentence_of
from kb_project.operations.integrity.run import CheckOutcome, Reporter, record, run

SHOWN = 5  # findings of each check
PROGRESS_EVERY_S = 5.0


class Progress(Reporter):
    """Says on stderr which check runs, how far it is, how it ended, and what was repaired."""

    def __init__(self, stderr: OutputWrapper) -> None:
        self._stderr = stderr
        self._said_at = 0.0

    def started(self, check: IntegrityCheck) -> None:
        self._said_at = time.monotonic()
        self._stderr.write(f"{check.name} … ", ending="")
        self._stderr.flush()

    def progressed(self, check: IntegrityCheck, progress: Seen) -> None:
        if time.monotonic() >= self._said_at + PROGRESS_EVERY_S:
            self._said_at = time.monotonic()
            self._stderr.write(f"\n  {progress.done} of {progress.total}", ending="")
            self._stderr.flush()

    def repaired(self, check: IntegrityCheck, finding: Finding) -> None:
        self._stderr.write(f"\n  repairing {finding.object}: {finding.sentence}", ending="")

    def finished(self, check: IntegrityCheck, outcome: CheckOutcome) -> None:
        self._stderr.write(f"{outcome.error or f'{outcome.found} found'} ({outcome.seconds:.1f} s)")


class Command(ServiceCommand):
    help = "Check that the stored data is in order; exit with 1 when it is not. With --repair, put it in order first."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--repair", action="store_true", help="mend what can be; deletes files that nothing names")
        parser.add_argument("--only", nargs="+", action="extend", default=[], metavar="NAME", help="only these checks")
        how_far = parser.add_mutually_exclusive_group()
        how_far.add_argument("--quick", action="store_true", help="only the checks that take no time to speak of")
        how_far.add_argument("--deep", action="store_true", help="also read every stored file and compare its hash")
        parser.add_argument("--list", action="store_true", help="say what the checks are, and run none")
        parser.add_argument("--json", action="store_true", help="say how it went in JSON")

    def handle(self, *, repair: bool, only: list[str], quick: bool, deep: bool, **options: Any) -> None:
        chosen = self._chosen(only, quick=quick, deep=deep or options["list"])
        if options["list"]:
            self._list(chosen)
            return
        started_at = timezone.now()
        outcomes = run(chosen, repair=repair, reporter=Progress(self.stderr))
        if all(check in chosen for check in daily()):  # a partial run says nothing about the rest
            record(outcomes, started_at=started_at, by=IntegrityRun.By.COMMAND)
        if options["json"]:
            self._as_json(outcomes, started_at=started_at)
        else:
            self._as_table(outcomes)
        remaining = sum(outcome.remaining for outcome in outcomes)
        failed = sum(bool(outcome.error) for outcome in outcomes)
        if remaining or failed:
            raise CommandError(f"{remaining} findings remain, {failed} checks failed.", returncode=1)

    def _chosen(self, only: Sequence[str], *, quick: bool, deep: bool) -> list[IntegrityCheck]:
        """The checks to run. One that is named is run even if it is a deep one."""
        for name in only:
            if named(name) is None:
                raise CommandError(f"There is no check {name!r}. There are: {', '.join(c.name for c in checks())}.")
        wanted = [check for check in checks() if (check.name in only if only else deep or not check.deep)]
        return [check for check in wanted if check.quick or not quick]

    def _list(self, checks: Sequence[IntegrityCheck]) -> None:
        width = max((len(check.name) for check in checks), default=0)
        for check in checks:
            held = (("repairs", check.repairs), ("quick", check.quick), ("deep", check.deep))
            marks = [mark for mark, holds in held if holds]
            self.stdout.write(f"{check.name:<{width}}  {check.meaning} [{', '.join(marks) or 'finds only'}]")

    def _as_json(self, outcomes: Sequence[CheckOutcome], *, started_at: datetime) -> None:
        answer = {
            "started_at": started_at.isoformat(),
            "finished_at": timezone.now().isoformat(),
            "findings": sum(outcome.remaining for outcome in outcomes),
            "failed": sum(bool(outcome.error) for outcome in outcomes),
            "checks": [asdict(outcome) for outcome in outcomes],
        }
        self.stdout.write(json.dumps(answer, ensure_ascii=False, indent=2))

    def _as_table(self, outcomes: Sequence[CheckOutcome]) -> None:
        width = max((len(outcome.name) for outcome in outcomes), default=0)
        self.stdout.write(f"{'check':<{width}}  {'found':>7}  {'repaired':>8}  {'left':>7}  {'seconds':>7}")
        for outcome in outcomes:
            counts = f"{outcome.found:>7}  {outcome.repaired:>8}  {outcome.remaining:>7}  {outcome.seconds:>7.1f}"
            self.stdout.write(f"{outcome.name:<{width}}  {counts}{'  failed' if outcome.error else ''}")
        for outcome in outcomes:
            if not outcome.clean:
                self._explain(outcome)

    def _explain(self, outcome: CheckOutcome) -> None:
        check = named(outcome.name)
        self.stdout.write(f"\n{outcome.name}: {check.meaning if check else ''}")
        if outcome.error:
            self.stdout.write(f"  The check failed: {outcome.error}")
        for example in outcome.examples[:SHOWN]:
            self.stdout.write(f"  {example['object']}: {sentence_of(example['detail'], example['values'])}")
        if outcome.remaining > SHOWN:
            self.stdout.write(f"  … and {outcome.remaining - SHOWN} more")
        for refusal in outcome.refusals[:SHOWN]:
            self.stdout.write(f"  {refusal['object']} was not repaired: {refusal['reason']}")
        if outcome.remaining and check:
            self.stdout.write(f"  {check.advice}")
