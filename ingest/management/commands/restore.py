"""`manage.py restore PATH`: a backup into an empty installation whose service is stopped."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError

from ingest.backup.archive import BackupRefused
from ingest.backup.restore import restore
from kb_project.operations.local_stack.offline import run_with_database


class Command(BaseCommand):
    help = "Put the backup at PATH into this installation, which must be empty, and verify what arrived."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("path", type=Path, metavar="PATH", help="what `manage.py backup` wrote")
        parser.add_argument("--force", action="store_true", help="replace all that an installation in use holds")

    def handle(self, *, path: Path, force: bool, **options: Any) -> None:
        if run_with_database():
            return
        try:
            manifest = restore(path.resolve(), force=force, say=self.stdout.write)
        except BackupRefused as refusal:
            raise CommandError(str(refusal)) from refusal
        except (OSError, DatabaseError) as error:
            raise CommandError(
                "The backup could not be restored; run the command again, with --force if its rows are in already: "
                f"{error}"
            ) from error
        self.stdout.write(f"restored: {path}")
        for key in manifest.missing:
            self.stdout.write(f"not in the backup, as it was missing already: {key}")
