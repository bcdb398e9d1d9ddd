"""`manage.py ensure_bootstrap_key`: the admin key that KB_BOOTSTRAP_API_KEY names, for scripts and tests."""

from typing import Any

from django.conf import settings
from django.core.management.base import CommandError

from kb_project.configuration.startup import ServiceCommand
from topics.keys import KeyNameTaken, MalformedKey, ensure_bootstrap_key


class Command(ServiceCommand):
    help = "Make the admin key that KB_BOOTSTRAP_API_KEY names, if it names one. Safe to repeat."

    def handle(self, *args: Any, **options: Any) -> None:
        text = settings.KB_BOOTSTRAP_API_KEY
        if not text:
            return
        try:
            key = ensure_bootstrap_key(text)
        except (MalformedKey, KeyNameTaken) as error:
            raise CommandError(f"KB_BOOTSTRAP_API_KEY cannot be used: {error}") from error
        state = "revoked: set another one" if key.revoked_at else "ready"
        self.stdout.write(f"bootstrap key: {key.prefix}.… {state}")
