"""`manage.py sign_in_link NAME`: a link that signs in once, for when the organisation's sign-in does not work."""

from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import CommandError, CommandParser
from django.db import transaction

from kb_project import audit
from kb_project.accounts import links
from kb_project.configuration.startup import ServiceCommand


class Command(ServiceCommand):
    help = "Print the path of a link that signs in as the account NAME. It works once, and for an hour."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", metavar="NAME", help="an active account of the staff")

    @transaction.atomic
    def handle(self, *args: Any, name: str, **options: Any) -> None:
        user = User.objects.filter(username=name, is_active=True, is_staff=True).first()
        if user is None:
            raise CommandError(f"There is no active account of the staff named {name!r}.")
        audit.record(by="manage.py sign_in_link", action="user.edit", thing=user, after={"sign_in_link": "made"})
        self.stdout.write(links.path_for(user))
