"""Who has signed in and who was refused, for the audit, with the way and the address they came by.

A refusal is written for names without an account too, so that it takes as long and tells nobody which there are. What
was typed is not kept: it may be a password in the wrong box.
"""

from django.contrib.auth.models import User
from django.db import transaction
from django.http import HttpRequest

from kb_project import audit
from kb_project.accounts.login_throttle import address_of

PASSWORD, FACTOR, LINK, ORGANISATION = "password", "second factor", "link", "organisation"
NOBODY = "-"  # who was refused without being an account here


@transaction.atomic
def note_entry(request: HttpRequest, user: User, *, way: str) -> None:
    audit.record(by=user.get_username(), action="user.sign_in", thing=user, after=_of(request, way))


@transaction.atomic
def note_refusal(request: HttpRequest, user: User | None, *, way: str) -> None:
    by = user.get_username() if user else NOBODY
    audit.record(by=by, action="user.refuse", thing=user or User(), after=_of(request, way))


def _of(request: HttpRequest, way: str) -> dict[str, str]:
    return {"way": way, "address": address_of(request)}
