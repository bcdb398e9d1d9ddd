"""For Django's admin: models that are looked at there and changed only through their verbs."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest


class ReadOnly:
    """Mixin for ModelAdmin and inlines that refuses adding, changing and deleting."""

    def has_add_permission(self, request: HttpRequest, *args: Any) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False
