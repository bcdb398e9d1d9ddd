"""`manage.py ensure_admin`: the first staff user, so that a new installation can be signed in to."""

from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.management.base import CommandError
from django.db import transaction
from django.utils.crypto import get_random_string

from kb_project import audit
from kb_project.configuration.startup import ServiceCommand

PASSWORD_LENGTH = 16  # letters and digits, easy to copy from a terminal: about 95 bits


class Command(ServiceCommand):
    help = "Make the superuser KB_ADMIN_USER, unless there is a superuser; say the password if it was made up."

    @transaction.atomic
    def handle(self, *args: Any, **options: Any) -> None:
        users = get_user_model().objects
        if existing := users.filter(is_superuser=True, is_active=True).order_by("pk").first():
            self.stdout.write(f"admin user: {existing.get_username()}, password set at first start")
            return
        name = settings.KB_ADMIN_USER
        if users.filter(username=name).exists():
            raise CommandError(
                f"The user {name!r} exists and is no superuser: set KB_ADMIN_USER to another name, "
                f"or make one with `manage.py createsuperuser`."
            )
        password = settings.KB_ADMIN_PASSWORD or get_random_string(PASSWORD_LENGTH)
        user = users.create_superuser(username=name, email="", password=password)
        made = {"username": name, "is_staff": True, "is_superuser": True}
        audit.record(by="manage.py ensure_admin", action="user.create", thing=user, after=made)
        shown = "from KB_ADMIN_PASSWORD" if settings.KB_ADMIN_PASSWORD else f"{password} (shown only now)"
        self.stdout.write(f"admin user: {name}, password {shown}")
