"""Sources in Django's admin: to look at; editing and deleting go through the verbs that keep search in step."""

from __future__ import annotations

from django.contrib import admin

from kb_project.readonly_admin import ReadOnly
from sources.models import FileDeletion, Source


@admin.register(Source)
class SourceAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ["title", "topic", "kind", "identifier", "published_at", "chunk_count", "created_at"]
    list_filter = ["kind", "topic"]
    list_select_related = ["topic"]
    search_fields = ["title", "identifier"]
    show_full_result_count = False

    def view_on_site(self, source: Source) -> str:
        return f"/library/{source.pk}/"  # where it is edited; the app that answers there lies above this one


@admin.register(FileDeletion)
class FileDeletionAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ["key", "requested_at", "attempts"]
    search_fields = ["key"]
    ordering = ["-attempts", "id"]
