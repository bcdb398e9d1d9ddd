"""In Django's admin: the audit, to read, and users and groups, which superusers edit and the audit follows."""

from __future__ import annotations

import json
from typing import Any

from django.contrib import admin
from django.contrib.admin.utils import unquote
from django.contrib.auth.admin import GroupAdmin, UserAdmin
from django.contrib.auth.models import Group, Permission, User
from django.db.models import Manager
from django.http import HttpRequest, HttpResponse
from django.utils.html import format_html, format_html_join
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from kb_project.accounts.passwords import noting_password
from kb_project.django_admin import integrity_runs  # noqa: F401  registers itself
from kb_project.django_admin.audited import Audited, SuperusersOnly
from kb_project.django_admin.large_tables import LargeTable
from kb_project.django_admin.readonly import ReadOnly
from kb_project.django_admin.widgets import NAMED_MOMENTS
from kb_project.models import AuditEntry

admin.site.unregister([User, Group])


@admin.register(AuditEntry)
class AuditEntryAdmin(LargeTable, ReadOnly, admin.ModelAdmin):
    list_display = ["at", "by", "action", "object_type", "object_name", "object_id", "topic_id"]
    list_filter = ["at", "action", "object_type"]
    search_fields = ["by", "object_name", "=object_id"]
    search_help_text = _("Who did it, or the name or id of what it was done to.")
    fields = ["at", "by", "action", "object_type", "object_name", "object_id", "topic_id", "changes"]

    @admin.display(description=_("changes"))
    def changes(self, entry: AuditEntry) -> str:
        rows = [
            (gettext(name.replace("_", " ")), _shown(entry.before.get(name)), _shown(entry.after.get(name)))
            for name in dict.fromkeys([*entry.before, *entry.after])
        ]
        if not rows:
            return "–"
        cell = '<td dir="auto">{}</td>'
        body = format_html_join("", f'<tr><th scope="row">{{}}</th>{cell}{cell}</tr>', rows)
        head = format_html_join(
            "", '<th scope="col">{}</th>', [(gettext(name),) for name in ("field", "before", "after")]
        )
        return format_html("<table><thead><tr>{}</tr></thead><tbody>{}</tbody></table>", head, body)


def _shown(value: Any) -> str:
    """A value of an entry as a person reads it."""
    if value is None or value == "" or value == []:
        return "–"
    if isinstance(value, bool):
        return gettext("yes") if value else gettext("no")
    if isinstance(value, list) and not any(isinstance(part, dict | list) for part in value):
        return ", ".join(str(part) for part in value)
    return json.dumps(value, ensure_ascii=False) if isinstance(value, dict | list) else str(value)


@admin.register(User)
class AuditedUserAdmin(Audited, SuperusersOnly, UserAdmin):
    list_display = ["username", "first_name", "last_name", "is_active", "is_staff", "is_superuser", "last_login"]
    formfield_overrides = NAMED_MOMENTS

    def audited_values(self, row: User) -> dict[str, Any]:
        names = ("username", "first_name", "last_name", "email", "is_active", "is_staff", "is_superuser")
        return {
            **{name: getattr(row, name) for name in names},
            "groups": sorted(row.groups.values_list("name", flat=True)),
            "permissions": _permissions(row.user_permissions),
        }

    def user_change_password(self, request: HttpRequest, id: str, form_url: str = "") -> HttpResponse:
        user = self.get_object(request, unquote(id))
        if user is None:
            return super().user_change_password(request, id, form_url)
        with noting_password(user.pk, by=request.user.get_username()):
            return super().user_change_password(request, id, form_url)


@admin.register(Group)
class AuditedGroupAdmin(Audited, SuperusersOnly, GroupAdmin):
    def audited_values(self, row: Group) -> dict[str, Any]:
        return {"name": row.name, "permissions": _permissions(row.permissions)}


def _permissions(held: Manager[Permission]) -> list[str]:
    return sorted(f"{app}.{name}" for app, name in held.values_list("content_type__app_label", "codename"))
