"""Sessions in the database that end when nobody uses them: `SESSION_ENGINE`.

The row's own last moment is moved on, and nothing else of it: two requests at once undo nothing of each other.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends import db
from django.contrib.sessions.models import Session
from django.utils import timezone

from kb_project.accounts.second_look import SIGNED_IN_AT

MOVED_EVERY = 10  # this part of the time is let go by before it is written again


class SessionStore(db.SessionStore):
    """A session of whoever is signed in ends `KB_SESSION_IDLE_MINUTES` after its last request, else as it always does.

    The cookie lasts as long as a session may: it is not sent again with each answer.
    """

    def create_model_instance(self, data: dict[str, Any]) -> Session:
        row: Session = super().create_model_instance(data)  # type: ignore[assignment]  # of the stubs' own kind
        if (idle := _idle()) and SESSION_KEY in data:
            row.expire_date = min(row.expire_date, timezone.now() + idle)
        return row

    def load(self) -> dict[str, Any]:
        row = self._get_session_from_db()  # type: ignore[attr-defined]  # the stubs do not know it
        if row is None:
            return {}
        said: dict[str, Any] = self.decode(row.session_data)
        if (idle := _idle()) and SESSION_KEY in said:
            last = min(timezone.now() + idle, _end_of(said))
            if last - row.expire_date > idle / MOVED_EVERY:
                Session.objects.filter(pk=row.pk).update(expire_date=last)
        return said


def _idle() -> timedelta:
    return timedelta(minutes=settings.KB_SESSION_IDLE_MINUTES)


def _end_of(said: dict[str, Any]) -> datetime:
    """When it ends, however much it is used."""
    if isinstance(named := said.get("_session_expiry"), str):  # a date, as Django keeps it
        return datetime.fromisoformat(named)
    return datetime.fromtimestamp(said.get(SIGNED_IN_AT, 0) + settings.SESSION_COOKIE_AGE, UTC)
