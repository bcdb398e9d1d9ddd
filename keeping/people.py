"""Who keeps things: a person in a browser, or one whose key or agent acts for them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

from django.contrib.auth.models import User
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request
from rest_framework.views import APIView

from kb_project.errors import PermissionDenied
from topics import access
from topics.access import Topics
from topics.authentication import ApiKeyAuthentication, KeyHolder, StaffSessionAuthentication
from topics.oauth.authentication import AccessTokenAuthentication
from topics.scoping import is_pinned, limits


@dataclass(frozen=True, kw_only=True)
class Keeper:
    """A person, and the ids of the topics that they may see now, None for all.

    An agent acts for its person in one topic: `is_pinned`. What is kept of others does not exist for it.
    """

    person: User
    within: Topics
    is_pinned: bool = False


def person_of(user: Any) -> User | None:
    """The person behind a request's user, or None for nobody and for the key of a program."""
    if isinstance(user, User):
        return user if user.is_active else None
    key = getattr(user, "key", None)
    agent_of: User | None = getattr(user, "person", None)
    maker: User | None = key.made_by if key is not None and key.personal else agent_of
    return maker if maker is not None and maker.is_active else None


def keeper_of(person: User) -> Keeper:
    """A person outside of any request, as for what they are told of."""
    who = access.who_asks(person)
    seen = None if who.everywhere else frozenset(access.visible_topics(who).values_list("pk", flat=True))
    return Keeper(person=person, within=seen)


class IsPerson(BasePermission):
    """A person, or their own key. A key that only reads, and an agent of theirs, changes nothing."""

    message: str | Promise = "Notebooks are of people. Sign in, or use a key of your own."

    def has_permission(self, request: Request, view: APIView) -> bool:
        if person_of(request.user) is None:
            return False
        only_reads = hasattr(request.user, "person") or (
            isinstance(request.user, KeyHolder) and not request.user.is_staff
        )
        if only_reads and request.method not in SAFE_METHODS:
            raise PermissionDenied(_("An agent, or a key that only reads, changes nothing."))
        return True


class PersonView(APIView):
    """A view of what a person keeps, for their browser, their keys and their agents."""

    authentication_classes = [ApiKeyAuthentication, StaffSessionAuthentication, AccessTokenAuthentication]
    permission_classes: Sequence[type[IsPerson]] = [IsPerson]

    def keeper(self, request: Request) -> Keeper:
        person = cast(User, person_of(request.user))  # `IsPerson` lets nobody else come this far
        return Keeper(person=person, within=limits(request), is_pinned=is_pinned(request))
