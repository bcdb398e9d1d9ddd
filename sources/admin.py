"""Sources in Django's admin: to look at; editing and deleting go through the verbs that keep search in step."""

from datetime import datetime

from django.contrib import admin
from django.utils.translation import gettext_lazy as _

from kb_project.screens.admin_mixins import ReadOnly
from sources.fields import CARD, DAYS, FILTERED, FieldType
from sources.models import FileDeletion, Source

_CARD = [field.column for field in CARD if field.name not in DAYS]


@admin.register(Source)
class SourceAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ["title", "topic", *(name for name in _CARD if name != "title"), "chunk_count", "created_at"]
    list_filter = [*(field.column for field in FILTERED), "topic"]
    list_select_related = ["topic"]
    search_fields = [field.column for field in CARD if field.type is FieldType.TEXT]
    show_full_result_count = False

    def view_on_site(self, source: Source) -> str:
        return f"/library/{source.pk}/"  # where it is edited; the app that answers there lies above this one


@admin.register(FileDeletion)
class FileDeletionAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ["key", "due_at", "attempts"]
    search_fields = ["key"]
    ordering = ["-attempts", "id"]

    @admin.display(description=_("to be deleted from"), ordering="requested_at")
    def due_at(self, deletion: FileDeletion) -> datetime:
        """Ahead for a file that is being stored, which a row will name by then."""
        return deletion.requested_at
