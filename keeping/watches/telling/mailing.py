"""Sending digests: one mail for a person, of all that is due to them (`keeping.watches.telling.leases`)."""

import logging
import smtplib
import time
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum
from threading import BoundedSemaphore

from django.conf import settings
from django.core.mail import get_connection
from django.core.mail.backends.base import BaseEmailBackend
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.db.models.functions import Now
from django.utils import timezone

from ingest.webhooks.sending import wait_s
from kb_project.database.connections import release
from keeping.models import How, Watch, Watcher
from keeping.watches.newest import newest_id
from keeping.watches.telling import leases
from keeping.watches.telling.digest import Digest, compose
from keeping.watches.telling.lines import Lines

TURN_S = 20.0
LEASE = timedelta(minutes=3)  # more than a mail takes: EMAIL_TIMEOUT is of each answer of the server
FIRST_WAIT_S, LONGEST_WAIT_S = 60.0, 6 * 3600.0  # after a mail that failed
WEEKLY_ON = 6  # Sunday
_senders = BoundedSemaphore(1)
log = logging.getLogger(__name__)


class _Outcome(Enum):
    """What became of a mail: the server took it, or refused this one, or could not be reached."""

    TAKEN = 1
    REFUSED = 2
    AWAY = 3


@dataclass(frozen=True, slots=True)
class _Turn:
    """What is due now: up to which event, and since when mails once a day and once a week are."""

    upto: int
    daily: datetime
    weekly: datetime

    @classmethod
    def now(cls) -> "_Turn":
        today = timezone.localtime().replace(hour=settings.KB_WATCH_MAIL_HOUR, minute=0, second=0, microsecond=0)
        daily = today if today <= timezone.now() else today - timedelta(days=1)
        weekly = daily - timedelta(days=(daily.weekday() - WEEKLY_ON) % 7)
        return cls(newest_id(settled_s=leases.SETTLED_S), daily, weekly)

    def due(self) -> QuerySet[Watcher]:
        """Whose mail waits to be sent again, or who may be told of something by a mail that is due."""
        unsaid = Watch.objects.filter(watcher=OuterRef("pk"), mailed_id__lt=self.upto)
        wanted = (
            Q(sending_id__isnull=False)
            | Q(Exists(unsaid.filter(how=How.MAIL_NOW)))
            | Q(Exists(unsaid.filter(how=How.MAIL_DAILY)), daily_at__lt=self.daily)
            | Q(Exists(unsaid.filter(how=How.MAIL_WEEKLY)), weekly_at__lt=self.weekly)
        )
        return Watcher.objects.filter(wanted, person__is_active=True).exclude(person__email="")

    def take(self) -> Watcher | None:
        """Somebody to whom a mail is due, for the length of a lease."""
        due = self.due().select_related("person")
        return leases.take(due, last="mailed_at", lease=LEASE, begin=self._begin)

    def _begin(self, watcher: Watcher) -> dict[str, object]:
        return {"sending_id": self.upto, "sending": self._hows(watcher)}

    def _hows(self, watcher: Watcher) -> list[str]:
        """The ways of telling that are due to a person."""
        daily = [How.MAIL_DAILY] if watcher.daily_at < self.daily else []
        weekly = [How.MAIL_WEEKLY] if watcher.weekly_at < self.weekly else []
        return [How.MAIL_NOW.value, *(how.value for how in (*daily, *weekly))]


def is_due() -> bool:
    return bool(settings.EMAIL_URL) and leases.free(_Turn.now().due()).exists()


def late() -> int:
    """How many people wait for a mail that nobody has tried to send for an hour."""
    if not settings.EMAIL_URL:
        return 0
    turn = _Turn.now()
    old = _Turn(newest_id(settled_s=leases.LATE.total_seconds()), turn.daily - leases.LATE, turn.weekly - leases.LATE)
    return leases.untried(old.due()).count()


def send(*, turn_s: float = TURN_S) -> int:
    """Send what is due, for about `turn_s` seconds. Returns how many people were looked at.

    One connection serves a turn. It ends where the server cannot be reached.
    """
    if not settings.EMAIL_URL or not _senders.acquire(blocking=False):
        return 0
    try:
        return _send(turn_s)
    finally:
        _senders.release()


def _send(turn_s: float) -> int:
    ends, done, turn, lines = time.monotonic() + turn_s, 0, _Turn.now(), Lines(words=True)
    connection = get_connection()
    try:
        while time.monotonic() < ends and (watcher := turn.take()):
            done += 1
            digest = compose(watcher, lines=lines)
            if digest is None:
                _record(watcher)
                continue
            outcome = _post(digest, connection)
            if outcome is _Outcome.TAKEN:
                _record(watcher, mailed_at=Now())
                continue
            leases.put_off(watcher, wait_s(watcher.failures, first_s=FIRST_WAIT_S, longest_s=LONGEST_WAIT_S))
            if outcome is _Outcome.AWAY:
                break  # for all, most likely
        return done
    finally:
        try:
            connection.close()
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


def _record(watcher: Watcher, **told: object) -> None:
    if How.MAIL_DAILY in watcher.sending:
        told["daily_at"] = Now()
    if How.MAIL_WEEKLY in watcher.sending:
        told["weekly_at"] = Now()
    watches = Watch.objects.filter(watcher=watcher.pk, how__in=watcher.sending)
    leases.record(watcher, watches, column="mailed_id", sending=[], **told)
