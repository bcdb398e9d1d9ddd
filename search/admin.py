"""The search index in Django's admin: to read."""

from django.contrib import admin

from kb_project.screens.admin_mixins import ReadOnly
from search.models import EmbeddingSpace


@admin.register(EmbeddingSpace)
class EmbeddingSpaceAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ["provider", "model", "dimension", "active", "created_at"]
