"""The one place that says which topics a request may see."""

import re
from collections.abc import Mapping
from typing import Any, TypeVar

from django.db.models import Model, QuerySet
from django.http import HttpRequest, QueryDict
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request

from kb_project.database import rows
from kb_project.errors import NotFound, PermissionDenied, UnknownTopic
from topics.authentication import KeyHolder
from topics.models import INITIAL_TOPIC_ID, Topic

M = TypeVar("M", bound=Model)
_TOPIC = f"SELECT {rows.columns(Topic, 't')} FROM kb_topic t WHERE t.id = %s"
_DIGITS = re.compile(r"-?[0-9]+")
_NAMED = re.compile(rb'"topic_id"\s*:\s*([0-9]{1,18})')
LONGEST_LOOKED_AT = 16 * 1024  # bytes of a body


def pinned_topic_id(request: Request | HttpRequest) -> int | None:
    """The id of the topic that the caller's key is pinned to, or None for everyone else."""
    topic = _pinned_topic(request)
    return topic.pk if topic is not None else None


def _pinned_topic(request: Request | HttpRequest) -> Topic | None:
    user = getattr(request, "user", None)
    return user.key.topic if isinstance(user, KeyHolder) else None


def visible_topics(request: Request | HttpRequest) -> QuerySet[Topic]:
    """The topics that exist for this caller."""
    return within_topics(Topic.objects.all(), request, topic_field="pk")


def within_topics(
    queryset: QuerySet[M], request: Request | HttpRequest, *, topic_field: str = "topic_id"
) -> QuerySet[M]:
    """Only those rows that lie in a topic the caller may see. `topic_field` is the lookup that leads to its id."""
    pin = pinned_topic_id(request)
    return queryset if pin is None else queryset.filter(**{topic_field: pin})


def topic_scope(request: Request | HttpRequest, topic_id: int | None) -> Topic | None:
    """The topic a request is about: the one it names, else the one its key is pinned to, else None, for all of them.

    Raises UnknownTopic for an id that no topic has, and PermissionDenied for a topic other than the key's own.
    """
    pin = _pinned_topic(request)
    if topic_id is None or (pin is not None and topic_id == pin.pk):
        return pin  # read with the key
    topic = _topic(topic_id, request)
    if topic is None:
        raise unknown_topic()
    if pin is not None:
        raise pinned_elsewhere()
    return topic


def topic_of_path(request: Request | HttpRequest, topic_id: int) -> Topic:
    """The topic whose id is part of the address.

    Raises PermissionDenied for an id other than that of the topic a key is pinned to, whether or not it exists, and
    NotFound.
    """
    pin = pinned_topic_id(request)
    if pin is not None and topic_id != pin:
        raise pinned_elsewhere()
    topic = Topic.objects.filter(pk=topic_id).first()
    if topic is None:
        raise NotFound("There is no such topic.")
    return topic


def require_topic(request: Request | HttpRequest, topic_id: int | None) -> Topic:
    """As `topic_scope`, for what lies in exactly one topic: the initial one where nothing else says which."""
    topic = topic_scope(request, topic_id) or Topic.objects.filter(pk=INITIAL_TOPIC_ID).first()
    if topic is None:
        raise unknown_topic()
    return topic


def _topic(topic_id: int, request: Request | HttpRequest) -> Topic | None:
    if not 0 < topic_id < 2**63:  # an id that no row can have
        return None
    user = getattr(request, "user", None)
    beside = user.key.topic_beside if isinstance(user, KeyHolder) else None
    if beside is not None and beside.pk == topic_id:
        return beside
    found = rows.fetch(_TOPIC, [topic_id])
    return rows.instance(Topic, found[0]) if found else None


def find_topic(text: str) -> Topic | None:
    """The topic whose id a form gives, or None for an empty text, and for what is no id of one."""
    is_id = text.isascii() and text.isdecimal() and len(text) < 19
    return Topic.objects.filter(pk=int(text)).first() if is_id else None


def pinned_elsewhere() -> PermissionDenied:
    return PermissionDenied("This API key is pinned to another topic.")


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
    if not (length.isdecimal() and 0 < int(length) <= LONGEST_LOOKED_AT and "json" in (request.content_type or "")):
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
