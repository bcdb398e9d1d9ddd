"""Topics, who belongs to them, and the API keys that may be pinned to one of them."""

import unicodedata
from datetime import date, timedelta

from django.conf import settings
from django.contrib.auth.models import Group
from django.core.exceptions import ValidationError
from django.core.validators import RegexValidator
from django.db import models
from django.db.models.functions import Now
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

# The storage has a folder named by the slug, so nothing in it may mean something in a path.
SLUG_PATTERN = r"^[A-Za-z0-9_-]+\Z"
INITIAL_TOPIC_ID = 1
MAX_ADDENDUM_LENGTH = 20_000  # characters


def require_readable(name: str) -> None:
    """Raise ValidationError for a name that shows nothing, or that would break the line it stands in."""
    categories = {unicodedata.category(character) for character in name}
    if categories & {"Cc", "Zl", "Zp"}:
        raise ValidationError({"name": _("The name must be one line, without control characters.")})
    if name and categories <= {"Cf", "Zs"}:  # only spaces and direction marks
        raise ValidationError({"name": _("The name must have something in it that can be read.")})


class OpenTo(models.TextChoices):
    """Who finds a topic, without being a member of it."""

    EVERYBODY = "everybody", _("everybody")
    SIGNED_IN = "signed_in", _("whoever signs in")
    MEMBERS = "members", _("its members only")


class TopicRole(models.TextChoices):
    """What a member may do in a topic. Each may also do what those before it may."""

    READER = "reader", _("Reader")
    REVIEWER = "reviewer", _("Reviewer")
    MANAGER = "manager", _("Manager")


class Topic(models.Model):
    """A domain of documents. Searches and answers stay inside one."""

    name = models.CharField(_("name"), max_length=200)
    slug = models.CharField(
        _("slug"),
        max_length=50,
        unique=True,
        validators=[RegexValidator(SLUG_PATTERN, _("Latin letters, digits, hyphens and underscores only."))],
    )
    system_prompt_addendum = models.TextField(_("addition to the system prompt"), blank=True, default="", db_default="")
    open_to = models.CharField(
        _("open to"),
        max_length=20,
        choices=OpenTo,
        default=OpenTo.EVERYBODY,
        db_default=OpenTo.EVERYBODY,
    )
    created_at = models.DateTimeField(_("created"), db_default=Now(), editable=False)

    class Meta:
        db_table = "kb_topic"
        verbose_name = _("topic")
        verbose_name_plural = _("topics")
        ordering = ["id"]
        constraints = [
            models.CheckConstraint(condition=models.Q(slug__regex=SLUG_PATTERN), name="kb_topic_slug_check"),
            models.CheckConstraint(condition=models.Q(open_to__in=OpenTo.values), name="kb_topic_open_to_check"),
        ]

    def __str__(self) -> str:
        return self.name

    def clean(self) -> None:
        require_readable(self.name)
        if len(self.system_prompt_addendum) > MAX_ADDENDUM_LENGTH:
            raise ValidationError({"system_prompt_addendum": _("At most %d characters.") % MAX_ADDENDUM_LENGTH})

    def slugs(self) -> list[str]:
        """The slug of today, then those before it: the folders in which the topic's files lie."""
        return [self.slug, *self.former_slugs.values_list("slug", flat=True)]


class FormerSlug(models.Model):
    """A slug that a topic once had. Stored files keep lying in folders of that name, so no other topic may take it."""

    slug = models.CharField(_("slug"), max_length=50, unique=True)
    topic = models.ForeignKey(Topic, verbose_name=_("topic"), on_delete=models.CASCADE, related_name="former_slugs")
    retired_at = models.DateTimeField(_("in use until"), db_default=Now(), editable=False)

    class Meta:
        db_table = "kb_topic_slug"
        verbose_name = _("former slug")
        verbose_name_plural = _("former slugs")
        ordering = ["-id"]

    def __str__(self) -> str:
        return self.slug


class TopicMember(models.Model):
    """A person, or all the people of a group, who see a topic, and what they may do in it."""

    topic = models.ForeignKey(Topic, verbose_name=_("topic"), on_delete=models.CASCADE, related_name="members")
    person = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("person"),
        null=True,
        blank=True,
        on_delete=models.CASCADE,
        related_name="+",
    )
    group = models.ForeignKey(
        Group, verbose_name=_("group"), null=True, blank=True, on_delete=models.CASCADE, related_name="+"
    )
    role = models.CharField(_("role"), max_length=20, choices=TopicRole, default=TopicRole.READER)

    class Meta:
        db_table = "kb_topic_member"
        verbose_name = _("member of a topic")
        verbose_name_plural = _("members of topics")
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["topic", "person"], name="kb_topic_member_person_key"),
            models.UniqueConstraint(fields=["topic", "group"], name="kb_topic_member_group_key"),
            models.CheckConstraint(
                condition=models.Q(person=None, group__isnull=False) | models.Q(person__isnull=False, group=None),
                name="kb_topic_member_one_check",
            ),
            models.CheckConstraint(condition=models.Q(role__in=TopicRole.values), name="kb_topic_member_role_check"),
        ]

    def __str__(self) -> str:
        return str(self.person or self.group)


class KeyState(models.TextChoices):
    """Whether a key opens anything, and why not."""

    USABLE = "usable", _("usable")
    REVOKED = "revoked", _("revoked")
    EXPIRED = "expired", _("expired")
    ENDED = "ended", _("ended with its maker's account or role")


MAY_MAKE_KEYS = "topics.add_apikey"


class ApiKey(models.Model):
    """The right of a program to call the API. Only a hash of its secret is kept."""

    name = models.CharField(_("name"), max_length=200)
    prefix = models.CharField(_("prefix"), max_length=8, unique=True, editable=False)
    secret_hash = models.CharField(max_length=64, editable=False)
    admin = models.BooleanField(_("may use the admin paths"), default=False, db_default=False)
    # CASCADE: a key must never outlive its pin and so come to see every topic.
    topic = models.ForeignKey(
        Topic,
        verbose_name=_("pinned to topic"),
        null=True,
        blank=True,
        on_delete=models.CASCADE,
        related_name="api_keys",
    )
    # Whoever leaves, or may make keys no longer, takes the keys along, also those made by hand in a script's name.
    # CASCADE: none comes to life again with its maker's row. None: made on the command line.
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("made by"),
        null=True,
        blank=True,
        editable=False,
        on_delete=models.CASCADE,
        related_name="+",
    )
    # It acts as its maker, and sees what they see.
    personal = models.BooleanField(_("personal"), default=False, db_default=False, editable=False)
    created_at = models.DateTimeField(_("created"), db_default=Now(), editable=False)
    expires_at = models.DateTimeField(_("expires"), null=True, blank=True)
    last_used_at = models.DateTimeField(_("last used"), null=True, blank=True, editable=False)
    revoked_at = models.DateTimeField(_("revoked"), null=True, blank=True, editable=False)

    topic_beside: Topic | None = None  # one that was read in the key's statement; it says nothing of the key

    class Meta:
        db_table = "kb_api_key"
        verbose_name = _("API key")
        verbose_name_plural = _("API keys")
        ordering = ["id"]

    def __str__(self) -> str:
        return f"{self.name} ({self.prefix})"

    @property
    def state(self) -> KeyState:
        """As of now, by the rule of `topics.keys`. Reads the row of `made_by`, and its permissions."""
        if self.revoked_at is not None:
            return KeyState.REVOKED
        if self.expires_at is not None and self.expires_at <= timezone.now():
            return KeyState.EXPIRED
        lets = getattr(self, "maker_lets", None)  # read with a list of keys (`keys.listed_keys`)
        lets = self._ask_maker() if lets is None else lets
        return KeyState.USABLE if lets else KeyState.ENDED

    def _ask_maker(self) -> bool:
        maker = self.made_by
        if maker is None:
            return True
        return maker.is_active and (self.personal or (maker.is_staff and maker.has_perm(MAY_MAKE_KEYS)))

    @property
    def last_day(self) -> date | None:
        """The last day that begins while the key works, in the service's time zone."""
        return timezone.localdate(self.expires_at - timedelta(microseconds=1)) if self.expires_at else None

    def clean(self) -> None:
        require_readable(self.name)
        if self._state.adding and self.expires_at is not None and self.expires_at <= timezone.now():
            raise ValidationError({"expires_at": _("A new key cannot have expired already.")})
