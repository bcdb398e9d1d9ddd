"""`manage.py create_api_key NAME [--admin] [--topic SLUG]`: makes an API key and prints it, once."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError

from topics.keys import KeyNameTaken, issue_key
from topics.models import Topic


class Command(BaseCommand):
    help = "Make an API key. The key goes to standard output and cannot be shown again; notes go to standard error."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", help="who will hold the key; for people to tell keys apart")
        parser.add_argument("--admin", action="store_true", help="let the key use the paths under /admin/kb")
        parser.add_argument("--topic", metavar="SLUG", help="pin the key to one topic; it sees no other")

    def handle(self, *args: Any, **options: Any) -> None:
        topic = None
        if options["topic"] is not None:
            topic = Topic.objects.filter(slug=options["topic"]).first()
            if topic is None:
                slugs = ", ".join(Topic.objects.values_list("slug", flat=True))
                raise CommandError(f"There is no topic with the slug “{options['topic']}”. There are: {slugs}.")
        try:
            key, plaintext = issue_key(name=options["name"], admin=options["admin"], topic=topic)
        except KeyNameTaken as error:
            raise CommandError(str(error)) from error
        except ValidationError as error:
            raise CommandError(" ".join(error.messages)) from error
        rights = "may use the admin paths" if key.admin else "public paths only"
        scope = f"topic “{topic.name}” only" if topic else "every topic"
        self.stderr.write(f"API key “{key.name}”: {rights}, {scope}. It is shown this once:")
        self.stdout.write(plaintext)
