"""Labels in Django's admin: to look at; naming, merging and assigning go through `labels.assign`."""

from __future__ import annotations

from django.contrib import admin

from kb_project.readonly_admin import ReadOnly
from labels.models import Label


@admin.register(Label)
class LabelAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ["name", "slug", "usage_count"]
    search_fields = ["name", "slug"]
