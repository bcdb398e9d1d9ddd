"""Writing down that a password was changed, never what it is, nor its hash."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.contrib.auth import get_user_model
from django.db import transaction

from kb_project import audit


@contextmanager
def noting_password(user_id: Any, *, by: str) -> Iterator[None]:
    """Run the block in a transaction and add `user.edit` to the audit when the user's password is another after it."""
    users = get_user_model().objects
    with transaction.atomic():
        before = users.select_for_update(no_key=True).get(pk=user_id).password
        yield
        user = users.get(pk=user_id)
        if user.password != before:
            change = "changed" if user.has_usable_password() else "disabled"
            audit.record(by=by, action="user.edit", thing=user, after={"password": change})
