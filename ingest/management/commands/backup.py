"""`manage.py backup PATH`: everything that the installation holds, in a directory or a .tar."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError

from ingest.backup.archive import BackupRefused
from ingest.backup.take import take
from kb_project.operations.local_stack.offline import run_with_database

SHOWN = 5


class Command(BaseCommand):
    help = "Write the rows of one moment and the files that they name to PATH, which must not exist yet."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("path", type=Path, metavar="PATH", help="a new directory, or a file that ends in .tar")

    def handle(self, *, path: Path, **options: Any) -> None:
        if run_with_database():
            return
        try:
            manifest = take(path.resolve(), say=self.stdout.write)
        except BackupRefused as refusal:
            raise CommandError(str(refusal)) from refusal
        except (OSError, DatabaseError) as error:
            raise CommandError(f"The backup could not be made, and nothing of it is left: {error}") from error
        self.stdout.write(f"backup: {path}")
        if manifest.missing:
            raise CommandError(
                f"The backup is made, but {len(manifest.missing)} files that the database names are not in the "
                f"storage ({', '.join(manifest.missing[:SHOWN])}): see missing_files in docs/operations.md."
            )
