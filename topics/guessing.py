"""A bound on guessing names: who looks after one topic is told that a name is nobody's, and so who has an account."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.http import HttpRequest
from django.utils.translation import gettext as _
from rest_framework.request import Request

from kb_project.accounts.login_throttle import Attempt, TooManyLogins, address_of
from kb_project.errors import Throttled
from topics.scoping import limits

SEES_PEOPLE = "auth.view_user"


def sees_people(request: HttpRequest | Request) -> bool:
    """Whether the caller sees all accounts anyway."""
    return bool(request.user.has_perm(SEES_PEOPLE)) and limits(request, right=SEES_PEOPLE) is None


@contextmanager
def guessing_bounded(request: HttpRequest | Request) -> Iterator[None]:
    """Count what the block refuses as a failed sign-in of the caller. Raises Throttled once these are too many."""
    if sees_people(request):
        yield
        return
    try:
        attempt = Attempt(account=f"names {request.user.get_username()}", address=address_of(request))
    except TooManyLogins as refusal:
        sentence = _("Too many names were nobody’s. Try again in a while.")
        raise Throttled(sentence, wait_s=refusal.wait_s) from refusal
    yield
    attempt.take_back()
