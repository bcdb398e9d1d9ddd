"""Who may call a path: staff with the permission it needs, or everyone unless the installation asks for a key."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from django.conf import settings
from rest_framework.permissions import BasePermission
from rest_framework.request import Request

from kb_project.configuration.roles import holds
from kb_project.errors import PermissionDenied

if TYPE_CHECKING:  # that module reads the settings, which name this one
    from rest_framework.views import APIView


class StaffMay(BasePermission):
    """A staff member, or an admin API key, who holds the Django permission that the method needs.

    The view says which in `needs`, a mapping of methods to permissions such as `{"GET": "labels.view_label"}`.
    HEAD asks what GET asks. A method that the view answers and does not name there is open to nobody.
    """

    def has_permission(self, request: Request, view: APIView) -> bool:
        user = request.user
        if not (user and user.is_authenticated and user.is_active):
            return False
        method = {"HEAD": "GET", "OPTIONS": "GET"}.get(request.method or "", request.method or "")
        needs: Mapping[str, str] = getattr(view, "needs", {})
        if method not in needs:
            # What it does not answer at all is 405, not 403.
            return not hasattr(view, method.lower()) and _works_here(user, needs)
        if not holds(user, needs[method]):
            if not _works_here(user, needs):
                return False
            raise PermissionDenied(f"This needs the permission {needs[method]}, which you do not have.")
        request._request.right = needs[method]  # type: ignore[attr-defined]  # limits what is seen (`topics.scoping`)
        return True


def _works_here(user: Any, needs: Mapping[str, str]) -> bool:
    return user.is_staff or any(holds(user, right) for right in needs.values())


class PublicOrKey(BasePermission):
    """Open, unless `KB_PUBLIC_REQUIRES_KEY` is set: then any API key or logged-in session."""

    def has_permission(self, request: Request, view: APIView) -> bool:
        return not settings.KB_PUBLIC_REQUIRES_KEY or bool(request.user and request.user.is_authenticated)
