"""What model admins share: changes that are audited, superusers only, nothing to change, tables too large to count."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.core.paginator import Paginator
from django.db import models, transaction
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.functional import cached_property
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from kb_project import audit

if TYPE_CHECKING:
    Base = admin.ModelAdmin[Any]
else:
    Base = object

LISTED = 10_000


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

    def _open_to(self, request: HttpRequest, obj: Any = None) -> bool:
        return bool(request.user.is_active and request.user.is_superuser)

    has_module_permission = has_view_permission = _open_to
    has_add_permission = has_change_permission = has_delete_permission = _open_to


class FirstRows(Paginator):
    """Counts, and leads to, no more than the first `LISTED` rows: further ones are found by search and filters."""

    @cached_property
    def count(self) -> int:
        return int(self.object_list[:LISTED].count())  # type: ignore[attr-defined]  # the admin gives querysets


class LargeTable(Base):
    """Mixin for ModelAdmin."""

    paginator = FirstRows
    show_full_result_count = False
    list_per_page = 50


class ReadOnly:
    """Mixin for ModelAdmin and inlines that refuses adding, changing and deleting."""

    def _refused(self, request: HttpRequest, *args: Any) -> bool:
        return False

    has_add_permission = has_change_permission = has_delete_permission = _refused


def html_table(names: Iterable[str], rows: Iterable[SafeString]) -> SafeString:
    """A table with these heads of columns. Each row is its cells."""
    head = format_html_join("", '<th scope="col">{}</th>', ((name,) for name in names))
    body = format_html_join("", "<tr>{}</tr>", ((row,) for row in rows))
    return format_html("<table><thead><tr>{}</tr></thead><tbody>{}</tbody></table>", head, body)
