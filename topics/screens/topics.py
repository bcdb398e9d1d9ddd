"""`/topics/`: the topics with what lies in each, a page to make or edit one, and a form of its people and groups."""

from collections.abc import Iterator
from typing import Any

from django import forms
from django.apps import apps
from django.contrib import messages
from django.contrib.auth.models import Group, User
from django.core.paginator import Paginator
from django.db.models import Count
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from kb_project.errors import Invalid, NotFound, Throttled
from kb_project.isolates import safe_message
from kb_project.screens.access import staff_may
from topics.edit import EDITABLE, create, edit
from topics.members import Membership, guessing_bounded, members_of, sees_people, set_members
from topics.models import Topic, TopicRole
from topics.scoping import topic_of_path, visible_topics

MAX_OFFERED = 500
KINDS = ("person", "group")
TOPICS_A_PAGE = 50


class TopicForm(forms.ModelForm):
    """What a person decides of a topic."""

    class Meta:
        model = Topic
        fields = EDITABLE
        labels = {
            "slug": gettext_lazy("Name in addresses"),
            "name": gettext_lazy("Name"),
            "system_prompt_addendum": gettext_lazy("Instructions for answers"),
            "open_to": gettext_lazy("Open to"),
        }
        help_texts = {
            "slug": gettext_lazy(
                "Small Latin letters, digits, hyphens and underscores. It names the folder of the files."
            ),
            "system_prompt_addendum": gettext_lazy("What a model that answers in this topic is to heed."),
            "open_to": gettext_lazy("Who finds its documents. To others the topic does not exist."),
        }
        widgets = {
            "name": forms.TextInput({"dir": "auto", "autofocus": True}),
            "slug": forms.TextInput({"dir": "ltr"}),
            "system_prompt_addendum": forms.Textarea({"rows": 8, "dir": "auto"}),
        }

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["open_to"].required = False
        if self.instance.pk:
            self.fields["slug"].help_text = _(
                "Names the folder of files that come from now on. Files stored before stay where they are, and the "
                "old name stays this topic's."
            )

    def clean_open_to(self) -> str:
        """As it is where it was not sent."""
        return self.cleaned_data["open_to"] or self.instance.open_to


@staff_may(GET="topics.change_topic")
def topics(request: HttpRequest) -> HttpResponse:
    # The reverse of a field of Source, named as a string: the app that defines it lies above this one. So does Job's.
    found = visible_topics(request).annotate(source_count=Count("sources")).order_by("id")
    page = Paginator(found, TOPICS_A_PAGE).get_page(request.GET.get("page"))
    waiting = apps.get_model("ingest.Job").objects.filter(topic__in=page.object_list, status="awaiting_review")
    counts = dict(waiting.order_by().values_list("topic").annotate(Count("pk")))
    rows = [(topic, counts.get(topic.pk, 0)) for topic in page.object_list]
    return render(request, "topics/topics.html", {"section": "topics", "page": page, "rows": rows})


@staff_may(GET="topics.add_topic", POST="topics.add_topic")
def make(request: HttpRequest) -> HttpResponse:
    return _form(request, None)


@staff_may(GET="topics.change_topic", POST="topics.change_topic")
def change(request: HttpRequest, topic_id: int) -> HttpResponse:
    topic = Topic.objects.filter(pk=topic_id).first()
    if topic is None:
        raise NotFound(_("There is no such topic."))
    return _form(request, topic)


def _form(request: HttpRequest, topic: Topic | None) -> HttpResponse:
    """The page of a topic, or of a new one. What is saved is shown again."""
    form = TopicForm(request.POST or None, instance=topic)
    if request.method == "POST" and form.is_valid():
        try:
            return _saved(request, form, topic)
        except Invalid as refusal:  # a slug that another had, or somebody was faster than this form
            for field, sentences in refusal.errors.items():
                form.add_error(field, list(sentences))
    stored = Topic.objects.get(pk=topic.pk) if topic else None  # the form writes into its own
    former = stored.slugs()[1:] if stored else []
    context = {"section": "topics", "form": form, "topic": stored, "former_slugs": former}
    return render(request, "topics/topic.html", context, status=400 if form.errors else 200)


def _saved(request: HttpRequest, form: TopicForm, topic: Topic | None) -> HttpResponse:
    by = request.user.get_username()
    if topic is None:
        saved = create(**{name: form.cleaned_data[name] for name in EDITABLE}, by=by)
        messages.success(request, safe_message(_("The topic “%(topic)s” was made."), topic=saved))
    else:
        saved = edit(topic.pk, {name: form.cleaned_data[name] for name in form.changed_data}, by=by)
        messages.success(request, safe_message(_("The topic “%(topic)s” was changed."), topic=saved))
    return redirect("topic-change", saved.pk)


@staff_may(GET="topics.change_topic", POST="topics.change_topic")
def members(request: HttpRequest, topic_id: int) -> HttpResponse:
    """Who is a member. A role of none takes somebody out, and the last line takes one more in."""
    topic = topic_of_path(request, topic_id)
    refused, status, shown = "", 200, members_of(topic.pk)
    if request.method == "POST":
        shown = list(_wanted(request))
        try:
            with guessing_bounded(request):
                set_members(topic.pk, shown, by=request.user.get_username())
        except (Invalid, Throttled) as refusal:
            refused, status = refusal.detail, refusal.status
        else:
            messages.success(request, safe_message(_("The members of “%(topic)s” were saved."), topic=topic))
            return redirect("topic-members", topic.pk)
    shows_people = sees_people(request)  # others write a name that they know
    people = User.objects.filter(is_active=True) if shows_people else User.objects.none()
    groups = Group.objects.order_by("name") if shows_people else Group.objects.none()
    context = {
        "section": "topics",
        "topic": topic,
        "members": shown,
        "roles": TopicRole.choices,
        "people": people.order_by("username").values_list("username", flat=True)[:MAX_OFFERED],
        "groups": groups.values_list("name", flat=True)[:MAX_OFFERED],
        "sees_people": shows_people,
        "refused": refused,
    }
    return render(request, "topics/members.html", context, status=status)


def _wanted(request: HttpRequest) -> Iterator[Membership]:
    """The lines of the form that have a role and a name. Each sends its kind, its name and its role."""
    given = (request.POST.getlist(name) for name in ("kind", "name", "role"))
    for kind, name, role in zip(*given, strict=False):
        cleaned = name.replace("\0", "").strip()
        if cleaned and role in TopicRole and kind in KINDS:
            yield Membership(role, **{kind: cleaned})
