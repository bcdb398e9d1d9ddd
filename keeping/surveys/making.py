"""Asking for surveys, and making those that wait: one at a time in a process, under a claim.

Those that a model reads take turns, one of them at a time over all machines, and go on where they were.
"""

import logging
import time
from collections.abc import Mapping
from datetime import date, timedelta
from typing import Any
from uuid import uuid4

from django.conf import settings
from django.db import DatabaseError, transaction
from django.db.models import F, Q
from django.db.models.functions import Now
from django.utils.translation import gettext as _

from answers.models import CheckStatus, is_waiting
from kb_project.database.rows import fetch
from kb_project.errors import ApiError, Conflict, Invalid
from kb_project.hints import send_hint
from keeping.models import Survey, SurveyOutcome, SurveyReading
from keeping.surveys.reading.by_model import MAX_READ, ReadPart, TurnOver, read_more
from keeping.surveys.reading.surveying import documents_of, scope_of_survey, survey
from keeping.surveys.reading.units import count_units
from keeping.tables.reading.by_model import has_models
from keeping.tables.reading.document import CellReason, PutOff
from law.questions.surveyed import surveyed_rules
from search.retrieval import parse_query
from topics.models import Topic

MAX_SURVEYS = 200  # of a topic
MAX_WAITING = 20  # of a topic
MAX_READ_AT_ONCE = 3  # of a person and topic, that a model reads
MAX_ATTEMPTS = 3
UNFINISHED = (CheckStatus.QUEUED, CheckStatus.RUNNING)
MAX_DESCRIPTION_LENGTH = 500
PROGRESS_EVERY_S = 1.0
_LOCK = 0x6B62_7375_7276
log = logging.getLogger(__name__)


class ClaimLost(Exception):
    """Another process makes the survey, or it was paused or deleted."""


def begin(
    description: str,
    *,
    topic: Topic,
    by: str,
    rows: Mapping[str, Any],
    as_of: date | None = None,
    by_model: bool | None = None,
) -> Survey:
    """A survey that waits. A model reads if `by_model`, by default if there is one.

    Raises Conflict, and Invalid for a description without words, or where no model is there or there is too much.
    """
    parse_query(description)
    rules = surveyed_rules(description)
    if not (rules.names or rules.rest):
        sentence = _("No word of the description tells what to look for.")
        raise Invalid(sentence, errors={"description": [sentence]})
    if by_model and not has_models():
        sentence = _("No model is configured that could read provisions.")
        raise Invalid(sentence, errors={"by_model": [sentence]})
    by_model = has_models() if by_model is None else by_model
    one = Survey(topic=topic, by=by, description=description, rows=dict(rows), as_of=as_of, by_model=by_model)
    if by_model:
        _documents_to_read(one)
    with transaction.atomic():
        _look_for_room(topic)
        _look_for_turn(one)
        one.save(force_insert=True)
        transaction.on_commit(hint, robust=True)
    return one


def _documents_to_read(one: Survey) -> list[int]:
    """What a model is to read. Raises Invalid where it is too much."""
    scope = scope_of_survey(one)
    ids = documents_of(scope)[0]
    if count_units(ids, scope=scope) > MAX_READ:
        sentence = _("A model reads 20,000 provisions of a survey at most. Narrow its documents.")
        raise Invalid(sentence, errors={"rows": [sentence]})
    return ids


def _look_for_room(topic: Topic) -> None:
    """Raises Conflict."""
    Topic.objects.select_for_update(no_key=True).get(pk=topic.pk)
    there = Survey.objects.filter(topic=topic)
    if there.count() >= MAX_SURVEYS or there.filter(status=CheckStatus.QUEUED).count() >= MAX_WAITING:
        raise Conflict(_("The topic has as many surveys as it can have. Delete one, or wait for one."))


def _look_for_turn(one: Survey) -> None:
    """Raises Conflict where a model reads for `MAX_READ_AT_ONCE` others of the person."""
    others = Survey.objects.filter(topic=one.topic_id, by=one.by, by_model=True, paused=False).exclude(pk=one.pk)
    if one.by_model and others.filter(status__in=UNFINISHED).count() >= MAX_READ_AT_ONCE:
        raise Conflict(_("A model reads for other surveys of yours. Wait until one of them is done."))


def repeat(one: Survey) -> None:
    """Make it again. What a model read already, and did not change, is not read again. Raises Conflict."""
    with transaction.atomic():
        held = Survey.objects.select_for_update(no_key=True).get(pk=one.pk)
        if held.status in UNFINISHED:
            raise Conflict(_("The survey is being made."))
        Topic.objects.select_for_update(no_key=True).get(pk=held.topic_id)
        _look_for_turn(held)
        SurveyReading.objects.filter(survey=held, outcome=SurveyOutcome.FAILED).delete()
        anew = {
            "status": CheckStatus.QUEUED.value,
            "progress_at": Now(),
            "round": F("round") + 1,
            "error": "",
            "why": "",
        }
        count = {"attempts": 0, "done": 0, "total": 0, "read_to": 0, "calls": 0, "tokens": 0}
        Survey.objects.filter(pk=one.pk).update(**anew, **count, next_at=None, paused=False)
        transaction.on_commit(hint, robust=True)


def pause(one: Survey, *, paused: bool) -> None:
    """Stop making it once its turn ends, or go on with what was read. Raises Conflict where it is not being made."""
    unfinished = Survey.objects.filter(pk=one.pk, status__in=UNFINISHED)
    if not unfinished.update(paused=paused) and paused:
        raise Conflict(_("The survey is not being made."))
    if not paused:
        Survey.objects.filter(pk=one.pk, status=CheckStatus.QUEUED).update(next_at=None, attempts=0, why="")
        transaction.on_commit(hint, robust=True)


def hint() -> None:
    """Have a classifier look. Beat looks too, where the broker is away."""
    send_hint(settings.KB_SURVEY_TASK, expires=60.0)


def _due() -> Q:
    return is_waiting() & Q(paused=False) & (Q(next_at=None) | Q(next_at__lte=Now()))


def are_waiting() -> bool:
    return Survey.objects.filter(_due()).exists()


def run_next() -> bool:
    """Make the next survey, or read more of it. Returns False where none waits."""
    one = _claimed()
    if one is None:
        return False
    progress = _Progress(one)
    try:
        if one.by_model:
            ids = _documents_to_read(one)
            progress.total = len(ids)
            read_more(one, ids, scope=scope_of_survey(one), on_progress=progress.read)
        one.refresh_from_db(fields=["calls", "tokens"])
        report = survey(one, on_progress=progress)
    except ClaimLost:
        return True
    except TurnOver:
        _record(one, status=CheckStatus.QUEUED, attempts=0)
    except PutOff as why:
        _put_off(one, why)
    except ApiError as refusal:
        _record(one, status=CheckStatus.FAILED, error=refusal.detail)
    except DatabaseError:
        raise  # it is begun anew when it has stalled
    except Exception:
        log.exception("The survey %s failed", one.pk)
        _record(one, status=CheckStatus.FAILED, error=_("The survey failed. The log of the service says why."))
    else:
        _record(one, status=CheckStatus.DONE, report=report, why="", error="")
    return True


@transaction.atomic
def _claimed() -> Survey | None:
    """The one that waits longest. Of those that a model reads none while another is read."""
    fetch("SELECT pg_advisory_xact_lock(%s::bigint)", [_LOCK])
    waiting = Survey.objects.filter(_due())
    if Survey.objects.filter(by_model=True, status=CheckStatus.RUNNING).exclude(is_waiting()).exists():
        waiting = waiting.filter(by_model=False)
    waiting = waiting.select_related("topic").select_for_update(skip_locked=True, of=("self",))
    one = waiting.order_by("progress_at", "at", "pk").first()
    if one is None:
        return None
    one.claim = uuid4()
    if one.attempts >= MAX_ATTEMPTS:
        error = _("The program that made this survey ended each time.")
        Survey.objects.filter(pk=one.pk).update(status=CheckStatus.FAILED.value, error=error, claim=None)
        return None
    changed = {"status": CheckStatus.RUNNING.value, "claim": one.claim, "progress_at": Now(), "next_at": None}
    Survey.objects.filter(pk=one.pk).update(**changed, attempts=F("attempts") + 1)
    one.attempts += 1
    return one


class _Progress:
    """Notes how many documents were read, every second or so, and every part that a model read."""

    def __init__(self, one: Survey) -> None:
        self._one = one
        self._mine, self._noted, self.total = Survey.objects.filter(pk=one.pk, claim=one.claim), 0.0, 0

    def __call__(self, done: int, total: int) -> None:
        if time.monotonic() - self._noted >= PROGRESS_EVERY_S:
            self._note(done=done, total=total)

    def read(self, done: int, part: ReadPart | None) -> None:
        if part is None:
            self._note(done=done, total=self.total, read_to=self._one.read_to)
            return
        spent: dict[str, Any] = {
            "calls": F("calls") + part.usage.calls,
            "tokens": F("tokens") + part.usage.tokens,
        }
        if part.said:
            spent |= {"attempts": 1, "why": ""}
            self._one.attempts = 1
        self._note(done=done, total=self.total, **spent)

    def _note(self, **values: Any) -> None:
        if not self._mine.update(**values, progress_at=Now()):
            raise ClaimLost
        self._noted = time.monotonic()


def _put_off(one: Survey, why: PutOff) -> None:
    """Try again later. After `MAX_ATTEMPTS` in which nothing was read it has failed, and can be gone on with."""
    attempts = one.attempts - int(why.is_free)
    if attempts >= MAX_ATTEMPTS:
        _record(one, status=CheckStatus.FAILED, error=str(CellReason(why.why).label), why=why.why.value)
        return
    later = {"next_at": Now() + timedelta(seconds=why.seconds), "attempts": attempts, "why": why.why.value}
    _record(one, status=CheckStatus.QUEUED, **later)


def _record(one: Survey, **values: Any) -> None:
    Survey.objects.filter(pk=one.pk, claim=one.claim).update(**values, claim=None, progress_at=Now())
