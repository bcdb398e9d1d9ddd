"""Sending digests: one mail for a person, of all that is due to them.

A process takes a person for the length of a lease, notes up to which event the mail tells, sends it without a
connection to the database, and records it. One that is killed before it recorded leaves the note: when the lease has
ended the same mail is sent again, under the same Message-ID. So each mail arrives at least once, and twice only where
the kill came between the answer of the mail server and the record.
"""

import logging
import smtplib
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum
from threading import BoundedSemaphore

from django.conf import settings
from django.core.mail import get_connection
from django.core.mail.backends.base import BaseEmailBackend
from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.db.models.functions import Now
from django.utils import timezone

from kb_project.database.connections import release
from keeping.models import How, Watch, Watcher
from keeping.watches.newest import newest_id
from keeping.watches.telling.digest import Digest, compose
from keeping.watches.telling.lines import Lines

TURN_S = 20.0
LEASE = timedelta(minutes=3)  # more than a mail takes: EMAIL_TIMEOUT is of each answer of the server
SETTLED_S = 30.0  # after an event: what is published together is told together
FIRST_WAIT_S, LONGEST_WAIT_S = 60.0, 6 * 3600.0  # after a mail that failed
WEEKLY_ON = 6  # Sunday
LATE = timedelta(hours=1)
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
        return cls(newest_id(settled_s=SETTLED_S), daily, weekly)

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

    def hows(self, watcher: Watcher) -> list[str]:
        """The ways of telling that are due to a person."""
        daily = [How.MAIL_DAILY] if watcher.daily_at < self.daily else []
        weekly = [How.MAIL_WEEKLY] if watcher.weekly_at < self.weekly else []
        return [How.MAIL_NOW.value, *(how.value for how in (*daily, *weekly))]


def is_due() -> bool:
    return bool(settings.EMAIL_URL) and _free(_Turn.now().due()).exists()


def late() -> int:
    """How many people wait for a mail that nobody has tried to send for an hour."""
    if not settings.EMAIL_URL:
        return 0
    turn = _Turn.now()
    old = _Turn(newest_id(settled_s=LATE.total_seconds()), turn.daily - LATE, turn.weekly - LATE)
    return old.due().filter(Q(held_until=None) | Q(held_until__lt=Now() - LATE)).count()


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
    ends, done, turn, lines = time.monotonic() + turn_s, 0, _Turn.now(), Lines()
    connection = get_connection()
    try:
        while time.monotonic() < ends and (watcher := _take(turn)):
            done += 1
            digest = compose(watcher, lines=lines)
            if digest is None:
                _record(watcher, mailed=False)
                continue
            outcome = _post(digest, connection)
            if outcome is _Outcome.TAKEN:
                _record(watcher, mailed=True)
                continue
            _put_off(watcher)
            if outcome is _Outcome.AWAY:
                break  # for all, most likely
        return done
    finally:
        try:
            connection.close()
        except (OSError, smtplib.SMTPException):
            log.info("The mail server did not take leave", exc_info=True)


def _free(watchers: QuerySet[Watcher]) -> QuerySet[Watcher]:
    return watchers.filter(Q(held_until=None) | Q(held_until__lt=Now()))


@transaction.atomic
def _take(turn: _Turn) -> Watcher | None:
    """The person to whom nothing was sent for longest, with what the mail is to tell noted."""
    free = _free(turn.due()).select_for_update(skip_locked=True, no_key=True, of=("self",))
    watcher = free.select_related("person").order_by(F("mailed_at").asc(nulls_first=True), "pk").first()
    if watcher is None:
        return None
    if watcher.sending_id is None:
        watcher.sending_id, watcher.sending = turn.upto, turn.hows(watcher)
    watcher.held_until = Now() + LEASE
    watcher.save(update_fields=["sending_id", "sending", "held_until"])
    watcher.refresh_from_db(fields=["held_until"])
    return watcher


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


@transaction.atomic
def _record(watcher: Watcher, *, mailed: bool) -> None:
    """Note that what was to be told is told, unless the lease has ended and another process has the person."""
    held = Watcher.objects.filter(pk=watcher.pk, held_until=watcher.held_until)
    told: dict[str, object] = {"sending_id": None, "sending": [], "held_until": None, "failures": 0}
    if How.MAIL_DAILY in watcher.sending:
        told["daily_at"] = Now()
    if How.MAIL_WEEKLY in watcher.sending:
        told["weekly_at"] = Now()
    if mailed:
        told["mailed_at"] = Now()
    if held.update(**told):
        _watches(watcher.pk, watcher.sending).filter(mailed_id__lt=watcher.sending_id).update(
            mailed_id=watcher.sending_id
        )


def _watches(person_id: int, hows: Sequence[str]) -> QuerySet[Watch]:
    return Watch.objects.filter(watcher=person_id, how__in=hows)


def _put_off(watcher: Watcher) -> None:
    """Try again later, longer after each failure. What is to be told is kept."""
    wait = timedelta(seconds=min(FIRST_WAIT_S * 2 ** min(watcher.failures, 20), LONGEST_WAIT_S))
    held = Watcher.objects.filter(pk=watcher.pk, held_until=watcher.held_until)
    held.update(held_until=Now() + wait, failures=F("failures") + 1)
