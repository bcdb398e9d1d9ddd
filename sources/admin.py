"""Sources in Django's admin: to look at. Editing and deleting go through the verbs that keep search in step.

Only publication writes chunks.
"""

from datetime import datetime

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from kb_project.screens.admin_mixins import LargeTable, ReadOnly
from sources.fields import CARD, DAYS, FILTERED, FieldType
from sources.models import Chunk, FileDeletion, Source

MAX_ID = 2**63 - 1

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


@admin.register(Chunk)
class ChunkAdmin(LargeTable, ReadOnly, admin.ModelAdmin):
    list_display = ["id", "of_source", "seq", "page", "section", "heading"]
    fields = ["source", "topic", "seq", "page", "section", "heading", "path", "text", "span_start", "span_end"]
    ordering = ["source_id", "seq"]
    search_fields = ["source_id"]
    search_help_text = _("The id of a source. Without one the list ends after the first 10,000.")

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Chunk], search_term: str
    ) -> tuple[QuerySet[Chunk], bool]:
        term = search_term.strip()
        if not term:
            return queryset, False
        wanted = int(term) if term.isascii() and term.isdigit() and len(term) < 20 else -1
        return queryset.filter(source_id=min(wanted, MAX_ID)), False

    @admin.display(description=_("source"), ordering="source_id")
    def of_source(self, chunk: Chunk) -> int:
        return chunk.source_id  # the id alone: fifty titles would be fifty rows more
