"""For Django's admin: models that are edited there and nowhere else, with an audit entry for every change."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.db import models, transaction
from django.db.models import QuerySet
from django.http import HttpRequest

from kb_project import audit

if TYPE_CHECKING:
    Base = admin.ModelAdmin[Any]
else:
    Base = object


class Audited(Base):
    """Mixin for ModelAdmin: `<model>.create`, `.edit` and `.delete` are written in the transaction of the change.

    A subclass says in `audited_values` what is kept of a row, read from the database, many-to-many relations too.
    """

    def audited_values(self, row: Any) -> dict[str, Any]:
        raise NotImplementedError

    def save_model(self, request: HttpRequest, obj: models.Model, form: Any, change: bool) -> None:
        # The form goes on to save_related, where what hangs on the row has been saved too.
        form.audited_before = self.audited_values(self.model.objects.get(pk=obj.pk)) if change else None
        super().save_model(request, obj, form, change)

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        super().save_related(request, form, formsets, change)
        row = self.model.objects.get(pk=form.instance.pk)
        self._record(request, "edit" if change else "create", row, form.audited_before, self.audited_values(row))

    def delete_model(self, request: HttpRequest, obj: models.Model) -> None:
        with transaction.atomic():
            self._record(request, "delete", obj, self.audited_values(obj), None)
            super().delete_model(request, obj)

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> None:
        with transaction.atomic():
            for row in queryset:
                self._record(request, "delete", row, self.audited_values(row), None)
            super().delete_queryset(request, queryset)

    def _record(
        self, request: HttpRequest, verb: str, row: models.Model, before: dict[str, Any] | None, after: Any
    ) -> None:
        action = f"{self.opts.model_name}.{verb}"
        audit.record(by=request.user.get_username(), action=action, thing=row, before=before, after=after)


class SuperusersOnly(Base):
    """Mixin for ModelAdmin: no permission opens it, because whoever edits users could give themselves any."""

    def has_module_permission(self, request: HttpRequest) -> bool:
        return self._open_to(request)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self._open_to(request)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return self._open_to(request)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self._open_to(request)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self._open_to(request)

    def _open_to(self, request: HttpRequest) -> bool:
        return bool(request.user.is_active and request.user.is_superuser)
