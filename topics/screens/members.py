"""`/topics/{id}/members/`: the people and groups of a topic, changed in one form."""

from collections.abc import Iterator

from django.contrib import messages
from django.contrib.auth.models import Group, User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from kb_project.errors import Invalid, Throttled
from kb_project.screens.access import staff_may
from kb_project.screens.messages import safe_message
from topics.guessing import guessing_bounded, sees_people
from topics.members import Membership, members_of, set_members
from topics.models import TopicRole
from topics.scoping import topic_of_path

MAX_OFFERED = 500
KINDS = ("person", "group")


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
