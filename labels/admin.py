"""Labels in Django's admin: to look at. `/labels/` is where they are made, renamed, merged and deleted."""

from django.contrib import admin
from django.urls import reverse
from django.utils.http import urlencode

from kb_project.screens.admin_mixins import LargeTable, ReadOnly
from labels.models import Label, LabelAlias, SourceLabel


class LabelAliasInline(ReadOnly, admin.TabularInline):
    model = LabelAlias
    fields = ["name"]
    extra = 0


@admin.register(Label)
class LabelAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ["name", "usage_count", "created_at"]
    search_fields = ["name", "slug", "aliases__name", "aliases__slug"]
    inlines = [LabelAliasInline]

    def view_on_site(self, label: Label) -> str:
        return f"{reverse('labels')}?{urlencode({'q': label.name})}"


@admin.register(LabelAlias)
class LabelAliasAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ["name", "label"]
    list_select_related = ["label"]
    search_fields = ["name", "slug", "label__name"]

    def view_on_site(self, alias: LabelAlias) -> str:
        return f"{reverse('labels')}?{urlencode({'q': alias.name})}"


@admin.register(SourceLabel)
class SourceLabelAdmin(ReadOnly, LargeTable, admin.ModelAdmin):
    list_display = ["source", "label"]
    list_select_related = ["source", "label"]
    search_fields = ["source__title", "label__name", "label__slug"]
    raw_id_fields = ["source", "label"]
    ordering = ["-id"]
