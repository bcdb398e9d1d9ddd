"""Digests: one mail for a person, of all that is due to them, in their language, and sending it."""

import logging
import smtplib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from email.utils import parseaddr
from enum import Enum
from threading import BoundedSemaphore
from typing import Any

from django.conf import settings
from django.core.mail import EmailMultiAlternatives, get_connection
from django.core.mail.backends.base import BaseEmailBackend
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.db.models.functions import Now
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import ngettext

from ingest.webhooks.sending import wait_s
from kb_project.database.connections import release
from keeping.models import Channel, Watch, Watcher
from keeping.watches.notifications.alarms import alarms
from keeping.watches.notifications.lines import Lines
from keeping.watches.notifications.links import stop_path
from keeping.watches.notifications.sender import ToldPart, WatchSender, parts_of

_LETTERS = {Channel.MAIL_NOW: "n", Channel.MAIL_DAILY: "d", Channel.MAIL_WEEKLY: "w"}
FIRST_WAIT_S, MAX_WAIT_S = 60.0, 6 * 3600.0  # after a mail that failed
WEEKLY_ON = 6  # Sunday
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Digest:
    person_id: int
    message: EmailMultiAlternatives


def compose(watcher: Watcher, *, lines: Lines) -> Digest | None:
    """The mail for what a person is to be told now (`sending`), or None if that is nothing.

    What they may see is asked here, right before it is sent.
    """
    with translation.override(watcher.language):
        upto = watcher.sending_id or 0
        parts = parts_of(watcher, lines=lines, since="mailed", upto=upto, channels=watcher.sending)
        if not parts:
            return None
        return Digest(watcher.pk, _message(watcher, parts))


def _message(watcher: Watcher, parts: Sequence[ToldPart]) -> EmailMultiAlternatives:
    root, told = watcher.service.rstrip("/"), alarms((part.name, line) for part in parts for line in part.lines)
    count = len(told) + sum(part.more for part in parts)
    stop = root + stop_path(watcher.pk)
    context = {
        "alarms": told,
        "parts": parts,
        "root": root,
        "page": root + reverse("watches"),
        "stop": stop,
    }
    subject = ngettext("%d piece of news on what you watch", "%d pieces of news on what you watch", count) % count
    message = EmailMultiAlternatives(
        subject,
        render_to_string("watches/mail.txt", context).strip() + "\n",
        to=[watcher.person.email],
        headers={
            "Message-ID": _message_id(watcher),
            "List-Unsubscribe": f"<{stop}>",
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
            "Auto-Submitted": "auto-generated",
        },
    )
    message.attach_alternative(render_to_string("watches/mail.html", context), "text/html")
    return message


def _message_id(watcher: Watcher) -> str:
    """The same when the same mail is sent again, so that a receiver can tell."""
    domain = parseaddr(settings.DEFAULT_FROM_EMAIL)[1].rpartition("@")[2] or "localhost"
    ways = "".join(_LETTERS[Channel(how)] for how in watcher.sending)
    return f"<watch.{watcher.pk}.{watcher.sending_id}.{ways}@{domain}>"


class _Outcome(Enum):
    """What became of a mail: the server took it, or refused this one, or could not be reached."""

    TAKEN = 1
    REFUSED = 2
    AWAY = 3


class Mails(WatchSender[Watcher]):
    """One connection serves a turn. It ends where the server cannot be reached."""

    at_once = BoundedSemaphore(1)
    told = "mailed_id"
    order = ("failures", F("mailed_at").asc(nulls_first=True))
    lease = timedelta(minutes=3)  # more than a mail takes: EMAIL_TIMEOUT is of each answer of the server

    def __init__(self, *, ago: timedelta = timedelta()) -> None:
        super().__init__(ago=ago)
        today = timezone.localtime().replace(hour=settings.KB_WATCH_MAIL_HOUR, minute=0, second=0, microsecond=0)
        daily = today if today <= timezone.now() else today - timedelta(days=1)
        weekly = daily - timedelta(days=(daily.weekday() - WEEKLY_ON) % 7)
        # Since when mails once a day and once a week are due.
        self._daily, self._weekly = daily - ago, weekly - ago
        self._connection = get_connection()

    def due(self) -> QuerySet[Watcher]:
        """Whose mail waits to be sent again, or who may be told of something by a mail that is due."""
        if not settings.EMAIL_URL:
            return Watcher.objects.none()
        unsaid = Watch.objects.filter(watcher=OuterRef("pk"), mailed_id__lt=self.upto)
        wanted = (
            Q(sending_id__isnull=False)
            | Q(Exists(unsaid.filter(how=Channel.MAIL_NOW)))
            | Q(Exists(unsaid.filter(how=Channel.MAIL_DAILY)), daily_at__lt=self._daily)
            | Q(Exists(unsaid.filter(how=Channel.MAIL_WEEKLY)), weekly_at__lt=self._weekly)
        )
        reachable = Watcher.objects.filter(wanted, person__is_active=True).exclude(person__email="")
        return reachable.select_related("person")

    def begin(self, watcher: Watcher) -> Mapping[str, Any]:
        begun = super().begin(watcher)
        return {**begun, "sending": self._hows(watcher)} if begun else begun

    def _hows(self, watcher: Watcher) -> list[str]:
        """The ways of telling that are due to a person."""
        daily = [Channel.MAIL_DAILY] if watcher.daily_at < self._daily else []
        weekly = [Channel.MAIL_WEEKLY] if watcher.weekly_at < self._weekly else []
        return [Channel.MAIL_NOW.value, *(how.value for how in (*daily, *weekly))]

    def serve(self, watcher: Watcher, ends: float) -> int:
        digest = compose(watcher, lines=self.lines)
        outcome = _post(digest, self._connection) if digest else None
        if outcome in (None, _Outcome.TAKEN):
            self._record(watcher, **({"mailed_at": Now()} if outcome else {}))
        else:
            self.put_off(watcher, wait_s(watcher.failures, first_s=FIRST_WAIT_S, longest_s=MAX_WAIT_S))
            self.is_over = outcome is _Outcome.AWAY  # for all, most likely
        return 1

    def _record(self, watcher: Watcher, **noted: Any) -> None:
        if Channel.MAIL_DAILY in watcher.sending:
            noted["daily_at"] = Now()
        if Channel.MAIL_WEEKLY in watcher.sending:
            noted["weekly_at"] = Now()
        watches = Watch.objects.filter(watcher=watcher.pk, how__in=watcher.sending)
        self.record(watcher, watches, sending=[], **noted)

    def close(self) -> None:
        try:
            self._connection.close()
        except (OSError, smtplib.SMTPException):
            log.info("The mail server did not take leave", exc_info=True)


def _post(digest: Digest, connection: BaseEmailBackend) -> _Outcome:
    """Send it, without a connection to the database meanwhile."""
    release()
    try:
        connection.open()
        connection.send_messages([digest.message])
    except (smtplib.SMTPRecipientsRefused, smtplib.SMTPSenderRefused, smtplib.SMTPDataError):
        log.warning("The mail server refuses a mail to watcher %s", digest.person_id, exc_info=True)
        return _Outcome.REFUSED
    except (OSError, smtplib.SMTPException):
        log.warning("A mail to watcher %s could not be sent", digest.person_id, exc_info=True)
        return _Outcome.AWAY
    return _Outcome.TAKEN
