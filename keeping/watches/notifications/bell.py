"""How much is new for whoever is signed in, for the bell in the bar of every page."""

from functools import cache
from typing import Any

from django.contrib.auth.models import User
from django.http import HttpRequest

from keeping.models import Watch
from keeping.watches.notifications.news import MAX_COUNTED, count_unread
from keeping.watches.targets import VisibleTargets


def watch_news(request: HttpRequest) -> dict[str, Any]:
    """A context processor. The database is asked where a template shows the number, once."""
    user = getattr(request, "user", None)
    return {"watch_news": cache(lambda: _counted(user))} if user is not None else {}


def _counted(user: Any) -> str:
    """`99+` where it is more, empty where it is none."""
    if not isinstance(user, User) or not Watch.objects.filter(watcher=user.pk).exists():
        return ""
    count = count_unread(VisibleTargets(user))
    return f"{MAX_COUNTED}+" if count > MAX_COUNTED else str(count or "")
