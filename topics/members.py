"""The members of a topic: people and groups, what they may do in it, and a bound on guessing their names."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from django.contrib.auth.models import Group, User
from django.db import transaction
from django.http import HttpRequest
from django.utils.translation import gettext as _
from rest_framework.request import Request

from kb_project import audit
from kb_project.accounts.login_throttle import Attempt, TooManyLogins, address_of
from kb_project.errors import Invalid, NotFound, Throttled
from topics.models import Topic, TopicMember
from topics.scoping import limits

SEES_PEOPLE = "auth.view_user"
MAX_MEMBERS = 1_000


@dataclass(frozen=True, slots=True)
class Membership:
    """A person by their user name, or a group by its name, and a `TopicRole`."""

    role: str
    person: str | None = None
    group: str | None = None

    @property
    def name(self) -> str:
        return self.person or self.group or ""

    def __str__(self) -> str:
        return f"{self.name} ({self.role})"


def members_of(topic_id: int) -> list[Membership]:
    """People first, each by name."""
    rows = TopicMember.objects.filter(topic_id=topic_id).values_list("role", "person__username", "group__name")
    return sorted((Membership(*row) for row in rows), key=lambda one: (one.person is None, one.name))


def set_members(topic_id: int, members: Iterable[Membership], *, by: str) -> list[Membership]:
    """Make these the members of a topic, and nobody else. They hold from the next request on.

    Raises NotFound, and Invalid for somebody who is not here, or who is named twice.
    """
    wanted = list(members)
    if len(wanted) > MAX_MEMBERS:
        raise _invalid(_("A topic has at most %d members.") % MAX_MEMBERS)
    with changing(topic_id, by=by) as topic:
        rows = _rows(topic, wanted)
        TopicMember.objects.filter(topic=topic).delete()
        TopicMember.objects.bulk_create(rows)
    return members_of(topic_id)


@contextmanager
def changing(topic_id: int, *, by: str) -> Iterator[Topic]:
    """Hold a topic while its members are changed, and write down what they were and are. Raises NotFound."""
    with transaction.atomic():
        topic = Topic.objects.select_for_update(no_key=True).filter(pk=topic_id).first()
        if topic is None:
            raise NotFound(_("There is no such topic."))
        before = _told(topic_id)
        yield topic
        after = _told(topic_id)
        audit.record(by=by, action="topic.members", thing=topic, before=before, after=after, topic_id=topic_id)


def _told(topic_id: int) -> dict[str, list[str]]:
    return {"members": [str(one) for one in members_of(topic_id)]}


def _rows(topic: Topic, wanted: list[Membership]) -> list[TopicMember]:
    people = User.objects.in_bulk([one.person for one in wanted if one.person], field_name="username")
    groups = {group.name: group for group in Group.objects.filter(name__in=[one.group for one in wanted if one.group])}
    rows, seen = [], set()
    for one in wanted:
        person, group = people.get(one.person or ""), groups.get(one.group or "")
        if bool(one.person) == bool(one.group) or (person is None and group is None):
            raise _invalid(_("There is nobody of this name: %s") % one.name[:100])
        if (key := (one.person, one.group)) in seen:
            raise _invalid(_("Named twice: %s") % one.name[:100])
        seen.add(key)
        rows.append(TopicMember(topic=topic, person=person, group=group, role=one.role))
    return rows


def _invalid(sentence: str) -> Invalid:
    return Invalid(sentence, errors={"members": [sentence]})


def sees_people(request: HttpRequest | Request) -> bool:
    """Whether the caller sees all accounts anyway."""
    return bool(request.user.has_perm(SEES_PEOPLE)) and limits(request, right=SEES_PEOPLE) is None


@contextmanager
def guessing_bounded(request: HttpRequest | Request) -> Iterator[None]:
    """Count what the block refuses as a failed sign-in of the caller. Raises Throttled once these are too many."""
    if sees_people(request):
        yield
        return
    try:
        attempt = Attempt(account=f"names {request.user.get_username()}", address=address_of(request))
    except TooManyLogins as refusal:
        sentence = _("Too many names were nobody’s. Try again in a while.")
        raise Throttled(sentence, wait_s=refusal.wait_s) from refusal
    yield
    attempt.take_back()
