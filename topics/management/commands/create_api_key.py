"""`manage.py create_api_key NAME [--admin] [--topic SLUG] [--expires DAYS|DATE]`: makes a key and prints it, once."""

from argparse import ArgumentParser
from datetime import date, datetime, timedelta
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import CommandError
from django.utils import timezone

from kb_project.configuration.startup import ServiceCommand
from topics.keys import KeyNameTaken, expiry_of, issue_key
from topics.models import Topic


class Command(ServiceCommand):
    help = "Make an API key. The key goes to standard output and cannot be shown again; notes go to standard error."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", help="who will hold the key; for people to tell keys apart")
        parser.add_argument("--admin", action="store_true", help="let the key use the paths under /admin/kb")
        parser.add_argument("--topic", metavar="SLUG", help="pin the key to one topic; it sees no other")
        parser.add_argument(
            "--expires", metavar="DAYS|DATE", help="a number of days from now, or the last day it works, as YYYY-MM-DD"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        topic = None
        if options["topic"] is not None:
            topic = Topic.objects.filter(slug=options["topic"]).first()
            if topic is None:
                slugs = ", ".join(Topic.objects.values_list("slug", flat=True))
                raise CommandError(f"There is no topic with the slug “{options['topic']}”. There are: {slugs}.")
        try:
            key, plaintext = issue_key(
                name=options["name"],
                admin=options["admin"],
                topic=topic,
                expires_at=expiry(options["expires"]),
                by="manage.py create_api_key",
            )
        except KeyNameTaken as error:
            raise CommandError(str(error)) from error
        except ValidationError as error:
            raise CommandError(" ".join(error.messages)) from error
        rights = "may use the admin paths" if key.admin else "public paths only"
        scope = f"topic “{topic.name}” only" if topic else "every topic"
        until = f"until {timezone.localtime(key.expires_at):%Y-%m-%d %H:%M %Z}" if key.expires_at else "without expiry"
        self.stderr.write(f"API key “{key.name}”: {rights}, {scope}, {until}. It is shown only once:")
        self.stdout.write(plaintext)


def expiry(text: str | None) -> datetime | None:
    """The moment that `--expires` means: so many days from now, or the end of a day in the service's time zone."""
    if text is None:
        return None
    try:
        if text.isascii() and text.isdigit():
            return timezone.now() + timedelta(days=int(text))
        return expiry_of(date.fromisoformat(text))
    except (ValueError, OverflowError) as error:
        raise CommandError(f"--expires is a number of days or a date as YYYY-MM-DD, not “{text}”.") from error
