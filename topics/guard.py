"""What the address of a staff screen names lies in a topic in which its caller may do what the screen is for.

So every screen that has one of these names in its path is limited, also one that is made tomorrow. Lists limit
themselves (`topics.scoping`).
"""

from collections.abc import Callable, Mapping
from typing import Any

from django.db.models import QuerySet
from django.http import Http404, HttpRequest

from kb_project.screens.access import guards
from topics.models import Topic

Find = Callable[[Any], QuerySet[Any]]
_rows: dict[str, list[tuple[Find, str]]] = {}


def guard(name: str, find: Find, *, topic_field: str = "topic_id") -> None:
    """Rows that a part of an address may name: `find` gives those of a value, `topic_field` leads to their topic.

    Of several for one name any suffices.
    """
    _rows.setdefault(name, []).append((find, topic_field))


def _require_visible(request: HttpRequest, named: Mapping[str, Any]) -> None:
    """Raise Http404 for what the caller does not see, whether or not it is there."""
    from topics.scoping import limits, within_topics  # here, as most commands serve no screen

    known = [(value, _rows[name]) for name, value in named.items() if name in _rows]
    if not known or limits(request) is None:
        return
    for value, rows in known:
        if not any(within_topics(find(value), request, topic_field=field).exists() for find, field in rows):
            raise Http404


def begin() -> None:
    """Have the screens of staff ask."""
    guard("topic_id", lambda topic_id: Topic.objects.filter(pk=topic_id), topic_field="pk")
    guards.append(_require_visible)
