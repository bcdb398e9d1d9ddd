"""Jobs in Django's admin: to look at. The life cycle rules, so nothing is edited here."""

from django.contrib import admin

from ingest.models import Draft, Job, JobEvent
from kb_project.screens.admin_mixins import LargeTable, ReadOnly


class EventInline(ReadOnly, admin.TabularInline):
    model = JobEvent
    fields = ["at", "from_state", "to_state", "by", "why"]
    extra = 0


@admin.register(Job)
class JobAdmin(LargeTable, ReadOnly, admin.ModelAdmin):
    list_display = ["filename", "topic", "kind", "status", "processing_stage", "error_code", "created_at"]
    list_filter = ["status", "kind", "topic"]
    list_select_related = ["topic"]
    search_fields = ["filename", "=error_code"]
    inlines = [EventInline]


@admin.register(Draft)
class DraftAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ["job", "kind", "labels", "by", "at"]
    list_select_related = ["job"]
