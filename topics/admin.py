"""Topics and API keys in Django's admin. A key is shown once, when it is made; it is revoked, not edited."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.html import format_html
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from topics.keys import BOOTSTRAP_NAME, issue_key
from topics.models import ApiKey, Topic


@admin.register(Topic)
class TopicAdmin(admin.ModelAdmin):
    list_display = ["name", "slug", "created_at"]
    search_fields = ["name", "slug"]
    readonly_fields = ["created_at"]

    def get_readonly_fields(self, request: HttpRequest, obj: Topic | None = None) -> list[str]:
        # Stored files lie in folders named by the slug, so it stays as it was made.
        return [*super().get_readonly_fields(request, obj), *(["slug"] if obj else [])]


class ApiKeyForm(forms.ModelForm):
    """The fields a person decides when a key is made."""

    class Meta:
        model = ApiKey
        fields = ["name", "admin", "topic", "expires_at"]

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        if name == BOOTSTRAP_NAME:
            raise forms.ValidationError(_("This name is kept for the key set by KB_BOOTSTRAP_API_KEY."))
        return name


@admin.register(ApiKey)
class ApiKeyAdmin(admin.ModelAdmin):
    form = ApiKeyForm
    list_display = ["name", "prefix", "admin", "topic", "created_at", "last_used_at", "expires_at", "revoked_at"]
    list_filter = ["admin", "topic"]
    list_select_related = ["topic"]
    search_fields = ["name", "prefix"]
    actions = ["revoke"]

    def get_fields(self, request: HttpRequest, obj: ApiKey | None = None) -> Any:
        shown = ["prefix", "created_at", "last_used_at", "revoked_at"] if obj else []
        return ["name", "admin", "topic", "expires_at", *shown]

    def has_change_permission(self, request: HttpRequest, obj: ApiKey | None = None) -> bool:
        # What a key may do is fixed when it is made; only the list, with its actions, asks for this without a key.
        return obj is None and super().has_change_permission(request, obj)

    def save_model(self, request: HttpRequest, obj: ApiKey, form: Any, change: bool) -> None:
        issued, plaintext = issue_key(name=obj.name, admin=obj.admin, topic=obj.topic, expires_at=obj.expires_at)
        obj.__dict__.update(issued.__dict__)  # the admin goes on with this object: its log entry needs the id
        self.message_user(
            request,
            format_html(gettext("The key, shown this once: {}"), format_html("<code>{}</code>", plaintext)),
            messages.WARNING,
        )

    @admin.action(description=_("Revoke the selected keys"), permissions=["change"])
    def revoke(self, request: HttpRequest, queryset: QuerySet[ApiKey]) -> None:
        revoked = queryset.filter(revoked_at=None).update(revoked_at=timezone.now())
        self.message_user(request, ngettext("%d key was revoked.", "%d keys were revoked.", revoked) % revoked)
