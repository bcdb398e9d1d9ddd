"""The search index in Django's admin: to read. Only publication writes chunks."""

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from kb_project.screens.admin_mixins import LargeTable, ReadOnly
from search.models import EmbeddingSpace
from sources.models import Chunk

LARGEST_ID = 2**63 - 1


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
        return queryset.filter(source_id=min(wanted, LARGEST_ID)), False

    @admin.display(description=_("source"), ordering="source_id")
    def of_source(self, chunk: Chunk) -> int:
        return chunk.source_id  # the id alone: fifty titles would be fifty rows more


@admin.register(EmbeddingSpace)
class EmbeddingSpaceAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ["provider", "model", "dimension", "active", "created_at"]
