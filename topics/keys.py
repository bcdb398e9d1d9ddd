"""API keys: their form, how they are made and revoked, and how a presented one is recognised."""

from __future__ import annotations

import hashlib
import hmac
import logging
import re
import secrets
import string
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from kb_project import audit
from kb_project.accounts.notices import Notice, send_notice
from kb_project.accounts.sessions.standing import AccountStanding
from kb_project.database import rows
from kb_project.errors import Conflict, Invalid
from topics.models import MAY_MAKE_KEYS, ApiKey, Topic

logger = logging.getLogger(__name__)

ALPHABET = string.ascii_letters + string.digits
PREFIX_LENGTH = 8
SECRET_LENGTH = 32
OF_ROLES = "django.contrib.auth.backends.ModelBackend"
BOOTSTRAP_NAME = "bootstrap"
BOOTSTRAP_BY = "KB_BOOTSTRAP_API_KEY"  # who made that key, as the audit says it
_FORM = re.compile(rf"([A-Za-z0-9]{{{PREFIX_LENGTH}}})\.([A-Za-z0-9]{{{SECRET_LENGTH}}})")
_OF_MAKER = ("id", "username", "is_active", "is_staff", "is_superuser")  # what a request asks of whom it acts as
# The keys in the state `USABLE`, with their topic or the one asked for; every request of a key asks.
_USABLE = f"""
SELECT {rows.columns(ApiKey, "k")}, {rows.columns(User, "u", only=_OF_MAKER)}, {rows.columns(Topic, "t")}
FROM kb_api_key k LEFT JOIN kb_topic t ON t.id = COALESCE(k.topic_id, %(topic_id)s::bigint)
    LEFT JOIN auth_user u ON u.id = k.made_by_id
WHERE k.prefix = %(prefix)s AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > %(now)s)
    AND (k.made_by_id IS NULL OR u.is_active AND (k.personal OR u.is_staff AND (u.is_superuser OR EXISTS (
        SELECT FROM auth_permission p JOIN django_content_type c ON c.id = p.content_type_id
        WHERE (c.app_label || '.' || p.codename) = %(may_make)s AND (
            EXISTS (SELECT FROM auth_user_user_permissions o WHERE o.permission_id = p.id AND o.user_id = u.id)
            OR EXISTS (
                SELECT FROM auth_group_permissions g JOIN auth_user_groups m ON m.group_id = g.group_id
                WHERE g.permission_id = p.id AND m.user_id = u.id))))))
"""
MAX_PERSONAL_KEYS = 50  # live ones of a person


class MalformedKey(ValueError):
    """A key is 8 letters or digits, a dot, 32 letters or digits."""

    def __init__(self) -> None:
        super().__init__(type(self).__doc__)


class KeyNameTaken(ValueError):
    """The name is kept for the key that the environment sets."""


class TooManyKeys(Conflict):
    """A person has as many keys as one may."""

    def __init__(self) -> None:
        super().__init__(_("You have %d keys. Revoke one that you no longer need.") % MAX_PERSONAL_KEYS)


@dataclass(frozen=True)
class Plaintext:
    """A key as its holder has it. Only the hash of the secret is ever stored."""

    prefix: str
    secret: str

    @classmethod
    def parse(cls, text: str) -> Plaintext:
        """Take a key apart. Raises MalformedKey."""
        match = _FORM.fullmatch(text)
        if match is None:
            raise MalformedKey
        return cls(match[1], match[2])

    @classmethod
    def random(cls) -> Plaintext:
        def letters(length: int) -> str:
            return "".join(secrets.choice(ALPHABET) for _ in range(length))

        return cls(letters(PREFIX_LENGTH), letters(SECRET_LENGTH))

    @property
    def secret_hash(self) -> str:
        """SHA-256 in hex. The secret has 190 random bits, so a slow password hash would add nothing."""
        return hashlib.sha256(self.secret.encode("ascii")).hexdigest()

    def opens(self, key: ApiKey) -> bool:
        return hmac.compare_digest(self.secret_hash, key.secret_hash)

    def __str__(self) -> str:
        return f"{self.prefix}.{self.secret}"


@transaction.atomic
def issue_key(
    *,
    name: str,
    admin: bool = False,
    topic: Topic | None = None,
    expires_at: datetime | None = None,
    by: str,
    personal: bool = False,
) -> tuple[ApiKey, str]:
    """Make a key. The second value is its plaintext, which nothing can show again.

    `by` is the name that the audit keeps. When it is that of an account, the key works as long as the account does and
    may make keys, with no right that it has not. A `personal` one acts as the account: with `admin`, with its rights.
    Without an end, an `admin` key ends after `KB_ADMIN_KEY_DAYS`.
    Raises KeyNameTaken, TooManyKeys, and Django's ValidationError for a name that cannot be or an expiry that has
    passed.
    """
    if name == BOOTSTRAP_NAME:
        raise KeyNameTaken(f"The name “{BOOTSTRAP_NAME}” is kept for the key set by KB_BOOTSTRAP_API_KEY.")
    maker = get_user_model().objects.select_for_update(no_key=True).filter(username=by).first()
    if personal and maker is not None and keys_of(maker).filter(live()).count() >= MAX_PERSONAL_KEYS:
        raise TooManyKeys
    if admin and expires_at is None and settings.KB_ADMIN_KEY_DAYS:
        expires_at = timezone.now() + timedelta(days=settings.KB_ADMIN_KEY_DAYS)
    plaintext = Plaintext.random()
    key = ApiKey(
        name=name,
        prefix=plaintext.prefix,
        secret_hash=plaintext.secret_hash,
        admin=admin,
        topic=topic,
        expires_at=expires_at,
        made_by=maker,
        personal=personal,
    )
    key.full_clean()
    key.save()
    audit.record(by=by, action="key.create", thing=key, after=_values(key), topic_id=key.topic_id)
    if maker is not None:
        send_notice(maker, Notice.KEY)
    return key, str(plaintext)


def make_personal_key(person: User, name: str, *, with_rights: bool, last_day: date | None) -> tuple[ApiKey, str]:
    """A key that acts as the person, to read alone or with their rights. As `issue_key`. Raises Invalid."""
    try:
        expires_at = expiry_of(last_day) if last_day else None
        return issue_key(name=name, admin=with_rights, expires_at=expires_at, by=person.get_username(), personal=True)
    except KeyNameTaken as refusal:
        raise Invalid(str(refusal), errors={"name": [str(refusal)]}) from refusal
    except OverflowError as error:
        sentence = _("This day is too far ahead.")
        raise Invalid(sentence, errors={"last_day": [sentence]}) from error


def keys_of(person: User) -> QuerySet[ApiKey]:
    """The keys that act as a person, the newest first."""
    return ApiKey.objects.filter(made_by=person, personal=True).order_by("-id")


def standing_keys(person: User) -> list[AccountStanding]:
    """Those that work, for the pages of the account."""
    kind = _("Key")
    return [AccountStanding(kind, str(key), key.created_at, key.last_used_at) for key in keys_of(person).filter(live())]


@transaction.atomic
def end_keys(person: User, *, by: str) -> None:
    """Revoke all keys that act as the person."""
    for key in keys_of(person).filter(revoked_at=None):
        revoke(key, by=by)


@transaction.atomic
def revoke(key: ApiKey, *, by: str) -> bool:
    """From now on the key opens nothing, or False when it was revoked before."""
    held = ApiKey.objects.select_for_update().get(pk=key.pk)
    if held.revoked_at is not None:
        return False
    held.revoked_at = timezone.now()
    held.save(update_fields=["revoked_at"])
    audit.record(
        by=by,
        action="key.revoke",
        thing=held,
        before={"revoked_at": None},
        after={"revoked_at": held.revoked_at},
        topic_id=held.topic_id,
    )
    return True


def live() -> Q:
    """The keys in the state `USABLE` now."""
    unexpired = Q(expires_at=None) | Q(expires_at__gt=timezone.now())
    return Q(revoked_at=None) & unexpired & _let()


def _let() -> Q:
    """The keys that their makers may have."""
    makers = User.objects.with_perm(MAY_MAKE_KEYS, backend=OF_ROLES).filter(is_staff=True).order_by().values("pk")
    return Q(made_by=None) | (Q(made_by__is_active=True) & (Q(personal=True) | Q(made_by__in=makers)))


def listed_keys() -> QuerySet[ApiKey]:
    """All keys with what a list shows of them, their states too, in one statement."""
    return ApiKey.objects.select_related("topic", "made_by").annotate(maker_lets=_let())


def expiry_of(day: date) -> datetime:
    """When a key ends whose last day this is, in the service's time zone. Raises OverflowError for the last of all."""
    return timezone.make_aware(datetime.combine(day + timedelta(days=1), time.min))


def find_usable_key(text: str, *, topic_id: int | None = None) -> ApiKey | None:
    """The live key of which this is the plaintext, with its topic, or None for a false, expired or revoked one.

    Of a key that has none, `topic_beside` is the topic of this id, if there is one.
    """
    try:
        plaintext = Plaintext.parse(text)
    except MalformedKey:
        return None
    asked = {"prefix": plaintext.prefix, "now": timezone.now(), "topic_id": topic_id, "may_make": MAY_MAKE_KEYS}
    found = rows.fetch(_USABLE, asked)
    if not found:
        return None
    row = found[0]
    key = rows.instance(ApiKey, row[: rows.width(ApiKey)])
    maker, values = row[rows.width(ApiKey) : -rows.width(Topic)], row[-rows.width(Topic) :]
    key.made_by = rows.instance(User, maker, only=_OF_MAKER) if maker[0] is not None else None
    topic = rows.instance(Topic, values) if values[0] is not None else None
    key.topic, key.topic_beside = (None, topic) if key.topic_id is None else (topic, None)
    return key if plaintext.opens(key) else None


def ensure_bootstrap_key(text: str) -> ApiKey:
    """Make the admin key that the environment names, and forget the one it named before.

    Any number of processes may call it, at once and again. One that a person revoked stays revoked.
    Raises MalformedKey, and KeyNameTaken when the prefix is that of another key.
    """
    plaintext = Plaintext.parse(text)
    with transaction.atomic():
        for replaced in ApiKey.objects.filter(name=BOOTSTRAP_NAME).exclude(prefix=plaintext.prefix):
            audit.record(by=BOOTSTRAP_BY, action="key.delete", thing=replaced, before=_values(replaced))
            replaced.delete()
        key, made = ApiKey.objects.select_for_update().get_or_create(
            prefix=plaintext.prefix,
            defaults={"name": BOOTSTRAP_NAME, "secret_hash": plaintext.secret_hash, "admin": True},
        )
        if key.name != BOOTSTRAP_NAME:
            raise KeyNameTaken("Another API key begins with the same 8 characters as KB_BOOTSTRAP_API_KEY.")
        if made:
            audit.record(by=BOOTSTRAP_BY, action="key.create", thing=key, after=_values(key))
        elif not plaintext.opens(key):
            key.secret_hash = plaintext.secret_hash
            key.save(update_fields=["secret_hash"])
            audit.record(by=BOOTSTRAP_BY, action="key.edit", thing=key, after={"secret": "changed"})
    if key.revoked_at is not None:
        logger.warning("The key of KB_BOOTSTRAP_API_KEY was revoked; set another one to get in.")
    return key


def _values(key: ApiKey) -> dict[str, Any]:
    """What the audit keeps of a key: what it may do, nothing of its secret."""
    return {
        "name": key.name,
        "prefix": key.prefix,
        "admin": key.admin,
        "personal": key.personal,
        "topic": key.topic.slug if key.topic else None,
        "expires_at": key.expires_at,
    }
