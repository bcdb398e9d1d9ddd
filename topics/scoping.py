"""Which topics a request may see, and rows of them: `topics.access` decides, and here it is asked."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from django.conf import settings
from django.db.models import Model, QuerySet
from django.http import HttpRequest, QueryDict
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request

from kb_project.errors import NotFound, PermissionDenied, UnknownTopic
from topics import access
from topics.access import NOBODY, Principal, Topics, every_topic, principal_of
from topics.authentication import KeyHolder
from topics.models import INITIAL_TOPIC_ID, Topic
from topics.reads import note_read

M = TypeVar("M", bound=Model)
_DIGITS = re.compile(r"-?[0-9]+")
_NAMED = re.compile(rb'"topic_id"\s*:\s*([0-9]{1,18})')
MAX_LOOKED_AT_LENGTH = 16 * 1024  # bytes of a body


def caller_of(request: Request | HttpRequest) -> Principal:
    """Who asks, for the right that the view needs (`staff_may`, `StaffMay`)."""
    return principal_of(getattr(request, "user", None), right=getattr(_plain(request), "right", ""))


def _plain(request: Request | HttpRequest) -> HttpRequest:
    return request._request if isinstance(request, Request) else request


def _pinned_topic(request: Request | HttpRequest) -> Topic | None:
    user = getattr(request, "user", None)
    return user.key.topic if isinstance(user, KeyHolder) else None


def is_pinned(request: Request | HttpRequest) -> bool:
    """Whether the caller has a key for one topic."""
    return _pinned_topic(request) is not None


def limits(request: Request | HttpRequest, *, right: str | None = None) -> Topics:
    """The topics that the caller is limited to, or None. With a `right`, where they hold that one.

    Read once in a request.
    """
    principal = caller_of(request) if right is None else principal_of(getattr(request, "user", None), right=right)
    if principal.everywhere:
        return None
    if principal.key_topic_id is not None:
        return frozenset({principal.key_topic_id})
    topics = _read(request, principal)
    seen = frozenset(topic.pk for topic in topics if topic.is_visible)  # type: ignore[attr-defined]  # `every_topic`
    return None if len(seen) == len(topics) and not principal.right else seen


def _read(request: Request | HttpRequest, principal: Principal) -> Sequence[Topic]:
    read: dict[Principal, Sequence[Topic]] = _plain(request).__dict__.setdefault("_topics_read", {})
    if principal not in read:
        read[principal] = list(every_topic(principal).defer("system_prompt_addendum"))
    return read[principal]


def visible_topics(request: Request | HttpRequest) -> QuerySet[Topic]:
    """The topics that exist for this caller."""
    return access.visible_topics(caller_of(request))


def topics_to_choose(request: Request | HttpRequest) -> list[Topic]:
    """The same, without what is told to models alone, read once in a request and together with `limits`."""
    topics = _read(request, caller_of(request))
    return [topic for topic in topics if topic.is_visible]  # type: ignore[attr-defined]  # `every_topic`


def within_topics(
    queryset: QuerySet[M], request: Request | HttpRequest, *, topic_field: str = "topic_id"
) -> QuerySet[M]:
    """Only those rows that lie in a topic the caller may see. `topic_field` is the lookup that leads to its id."""
    principal = caller_of(request)
    if principal.everywhere:
        return queryset
    if principal.key_topic_id is not None:
        return queryset.filter(**{topic_field: principal.key_topic_id})
    return queryset.filter(**{f"{topic_field}__in": access.visible_topics(principal).order_by().values("pk")})


def searched(request: Request | HttpRequest, topic: Topic | None) -> dict[str, Any]:
    """What a `Scope` says of topics: the one that was chosen, or all that the caller may see."""
    if topic is not None:
        return {"topic_id": topic.pk}
    within = limits(request)
    principal = caller_of(request)
    read = None if principal.everywhere else tuple(seen.pk for seen in topics_to_choose(request))
    return {"topic_id": None, "within": within and tuple(sorted(within)), "every_topic": read}


def note_search(request: Request | HttpRequest, topic: Topic | None) -> None:
    """Note that the caller searches in the topic, or in all that they see (`topics.reads`)."""
    if settings.KB_AUDIT_READS:
        for one in [topic] if topic else topics_to_choose(request):
            note_read(request, "topic.search", one)


def may(request: Request | HttpRequest, right: str, *, topic_id: int) -> bool:
    """Whether the caller holds a right, which may be another than that of the view, in a topic."""
    if not request.user.has_perm(right):
        return False
    within = limits(request, right=right)
    return within is None or topic_id in within


def topic_scope(request: Request | HttpRequest, topic_id: int | None) -> Topic | None:
    """The topic a request is about: the one it names, else the one its key is pinned to, else None, for all of them.

    Raises UnknownTopic for an id that no topic has, or one that the caller does not see, and PermissionDenied for
    another than a key's own that everybody sees.
    """
    key_topic = _pinned_topic(request)
    if topic_id is None or (key_topic is not None and topic_id == key_topic.pk):
        return key_topic  # read with the key
    principal = NOBODY if key_topic is not None else caller_of(request)
    topic = _topic(topic_id, request, principal)
    if topic is None:
        raise unknown_topic()
    if key_topic is not None:
        raise pinned_elsewhere()
    return topic


def topic_of_path(request: Request | HttpRequest, topic_id: int) -> Topic:
    """The topic whose id is part of the address.

    Raises PermissionDenied for an id other than that of the topic a key is pinned to, whether or not it exists, and
    NotFound.
    """
    key_topic = _pinned_topic(request)
    if key_topic is not None and topic_id != key_topic.pk:
        raise pinned_elsewhere()
    topic = visible_topics(request).filter(pk=topic_id).first()
    if topic is None:
        raise NotFound("There is no such topic.")
    return topic


def require_topic(request: Request | HttpRequest, topic_id: int | None) -> Topic:
    """As `topic_scope`, for what lies in exactly one topic: the initial one where nothing else says which."""
    topic = topic_scope(request, topic_id) or visible_topics(request).filter(pk=INITIAL_TOPIC_ID).first()
    if topic is None:
        raise unknown_topic()
    return topic


def _topic(topic_id: int, request: Request | HttpRequest, principal: Principal) -> Topic | None:
    if not 0 < topic_id < 2**63:  # an id that no row can have
        return None
    user = getattr(request, "user", None)
    beside = user.key.topic_beside if isinstance(user, KeyHolder) and principal.everywhere else None
    if beside is not None and beside.pk == topic_id:
        return beside
    return access.visible_topics(principal).filter(pk=topic_id).first()


def find_topic(text: str, request: HttpRequest) -> Topic | None:
    """The topic whose id a form gives, or None for an empty text, and for what is no id of one that the caller sees."""
    is_id = text.isascii() and text.isdecimal() and len(text) < 19
    return visible_topics(request).filter(pk=int(text)).first() if is_id else None


def pinned_elsewhere() -> PermissionDenied:
    return PermissionDenied("This API key is pinned to another topic.")


def narrowed(request: Request | HttpRequest, topic: Topic | None) -> Topics:
    """The topic that was chosen, or with None all that the caller is limited to."""
    return limits(request) if topic is None else frozenset({topic.pk})


def require_own(request: Request | HttpRequest, topic: Topic | None) -> Topic | None:
    """The topic of something new, or None for one of all topics. Raises UnknownTopic for that where limits are."""
    if topic is None and limits(request) is not None:
        raise unknown_topic()
    return topic


def unknown_topic() -> UnknownTopic:
    return UnknownTopic("There is no such topic.", errors={"topic_id": ["There is no such topic."]})


class TopicFirst:
    """View mixin that looks at `topic_id`, in the query or the JSON body, before anything else of the request.

    `self.topic` is then the answer of `topic_scope`. A `topic_id` that is not an integer at all is left to the
    view's serializer, which says so in the same words as for every other field.
    """

    topic: Topic | None

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        request.seems_to_name = _seems_to_name(request)  # type: ignore[attr-defined]  # for the authentication
        super().initial(request, *args, **kwargs)  # type: ignore[misc]  # authentication, permission, throttle
        given = request.query_params if request.method in SAFE_METHODS else request.data
        raw = given.get("topic_id") if isinstance(given, Mapping | QueryDict) else None
        self.topic = topic_scope(request, _integer(raw))


def _seems_to_name(request: Request) -> int | None:
    """The id that a JSON body seems to give, by a look that refuses nothing: nobody knows yet who asks.

    Its topic is read in one statement with the caller's key. What the body does say is read later. Where it is another
    topic, that is read then.
    """
    length = str(request.META.get("CONTENT_LENGTH") or "")
    if not (length.isdecimal() and 0 < int(length) <= MAX_LOOKED_AT_LENGTH and "json" in (request.content_type or "")):
        return None
    named = _NAMED.search(request.body)
    return int(named[1]) if named else None


def _integer(raw: Any) -> int | None:
    """The integer that a query string or a JSON body gave, if it gave one. Raises UnknownTopic for one too long."""
    if isinstance(raw, str) and _DIGITS.fullmatch(raw):
        if len(raw) > 20:
            raise unknown_topic()  # no need to do arithmetic with it
        return int(raw)
    if isinstance(raw, int) and not isinstance(raw, bool):
        return raw
    return int(raw) if isinstance(raw, float) and raw.is_integer() else None
