"""Who is asking: an API key in the Authorization header, or a browser session with CSRF."""

from datetime import timedelta
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from rest_framework.authentication import BaseAuthentication, SessionAuthentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request

from kb_project.configuration.roles import BEYOND_A_TOPIC, holds
from topics.keys import find_usable_key
from topics.models import ApiKey

SCHEME = "Api-Key"
USE_IS_NOTED_EVERY = timedelta(minutes=1)


class KeyHolder(AnonymousUser):
    """The caller behind an API key: no user account, staff when the key is an admin key.

    A personal key acts as its maker, with their rights or, if it is no admin key, to read alone.
    """

    def __init__(self, key: ApiKey) -> None:
        super().__init__()
        self.key = key
        self.is_staff = key.admin  # type: ignore[assignment]  # AnonymousUser declares it as always false

    @property
    def is_authenticated(self) -> bool:  # type: ignore[override]
        return True

    @property
    def is_anonymous(self) -> bool:  # type: ignore[override]
        return False

    @property
    def is_active(self) -> bool:  # type: ignore[override]
        return True

    def may_call(self, method: str) -> bool:
        """Whether it may send such a request for what people keep: a key that only reads changes nothing."""
        return self.is_staff or method in SAFE_METHODS

    def has_perm(self, perm: str, obj: Any = None) -> bool:
        """What its maker may (everything, if it was made on the command line), less what reaches beyond its topic."""
        if not self.is_staff or (self.key.made_by is not None and not holds(self.key.made_by, perm)):
            return False
        return self.key.personal or not (self.key.topic_id is not None and perm in BEYOND_A_TOPIC)

    @property
    def client_id(self) -> str:
        """What throttles count by: all that acts as a person is one client, with their browser."""
        return f"user:{self.key.made_by_id}" if self.key.personal else f"key:{self.key.pk}"

    def get_username(self) -> str:
        """The name that a job's history shows."""
        maker = self.key.made_by if self.key.personal else None
        return maker.get_username() if maker else f"{SCHEME} {self.key.name}"

    @property
    def name_in_log(self) -> str:
        """Which key it is, in words that the log does not take for the key itself."""
        return f"key {self.key}"

    def __str__(self) -> str:
        return self.get_username()


class ApiKeyAuthentication(BaseAuthentication):
    """`Authorization: Api-Key <key>`. A key that is false, expired or revoked is refused on every path."""

    def authenticate(self, request: Request) -> tuple[KeyHolder, ApiKey] | None:
        scheme, _space, text = request.META.get("HTTP_AUTHORIZATION", "").partition(" ")
        if scheme.lower() != SCHEME.lower():
            return None
        key = find_usable_key(text.strip(" "), topic_id=getattr(request, "seems_to_name", None))
        if key is None:
            raise AuthenticationFailed(_("The API key does not exist, has expired or was revoked."))
        note_use(key)
        return KeyHolder(key), key

    def authenticate_header(self, request: Request) -> str:
        return f'{SCHEME} realm="kb"'


class StaffSessionAuthentication(SessionAuthentication):
    """The session of someone who logged in with a browser. Every change needs the CSRF token."""


def note_use(row: Any) -> None:
    """Write `last_used_at` of a key, or of what opens as one, seldom enough that a busy one is no busy row."""
    now = timezone.now()
    if row.last_used_at is None or row.last_used_at <= now - USE_IS_NOTED_EVERY:
        stale = Q(last_used_at=None) | Q(last_used_at__lte=now - USE_IS_NOTED_EVERY)
        type(row).objects.filter(stale, pk=row.pk).update(last_used_at=now)
