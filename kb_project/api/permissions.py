"""Who may call a path: staff only, or everyone unless the installation asks for a key."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.conf import settings
from rest_framework.permissions import BasePermission
from rest_framework.request import Request

if TYPE_CHECKING:  # that module reads the settings, which name this one
    from rest_framework.views import APIView


class IsStaff(BasePermission):
    """A staff member's session, or an admin API key."""

    def has_permission(self, request: Request, view: APIView) -> bool:
        user = request.user
        return bool(user and user.is_authenticated and user.is_active and user.is_staff)


class PublicOrKey(BasePermission):
    """Open, unless `KB_PUBLIC_REQUIRES_KEY` is set: then any API key or logged-in session."""

    def has_permission(self, request: Request, view: APIView) -> bool:
        return not settings.KB_PUBLIC_REQUIRES_KEY or bool(request.user and request.user.is_authenticated)
