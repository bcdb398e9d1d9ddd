"""Who keeps things: a person in a browser, or one whose key or agent acts for them."""

from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import User

from topics import access
from topics.access import Topics


@dataclass(frozen=True, kw_only=True)
class Owner:
    """A person, and the ids of the topics that they may see now, None for all.

    An agent acts for its person in one topic: `is_pinned`. What is kept of others does not exist for it.
    """

    person: User
    within: Topics
    is_pinned: bool = False


def person_of(user: Any) -> User | None:
    """The person behind a request's user, or None for nobody and for the key of a program."""
    if isinstance(user, User):
        return user if user.is_active else None
    key = getattr(user, "key", None)
    agent_of: User | None = getattr(user, "person", None)
    maker: User | None = key.made_by if key is not None and key.personal else agent_of
    return maker if maker is not None and maker.is_active else None


def owner_of(person: User) -> Owner:
    """A person outside of any request, as for what they are told of."""
    principal = access.principal_of(person)
    seen = None if principal.everywhere else frozenset(access.visible_topics(principal).values_list("pk", flat=True))
    return Owner(person=person, within=seen)
