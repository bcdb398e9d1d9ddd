"""Codes and tokens of agents' connections: making, changing for new ones, finding, revoking."""

import hashlib
import secrets
from collections.abc import Mapping
from datetime import timedelta
from hmac import compare_digest
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from kb_project import audit
from kb_project.accounts.sessions.standing import AccountStanding
from topics.access import may_see
from topics.authentication import note_use
from topics.models import Topic
from topics.oauth.models import AgentClient, AgentConnection

CODE, ACCESS, REFRESH = "kbc_", "kba_", "kbr_"  # what each begins with
CODE_LASTS = timedelta(minutes=2)
ACCESS_LASTS = timedelta(minutes=15)
REFRESH_LASTS = timedelta(days=30)  # each time anew
CLIENT_LASTS = timedelta(days=30)  # without a connection


def _token(kind: str, family: str) -> str:
    return f"{kind}{family}.{secrets.token_urlsafe(32)}"


def _hash(token: str) -> str:
    """256 random bits need no slow hash."""
    return hashlib.sha256(token.encode()).hexdigest()


def register(*, name: str, redirect_uris: list[str]) -> AgentClient:
    """Keep a new client. Those that nobody has allowed anything for a month go."""
    AgentClient.objects.filter(made_at__lt=timezone.now() - CLIENT_LASTS, connections=None).delete()
    return AgentClient.objects.create(client_id=secrets.token_urlsafe(24), name=name, redirect_uris=redirect_uris)


@transaction.atomic
def allow(
    *, user: User, client: AgentClient, topic: Topic, redirect_uri: str, code_challenge: str, scope: str = ""
) -> str:
    """Make a connection. The code that its client gets tokens for. What has ended of this person's goes."""
    AgentConnection.objects.filter(user=user, ends_at__lt=timezone.now()).delete()
    family = secrets.token_urlsafe(16)
    code = _token(CODE, family)
    connection = AgentConnection.objects.create(
        client=client,
        user=user,
        topic=topic,
        family=family,
        redirect_uri=redirect_uri,
        code_challenge=code_challenge,
        scope=scope,
        code_hash=_hash(code),
        ends_at=timezone.now() + CODE_LASTS,
    )
    _record(connection, "agent.connect", by=user.get_username())
    return code


def _record(connection: AgentConnection, action: str, *, by: str) -> None:
    said = {"client": connection.client.name, "user": connection.user.get_username(), **connection.named_scope}
    audit.record(by=by, action=action, thing=connection, after=said, topic_id=connection.topic_id)


def of_code(code: str, client: AgentClient) -> AgentConnection | None:
    return _presented(CODE, code, "code_hash", client=client)


def of_refresh_token(token: str, client: AgentClient) -> AgentConnection | None:
    return _presented(REFRESH, token, "refresh_hash", client=client)


def _presented(kind: str, token: str, field: str, *, client: AgentClient) -> AgentConnection | None:
    """The connection of a code or refresh token. One that was used before is in two hands, and ends it."""
    connection = _of_family(kind, token)
    if connection is None or connection.client_id != client.pk or not _is_usable(connection):
        return None
    if not compare_digest(getattr(connection, field), _hash(token)):
        revoke(connection, by=connection.user.get_username())
        return None
    return connection


def _of_family(kind: str, token: str) -> AgentConnection | None:
    family = token.removeprefix(kind).partition(".")[0]
    if not token.startswith(kind) or not token.isascii() or "\0" in token:
        return None
    return AgentConnection.objects.select_related("client", "user", "topic").filter(family=family).first()


def _is_usable(connection: AgentConnection) -> bool:
    """Now, also if the person has lost the topic, or the account, since."""
    return connection.is_live and connection.user.is_active and may_see(connection.user, connection.topic)


def issue(connection: AgentConnection, *, instead_of: Mapping[str, str]) -> dict[str, Any] | None:
    """New tokens, in one statement that also takes the code or refresh token away. None if that was just used."""
    access, refresh = _token(ACCESS, connection.family), _token(REFRESH, connection.family)
    now = timezone.now()
    taken = AgentConnection.objects.filter(pk=connection.pk, revoked_at=None, **instead_of).update(
        code_hash="",
        access_hash=_hash(access),
        access_ends_at=now + ACCESS_LASTS,
        refresh_hash=_hash(refresh),
        ends_at=now + REFRESH_LASTS,
    )
    if not taken:
        return None
    seconds = int(ACCESS_LASTS.total_seconds())
    token = {"token_type": "Bearer", "access_token": access, "expires_in": seconds, "refresh_token": refresh}
    return token | connection.named_scope


def of_access_token(token: str) -> AgentConnection | None:
    """The connection that a message comes from, if it may still do anything."""
    connection = _of_family(ACCESS, token)
    if connection is None or connection.access_ends_at is None or connection.access_ends_at <= timezone.now():
        return None
    if not compare_digest(connection.access_hash, _hash(token)) or not _is_usable(connection):
        return None
    note_use(connection)
    return connection


def of_any_token(token: str) -> AgentConnection | None:
    """For revoking: whichever of the two it is."""
    for kind, field in ((ACCESS, "access_hash"), (REFRESH, "refresh_hash")):
        found = _of_family(kind, token)
        if found is not None and compare_digest(getattr(found, field), _hash(token)):
            return found
    return None


def live_connections(person: User | None = None) -> QuerySet[AgentConnection]:
    """What agents may still do, in the name of a person or of all."""
    found = AgentConnection.objects.filter(revoked_at=None, ends_at__gt=timezone.now())
    return found if person is None else found.filter(user=person)


def standing_agents(person: User) -> list[AccountStanding]:
    """For the pages of the account."""
    kind = _("Agent")
    return [
        AccountStanding(kind, str(one.client), one.made_at, one.last_used_at)
        for one in live_connections(person).select_related("client")
    ]


@transaction.atomic
def end_agents(person: User, *, by: str) -> None:
    """End all connections in the person's name, also those whose code nobody has used yet."""
    for connection in live_connections(person).select_related("client", "user"):
        revoke(connection, by=by)


@transaction.atomic
def revoke(connection: AgentConnection, *, by: str) -> None:
    """From the next message on nothing of it opens anything."""
    if AgentConnection.objects.filter(pk=connection.pk, revoked_at=None).update(revoked_at=timezone.now()):
        _record(connection, "agent.revoke", by=by)
