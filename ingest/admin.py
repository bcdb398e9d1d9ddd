"""Jobs in Django's admin: to look at. The life cycle rules, so nothing is edited here."""

from __future__ import annotations

from django.contrib import admin

from ingest.models import Job, JobEvent
from kb_project.readonly_admin import ReadOnly


class EventInline(ReadOnly, admin.TabularInline):
    model = JobEvent
    fields = ["at", "from_state", "to_state", "by", "why"]
    extra = 0


@admin.register(Job)
class JobAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ["filename", "topic", "kind", "status", "processing_stage", "error_code", "created_at"]
    list_filter = ["status", "kind", "topic", "error_code"]
    list_select_related = ["topic"]
    search_fields = ["filename"]
    inlines = [EventInline]
