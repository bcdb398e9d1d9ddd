"""Topics and API keys in Django's admin. A key is shown once, when it is made; it is revoked, not edited."""

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.db.models import Count, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.html import format_html
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from kb_project.django_admin.mixins import NAMED_MOMENTS
from kb_project.errors import Invalid, Refusal
from topics.edit import EDITABLE, create, edit, refuse_former_slug
from topics.keys import BOOTSTRAP_NAME, issue_key, revoke
from topics.models import ApiKey, Topic


class TopicForm(forms.ModelForm):
    """What a person decides of a topic."""

    class Meta:
        model = Topic
        fields = EDITABLE
        help_texts = {
            "slug": _(
                "Names the folder of files that come from now on. Files stored before stay where they are, and the "
                "old slug stays this topic's."
            ),
            "system_prompt_addendum": _("Added to the instructions of answers in this topic."),
        }

    def clean_slug(self) -> str:
        slug: str = self.cleaned_data["slug"]
        try:
            refuse_former_slug(slug, topic_id=self.instance.pk)
        except Invalid as refusal:
            raise forms.ValidationError(refusal.detail) from refusal
        return slug


@admin.register(Topic)
class TopicAdmin(admin.ModelAdmin):
    form = TopicForm
    list_display = ["name", "slug", "sources", "created_at"]
    search_fields = ["name", "slug"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Topic]:
        # The reverse of a field of Source, named as a string: the app that defines it lies above this one.
        return super().get_queryset(request).annotate(source_count=Count("sources"))

    def get_fields(self, request: HttpRequest, obj: Topic | None = None) -> Any:
        return [*EDITABLE, *self.get_readonly_fields(request, obj)]

    def get_readonly_fields(self, request: HttpRequest, obj: Topic | None = None) -> Any:
        return ["former_slugs", "sources", "created_at"] if obj else []

    def has_delete_permission(self, request: HttpRequest, obj: Topic | None = None) -> bool:
        return False  # its slug, its files and its keys would be orphans

    @admin.display(description=_("sources"), ordering="source_count")
    def sources(self, topic: Any) -> int:
        return int(topic.source_count)

    @admin.display(description=_("former slugs"))
    def former_slugs(self, topic: Topic) -> str:
        return ", ".join(topic.slugs()[1:]) or "–"

    def changeform_view(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            return super().changeform_view(request, *args, **kwargs)
        except Refusal as refusal:  # someone else was faster than this form
            self.message_user(request, refusal.detail, messages.ERROR)
            return HttpResponseRedirect(request.get_full_path())

    def save_model(self, request: HttpRequest, obj: Topic, form: Any, change: bool) -> None:
        by = request.user.get_username()
        given = {name: form.cleaned_data[name] for name in (form.changed_data if change else EDITABLE)}
        saved = edit(obj.pk, given, by=by) if change else create(**given, by=by)
        obj.__dict__.update(saved.__dict__)  # the admin goes on with this object: its log entry needs the id


class ApiKeyForm(forms.ModelForm):
    """The fields a person decides when a key is made."""

    class Meta:
        model = ApiKey
        fields = ["name", "admin", "topic", "expires_at"]

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        if name == BOOTSTRAP_NAME:
            raise forms.ValidationError(_("This name is kept for the key set by KB_BOOTSTRAP_API_KEY."))
        return name


@admin.register(ApiKey)
class ApiKeyAdmin(admin.ModelAdmin):
    form = ApiKeyForm
    list_display = [
        "name",
        "prefix",
        "state",
        "admin",
        "topic",
        "made_by",
        "created_at",
        "last_used_at",
        "expires_at",
        "revoked_at",
    ]
    list_filter = ["admin", "topic"]
    list_select_related = ["topic", "made_by"]
    search_fields = ["name", "prefix"]
    actions = ["revoke"]
    formfield_overrides = NAMED_MOMENTS

    def get_fields(self, request: HttpRequest, obj: ApiKey | None = None) -> Any:
        shown = ["prefix", "state", "made_by", "created_at", "last_used_at", "revoked_at"] if obj else []
        return ["name", "admin", "topic", "expires_at", *shown]

    def has_change_permission(self, request: HttpRequest, obj: ApiKey | None = None) -> bool:
        # What a key may do is fixed when it is made; only the list, with its actions, asks for this without a key.
        return obj is None and super().has_change_permission(request, obj)

    def has_delete_permission(self, request: HttpRequest, obj: ApiKey | None = None) -> bool:
        return False  # a revoked key stays in the list, so that the audit's entries lead somewhere

    @admin.display(description=_("State"))
    def state(self, key: ApiKey) -> str:
        return str(key.state.label)

    def save_model(self, request: HttpRequest, obj: ApiKey, form: Any, change: bool) -> None:
        issued, plaintext = issue_key(
            name=obj.name,
            admin=obj.admin,
            topic=obj.topic,
            expires_at=obj.expires_at,
            by=request.user.get_username(),
        )
        obj.__dict__.update(issued.__dict__)  # the admin goes on with this object: its log entry needs the id
        self.message_user(
            request,
            format_html(gettext("The key, shown this once: {}"), format_html("<code>{}</code>", plaintext)),
            messages.WARNING,
        )

    @admin.action(description=_("Revoke the selected keys"), permissions=["change"])
    def revoke(self, request: HttpRequest, queryset: QuerySet[ApiKey]) -> None:
        revoked = sum(revoke(key, by=request.user.get_username()) for key in queryset)
        self.message_user(request, ngettext("%d key was revoked.", "%d keys were revoked.", revoked) % revoked)
