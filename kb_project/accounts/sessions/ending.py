"""The sessions of a person: which there are, and ending them."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from django.contrib.auth import SESSION_KEY
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.utils import timezone
from django.utils.translation import gettext as _

from kb_project.accounts.second_factor.entering import FROM
from kb_project.accounts.second_look import SIGNED_IN_AT

# The first that stands in it, as each also names those that it wants to be taken for.
_BROWSERS = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("Firefox/", "Firefox"),
    ("FxiOS/", "Firefox"),
    ("CriOS/", "Chrome"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
)
_SYSTEMS = (
    ("Windows", "Windows"),
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Mac OS X", "macOS"),
    ("CrOS", "ChromeOS"),
    ("Linux", "Linux"),
)


@dataclass(frozen=True, slots=True)
class OwnSession:
    """One for its person to recognise. A session that was begun before these were noted has neither."""

    began_at: datetime | None
    address: str
    browser: str
    is_this: bool

    @property
    def called(self) -> str:
        """What its browser and its machine are called, or what the browser says of itself where neither is known."""
        browser = next((name for token, name in _BROWSERS if token in self.browser), "")
        system = next((name for token, name in _SYSTEMS if token in self.browser), "")
        if browser and system:
            return _("%(browser)s on %(system)s") % {"browser": browser, "system": system}
        return self.browser


def sessions_of(user: User, *, this: str | None) -> list[OwnSession]:
    """The ones that are open, the newest first. `this` is the key of the one that asks."""
    found = [_shown(said, is_this=session.pk == this) for session, said in _open_sessions(user)]
    return sorted(found, key=lambda one: one.began_at or datetime.min.replace(tzinfo=UTC), reverse=True)


def end_sessions(user: User, *, but: str | None = None) -> None:
    """End all of them for good, all but the one of this key: they would open again with the account."""
    for session, _said in _open_sessions(user):
        if session.pk != but:
            session.delete()


def _open_sessions(user: User) -> Iterator[tuple[Session, dict[str, Any]]]:
    """Whose a session is stands inside it, so all are looked at."""
    for session in Session.objects.filter(expire_date__gt=timezone.now()).iterator():
        said = session.get_decoded()
        if said.get(SESSION_KEY) == str(user.pk):
            yield session, said


def _shown(said: dict[str, Any], *, is_this: bool) -> OwnSession:
    began, source = said.get(SIGNED_IN_AT), said.get(FROM, {})
    return OwnSession(
        began_at=datetime.fromtimestamp(began, UTC) if began else None,
        address=source.get("address", ""),
        browser=source.get("browser", ""),
        is_this=is_this,
    )
