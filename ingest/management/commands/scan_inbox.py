"""`manage.py scan_inbox [--dry-run]`: the files of the legacy inbox into the initial topic."""

from argparse import ArgumentParser
from typing import Any

from ingest.intake.scan import scan_inbox
from kb_project.configuration.startup import ServiceCommand


class Command(ServiceCommand):
    help = (
        "Take in the files of inbox/<kind>/ (no topic in the path) into topic 1. Safe to run twice, or twice at once."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--dry-run", action="store_true", help="only say what would be done")

    def handle(self, *, dry_run: bool, **options: Any) -> None:
        scan = scan_inbox(by="manage.py scan_inbox", dry_run=dry_run)
        for queued in scan.queued:
            self.stdout.write(f"queued   {queued.key}" + (f"  job {queued.job_id}" if queued.job_id else ""))
        for skipped in scan.skipped:
            self.stdout.write(f"skipped  {skipped.key}: {skipped.reason}")
        would = " would be" if dry_run else ""
        self.stdout.write(f"{len(scan.queued)}{would} queued, {len(scan.skipped)} skipped.")
