"""Passwords: what a new one must not be, and writing down that one was changed, never what it is, nor its hash."""

import string
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.contrib.auth import get_user_model
from django.contrib.auth.password_validation import CommonPasswordValidator
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from kb_project import audit
from kb_project.accounts.notices import Notice, send_notice

AROUND = string.digits + string.punctuation + string.whitespace


@contextmanager
def noting_password(user_id: Any, *, by: str) -> Iterator[None]:
    """Run the block in a transaction and add `user.edit` to the audit when the user's password is another after it."""
    users = get_user_model().objects
    with transaction.atomic():
        before = users.select_for_update(no_key=True).get(pk=user_id)
        yield
        user = users.get(pk=user_id)
        if user.password != before.password:
            change = "changed" if user.has_usable_password() else "disabled"
            audit.record(by=by, action="user.edit", thing=user, after={"password": change})
            if before.has_usable_password():  # else it is the first
                send_notice(user, Notice.PASSWORD)


class CommonCoreValidator(CommonPasswordValidator):
    """Refuses a common password also with digits and signs around it, or twice: `Password2026!`, `dragondragon`."""

    def validate(self, password: str, user: Any = None) -> None:
        core = password.lower().strip(AROUND)
        half = core[: len(core) // 2]
        if {password.lower().strip(), core} & self.passwords or (half in self.passwords and core == half * 2):
            raise ValidationError(_("This is a common password with little added to it."))

    def get_help_text(self) -> str:
        return _("Your password can’t be a commonly used one, also not with digits or signs around it.")
