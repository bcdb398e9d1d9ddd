"""The members of topics in Django's admin: all of them in one list, for whoever may edit topics."""

from typing import Any

from django.contrib import admin
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse

from kb_project.screens.admin_mixins import LargeTable
from topics.members import changing
from topics.models import TopicMember

MAY_CHANGE = "topics.change_topic"  # as at `/topics/{id}/members/`


@admin.register(TopicMember)
class TopicMemberAdmin(LargeTable, admin.ModelAdmin):
    """Each change is in the audit as `topic.members`, as those of the screen and the API are."""

    list_display = ["topic", "person", "group", "role"]
    list_select_related = ["topic", "person", "group"]
    list_filter = ["role", "topic__open_to", "topic", "group"]
    search_fields = ["person__username", "person__email", "group__name", "topic__name"]
    raw_id_fields = ["person"]
    ordering = ["topic", "id"]

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return request.user.has_perm(MAY_CHANGE)

    has_module_permission = has_add_permission = has_view_permission
    has_change_permission = has_delete_permission = has_view_permission

    def get_readonly_fields(self, request: HttpRequest, obj: TopicMember | None = None) -> list[str]:
        """Who is a member of what does not change: that would be another member."""
        return ["topic", "person", "group"] if obj else []

    def view_on_site(self, member: TopicMember) -> str:
        return reverse("topic-members", args=[member.topic_id])

    def save_model(self, request: HttpRequest, obj: TopicMember, form: Any, change: bool) -> None:
        with changing(obj.topic_id, by=request.user.get_username()):
            super().save_model(request, obj, form, change)

    def delete_model(self, request: HttpRequest, obj: TopicMember) -> None:
        with changing(obj.topic_id, by=request.user.get_username()):
            super().delete_model(request, obj)

    @transaction.atomic
    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[TopicMember]) -> None:
        for topic_id in sorted({member.topic_id for member in queryset}):
            with changing(topic_id, by=request.user.get_username()):
                super().delete_queryset(request, queryset.filter(topic_id=topic_id))
