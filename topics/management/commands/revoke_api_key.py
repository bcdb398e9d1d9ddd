"""`manage.py revoke_api_key PREFIX`: the key that begins so opens nothing any more."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from kb_project.configuration.startup import ServiceCommand
from topics.keys import revoke
from topics.models import ApiKey


class Command(ServiceCommand):
    help = "Revoke an API key. `list_api_keys` shows the prefixes, the 8 characters before the dot."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("prefix", help="the 8 characters before the dot; not the whole key")

    def handle(self, *args: Any, **options: Any) -> None:
        key = ApiKey.objects.filter(prefix=options["prefix"]).first()
        if key is None:  # what was given is not repeated: it may be a whole key
            raise CommandError("No API key has this prefix. `manage.py list_api_keys` shows those there are.")
        revoked = revoke(key, by="manage.py revoke_api_key")
        self.stdout.write(f"{key}: {'revoked' if revoked else 'was revoked before'}")
