"""`manage.py prepare`: migrations, bucket, admin user, bootstrap key: what the servers need before the service."""

from collections.abc import Iterator
from typing import Any

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import DEFAULT_DB_ALIAS, OperationalError, connection
from django.db.migrations.executor import MigrationExecutor

from kb_project.configuration.startup import run_startup_checks
from kb_project.database import grants
from kb_project.operations.local_stack import CannotStart, external


class Command(BaseCommand):
    help = (
        "Apply migrations, make the bucket, the first admin user and the key of KB_BOOTSTRAP_API_KEY. Safe to repeat."
    )
    requires_system_checks = ()  # it looks itself: those of Django also print what is only a warning

    def handle(self, *args: Any, **options: Any) -> None:
        run_startup_checks()
        try:
            external.require_database(settings.DATABASE_URL)
            external.require_broker(settings.REDIS_URL)
        except CannotStart as refusal:
            raise CommandError(str(refusal)) from refusal
        try:
            for line in migrate():
                self.stdout.write(line)
        except OperationalError as error:
            raise CommandError(f"The database does not answer: {error}") from error
        try:
            run_startup_checks(databases=[DEFAULT_DB_ALIAS])
        except ImproperlyConfigured as mistake:
            raise CommandError(str(mistake)) from mistake
        if settings.KB_STORAGE == "s3":
            call_command("ensure_bucket", stdout=self.stdout)
        call_command("ensure_admin", stdout=self.stdout)
        if settings.KB_BOOTSTRAP_API_KEY:
            call_command("ensure_bootstrap_key", stdout=self.stdout)


def migrate() -> Iterator[str]:
    """Apply what is missing, and say how much that is. Of an upgrade also that a backup is due."""
    executor = MigrationExecutor(connection)
    missing = executor.migration_plan(executor.loader.graph.leaf_nodes())
    if not missing:
        grants.grant(connection)
        yield "migrations: up to date"
        return
    is_upgrade = bool(executor.loader.applied_migrations)
    if is_upgrade:
        yield f"upgrade: migrations that the database lacks: {len(missing)}, they are not undone"
    call_command("migrate", interactive=False, verbosity=0)
    yield f"migrations: {len(missing)} applied"
    if is_upgrade:
        yield "backup: one is due (manage.py backup PATH), those from before the upgrade are of the older version"
