"""Checks: a text is kept for some days with what was found, and classifiers check it. Or it is checked and not kept."""

import logging
import time
from collections.abc import Callable, Collection
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import AnonymousUser
from django.db import DatabaseError, transaction
from django.db.models import F, OuterRef, Subquery
from django.db.models.functions import Left, Now
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _

from answers.checking import verdict_counts
from answers.checking.reading import read_file, recognise
from answers.checking.turns import TooMany, check_turn
from answers.checking.verdicts.check import Progress, check, no_progress
from answers.checking.verdicts.findings import VERDICTS, NotChecked, Outcome, Report, UncheckedPlace
from answers.checking.verdicts.stated.statements import JUDGED_AT_ONCE_S, JUDGED_LATER_S
from answers.models import CheckStatus, TextCheck, is_waiting
from kb_project.database.rows import storable
from kb_project.errors import ApiError, Conflict, NotFound
from kb_project.llm.roles import CHECKING
from sources.scope import Scope

MAX_LENGTH_AT_ONCE = 40_000  # characters of a text that is waited for
MAX_AT_ONCE_BYTES = 256 * 1024  # bytes of a file
MAX_WAITING, MAX_WAITING_OF_ONE = 200, 20  # of all, and of one person, key or address
READ_AT_ONCE_S = 20.0  # a file, where nothing is kept
GIVEN_UP_AFTER = timedelta(hours=1)  # where it stalls each time
PROGRESS_EVERY_S = 1.0
MAX_REMARK_LENGTH = 2_000
MAX_LISTED, MAX_NAME_LENGTH = 30, 120  # of one's own checks, and characters of a text that name one
logger = logging.getLogger(__name__)


@dataclass(frozen=True, kw_only=True)
class CheckRequest:
    """What is to be checked: a text, or a file with its name.

    `client` is the person, key or address that takes turns.
    """

    text: str = ""
    file: bytes | None = None
    filename: str = ""
    scope: Scope
    day_of_document: bool = False
    by: str
    client: str = ""

    @property
    def is_short(self) -> bool:
        return len(self.text) <= MAX_LENGTH_AT_ONCE and len(self.file or b"") <= MAX_AT_ONCE_BYTES


def owner_of(user: AbstractBaseUser | AnonymousUser) -> str:
    """Whose a check is."""
    return user.get_username() or "anonymous"


def begin(asked: CheckRequest) -> TextCheck:
    """The check, which waits for a classifier.

    With `KB_CHECK_DAYS` 0 nothing is stored, so it is done here, however long that takes. Raises ApiError for a file
    that cannot be read, and TooMany where too many wait already.
    """
    one = TextCheck(
        by=asked.by,
        turn_of=_turn_of(asked.client or asked.by),
        topic_id=asked.scope.topic_id,
        within=None if asked.scope.within is None else list(asked.scope.within),
        as_of=asked.scope.as_of or timezone.localdate(),
        day_of_document=asked.day_of_document,
        filename=storable(asked.filename)[:200],
        file=asked.file,
        text=storable(asked.text),
        at=timezone.now(),
    )
    if not settings.KB_CHECK_DAYS:
        _finish(one, read_within_s=READ_AT_ONCE_S, turn=check_turn)
        one.status = CheckStatus.DONE.value
        return one
    if asked.file is not None:
        recognise(asked.file, filename=asked.filename)
    waiting = TextCheck.objects.filter(status=CheckStatus.QUEUED)
    for some, most in ((waiting, MAX_WAITING), (waiting.filter(turn_of=one.turn_of), MAX_WAITING_OF_ONE)):
        if some[:most].count() == most:
            raise TooMany(_("Too many texts are being checked. Try again in a moment."))
    one.save(force_insert=True)
    return one


def _turn_of(client: str) -> str:
    return salted_hmac("answers.checking", client).hexdigest()


def _finish(
    one: TextCheck,
    *,
    read_within_s: float | None = None,
    judged_within_s: float = JUDGED_AT_ONCE_S,
    on_progress: Progress = no_progress,
    turn: Callable[[], AbstractContextManager[object]],
) -> None:
    """Read the file, if there is one, and check the text."""
    unread = False
    if one.file is not None and not one.text:
        read = read_file(bytes(one.file), filename=one.filename, timeout_s=read_within_s)
        one.text, unread = storable(read.text), read.unread
    report = check(
        one.text,
        scope=Scope(topic_id=one.topic_id, within=None if one.within is None else tuple(one.within), as_of=one.as_of),
        day_of_document=one.day_of_document,
        on_progress=on_progress,
        judged_within_s=judged_within_s,
        turn=turn,
    )
    if unread:
        report = _with_unread(report)
    one.as_of, one.report = report.as_of, report.as_json()


def _with_unread(report: Report) -> Report:
    unread = UncheckedPlace(start=0, end=0, why=NotChecked.PAGE_NOT_READ.value)
    return replace(report, not_checked=[unread, *report.not_checked])


def are_waiting() -> bool:
    """Whether there is one that nobody does."""
    return TextCheck.objects.filter(is_waiting()).exists()


def run_next(*, hint: Callable[[], object]) -> UUID | None:
    """Do the next check, if it is this process's turn. Returns the id of the one that has ended.

    Of those that wait it is one of whoever had no turn for the longest time, and of theirs the first.

    While models are waited for the turn is another's: `hint` is called before.
    """
    with ExitStack() as turn:
        try:
            turn.enter_context(check_turn(within_s=0))
        except TooMany:
            return None
        one = _claimed()
        if one is None:
            return None
        if CHECKING.models():
            turn.callback(hint)
        _run(one, turn=turn)
    return one.pk


@transaction.atomic
def _claimed() -> TextCheck | None:
    waiting = TextCheck.objects.filter(is_waiting()).select_for_update(skip_locked=True, of=("self",))
    had = TextCheck.objects.filter(turn_of=OuterRef("turn_of")).exclude(status=CheckStatus.QUEUED)
    last_turn = Subquery(had.order_by("-progress_at").values("progress_at")[:1])
    one = waiting.annotate(last_turn=last_turn).order_by(F("last_turn").asc(nulls_first=True), "at").first()
    if one is not None:
        TextCheck.objects.filter(pk=one.pk).update(status=CheckStatus.RUNNING.value, progress_at=Now())
    return one


def _run(one: TextCheck, *, turn: ExitStack) -> None:
    noted = 0.0

    def note(done: int, total: int) -> None:
        nonlocal noted
        if time.monotonic() - noted >= PROGRESS_EVERY_S:
            TextCheck.objects.filter(pk=one.pk).update(done=done, total=total, progress_at=Now())
            noted = time.monotonic()

    try:
        _finish(one, judged_within_s=JUDGED_LATER_S, on_progress=note, turn=lambda: turn)
    except ApiError as refusal:
        one.status, one.error = CheckStatus.FAILED.value, refusal.detail
    except DatabaseError:
        raise  # it is begun anew when it has stalled
    except Exception:
        logger.exception("The check %s failed", one.pk)
        one.status, one.error = CheckStatus.FAILED.value, _("The check failed. The log of the service says why.")
    else:
        one.status = CheckStatus.DONE.value
    with transaction.atomic():
        one.save(update_fields=["status", "error", "text", "as_of", "report"])
        verdict_counts.count_findings(one)


def forget_old() -> int:
    """Delete what was kept for `KB_CHECK_DAYS`. Returns how many."""
    oldest = timezone.now() - timedelta(days=settings.KB_CHECK_DAYS)
    return TextCheck.objects.filter(at__lt=oldest).delete()[0]


def give_up_lost() -> int:
    """Say of each check that was begun long ago, and that nobody does, that it failed. Returns how many."""
    lost = TextCheck.objects.filter(is_waiting(), at__lt=timezone.now() - GIVEN_UP_AFTER)
    error = _("The program that checked this text ended each time. Send a part of it.")
    return lost.filter(status=CheckStatus.RUNNING.value).update(status=CheckStatus.FAILED.value, error=error)


def find(check_id: UUID, *, by: str, within: Collection[int] | None) -> TextCheck:
    """A check of one's own. Raises NotFound for others', forgotten ones, and those of topics that are not seen."""
    one = TextCheck.objects.filter(pk=check_id, by=by).first()
    of = None if one is None else [one.topic_id] if one.topic_id else one.within
    if one is None or (within is not None and (of is None or not set(of) <= set(within))):
        raise NotFound(_("There is no such check, or it was made too long ago."))
    return one


@dataclass(frozen=True, kw_only=True)
class ListedCheck:
    """A check in the list of one's own. `wrong` and `total` count its items, None where it is not done."""

    pk: UUID
    name: str
    at: datetime
    state: str
    wrong: int | None
    total: int


def own(user: AbstractBaseUser | AnonymousUser, *, within: Collection[int] | None) -> list[ListedCheck]:
    """A person's checks, the latest first. Those of nobody are nobody's list."""
    if not user.is_authenticated:
        return []
    rows = (
        TextCheck.objects.filter(by=owner_of(user))
        .order_by("-at")
        .values_list(
            "pk", "filename", Left("text", MAX_NAME_LENGTH), "at", "status", "report__counts", "topic_id", "within"
        )
    )
    found = []
    for pk, filename, text, at, status, counts, topic_id, topics in rows[:MAX_LISTED]:
        of = [topic_id] if topic_id else topics
        if within is not None and (of is None or not set(of) <= set(within)):
            continue
        outcomes = None if counts is None else counts.get("outcomes", {})
        name = filename or text.strip().partition("\n")[0] or _("Check of a text")
        wrong = None if outcomes is None else outcomes.get(Outcome.WRONG.value, 0)
        state = str(CheckStatus(status).label)
        found.append(
            ListedCheck(pk=pk, name=name, at=at, state=state, wrong=wrong, total=sum((outcomes or {}).values()))
        )
    return found


def overrule(one: TextCheck, *, finding: str, remark: str) -> None:
    """Note that a verdict is held wrong, and why. Without a remark it stands again. Both are counted."""
    kind, _colon, place = finding.partition(":")
    with transaction.atomic():
        one = TextCheck.objects.select_for_update().get(pk=one.pk)
        report: dict[str, Any] = one.report or {}
        if kind not in VERDICTS or not place.isdecimal() or int(place) >= len(report.get(kind, ())):
            raise Conflict(_("The report has no such finding."))
        was = one.remarks.pop(finding, None) is not None
        if remark.strip():
            one.remarks[finding] = storable(remark.strip())[:MAX_REMARK_LENGTH]
        one.save(update_fields=["remarks"])
        if times := (finding in one.remarks) - was:
            verdict = report[kind][int(place)]["verdict"]
            verdict_counts.count_overruled(one, kind=kind, verdict=verdict, times=times)
