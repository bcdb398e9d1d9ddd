"""Views of what people keep, and who may ask for them."""

from collections.abc import Sequence
from typing import cast

from django.contrib.auth.models import User
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.views import APIView

from kb_project.errors import PermissionDenied
from keeping.people import Owner, person_of
from topics.authentication import ApiKeyAuthentication, KeyHolder, StaffSessionAuthentication
from topics.oauth.authentication import AccessTokenAuthentication
from topics.scoping import is_pinned, limits


class IsKnown(BasePermission):
    """Somebody who signed in, or a key. A key that only reads changes nothing, an agent what its scopes let it."""

    def has_permission(self, request: Request, view: APIView) -> bool:
        user = request.user
        if not (user and user.is_authenticated and user.is_active):
            return False
        if isinstance(user, KeyHolder) and not user.may_call(request.method or ""):
            raise PermissionDenied(_("An agent, or a key that only reads, changes nothing."))
        return True


class IsPerson(IsKnown):
    """A person, or their own key."""

    message: str | Promise = "Notebooks are of people. Sign in, or use a key of your own."

    def has_permission(self, request: Request, view: APIView) -> bool:
        return person_of(request.user) is not None and super().has_permission(request, view)


class KnownView(APIView):
    """A view for people, with their browser, their keys and their agents, and for the keys of programs."""

    authentication_classes = [ApiKeyAuthentication, StaffSessionAuthentication, AccessTokenAuthentication]
    permission_classes: Sequence[type[IsKnown]] = [IsKnown]


class PersonView(KnownView):
    """A view of what a person keeps, for their browser, their keys and their agents."""

    permission_classes = [IsPerson]

    def owner(self, request: Request) -> Owner:
        person = cast(User, person_of(request.user))  # `IsPerson` lets nobody else come this far
        return Owner(person=person, within=limits(request), is_pinned=is_pinned(request))
