"""Who may see which topics, and do what in them: the one place that decides it.

`Principal` is made of each request anew, so a change of members holds from the next request on.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.contrib.auth.backends import BaseBackend, ModelBackend
from django.contrib.auth.models import User
from django.db.models import Exists, OuterRef, Q, QuerySet

from kb_project.configuration.roles import IN_SOME_TOPIC, IN_TOPIC
from topics.models import OpenTo, Topic, TopicMember, TopicRole

Topics = frozenset[int] | None
"""The ids of the topics that somebody is limited to. None: to none, as whoever looks after everything."""
SEES_ALL = "topics.view_topic"  # whoever of the staff holds it sees every topic


@dataclass(frozen=True, kw_only=True)
class Principal:
    """Who asks, and for which `right`: a Django permission, or "" for reading what is public to them.

    `everywhere`: they hold it in all topics, by their role or by a key for all topics. `key_topic_id`: of a pinned key.
    `person_id` is the account of somebody who signed in, or whose personal key it is.
    """

    person_id: int | None = None
    is_known: bool = False
    key_topic_id: int | None = None
    everywhere: bool = False
    right: str = ""


NOBODY = Principal()


def principal_of(user: Any, *, right: str = "") -> Principal:
    """Who a request's user is: an account, the holder of a key, or nobody that is known."""
    key = getattr(user, "key", None)
    if key is None:
        person = user if user is not None and user.is_authenticated else None
    elif key.personal:
        person = key.made_by
    else:
        return Principal(is_known=True, key_topic_id=key.topic_id, everywhere=key.topic_id is None, right=right)
    if person is None or not person.is_active:
        return Principal(right=right)
    everywhere = holds_everywhere(person, right or SEES_ALL)
    return Principal(person_id=person.pk, is_known=True, everywhere=everywhere, right=right)


def visible_topics(principal: Principal) -> QuerySet[Topic]:
    """The topics that exist for whoever asks: where they hold the right they ask for, or which they may read."""
    return Topic.objects.filter(_visible(principal))


def may_see(person: User, topic: Topic) -> bool:
    """Whether a topic exists for somebody who signs in."""
    return visible_topics(principal_of(person)).filter(pk=topic.pk).exists()


def every_topic(principal: Principal) -> QuerySet[Topic]:
    """All topics, with `is_visible`: whether `visible_topics` has them."""
    return Topic.objects.annotate(is_visible=_visible(principal))


def _visible(principal: Principal) -> Q:
    if principal.everywhere:
        return Q(pk__isnull=False)
    if principal.key_topic_id is not None:
        return Q(pk=principal.key_topic_id)
    members = memberships(principal.person_id).filter(topic=OuterRef("pk"))
    if principal.right:
        return Q(Exists(members.filter(role__in=roles_with(principal.right))))
    open_to = [OpenTo.EVERYBODY, OpenTo.SIGNED_IN] if principal.is_known else [OpenTo.EVERYBODY]
    found = Q(open_to__in=open_to)
    return found | Q(Exists(members)) if principal.person_id is not None else found


def memberships(person_id: int | None) -> QuerySet[TopicMember]:
    """What a person is in topics, themselves or by a group. None: nothing."""
    if person_id is None:
        return TopicMember.objects.none()
    groups = User.groups.through.objects.filter(user_id=person_id).values("group_id")
    return TopicMember.objects.filter(Q(person_id=person_id) | Q(group_id__in=groups))


def roles_with(right: str) -> list[str]:
    """The roles of topics that give a right."""
    return [role for role in TopicRole.values if right in IN_TOPIC.get(role, ())]


def holds_everywhere(person: Any, right: str) -> bool:
    """Whether a person of the staff holds a right in all topics, by their role."""
    if not (person.is_active and person.is_staff):
        return False
    return bool(person.is_superuser) or ModelBackend().has_perm(person, right)


class TopicRoles(BaseBackend):
    """What members may do in topics, beside what Django's own backend says of everything.

    It answers that a person holds a right where they hold it in any topic: a view that asks for a right is limited to
    the topics in which its caller holds it (`topics.scoping`). In the admin, which knows no topics, it says nothing.
    """

    def has_perm(self, user_obj: Any, perm: str, obj: Any = None) -> bool:
        if obj not in (None, IN_SOME_TOPIC) or not user_obj.is_active or user_obj.pk is None:
            return False
        if getattr(user_obj, "is_in_admin", False):
            return False
        if not hasattr(user_obj, "_roles_in_topics"):  # of one request, as Django's own backend keeps permissions
            user_obj._roles_in_topics = set(memberships(user_obj.pk).values_list("role", flat=True).distinct())
        return any(perm in IN_TOPIC.get(role, ()) for role in user_obj._roles_in_topics)
