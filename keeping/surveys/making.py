"""Asking for a survey, and making those that wait: one at a time in a process, under a claim."""

import logging
import time
from collections.abc import Mapping
from typing import Any
from uuid import UUID, uuid4

from django.conf import settings
from django.db import DatabaseError, transaction
from django.db.models import F
from django.db.models.functions import Now
from django.utils.translation import gettext as _

from answers.models import CheckStatus, is_waiting
from kb_project.errors import ApiError, Conflict
from kb_project.hints import send_hint
from keeping.models import Survey
from keeping.surveys.surveying import survey
from search.retrieval import parse_query
from topics.models import Topic

MAX_SURVEYS = 200  # of a topic
MAX_WAITING = 20  # of a topic
MAX_ATTEMPTS = 3
MAX_DESCRIPTION_LENGTH = 500
PROGRESS_EVERY_S = 1.0
log = logging.getLogger(__name__)


class ClaimLost(Exception):
    """Another process makes the survey, or it was deleted."""


def begin(description: str, *, topic: Topic, by: str, rows: Mapping[str, Any]) -> Survey:
    """A survey that waits. Raises Conflict, and Invalid for a description without words."""
    parse_query(description)
    with transaction.atomic():
        Topic.objects.select_for_update(no_key=True).get(pk=topic.pk)
        there = Survey.objects.filter(topic=topic)
        if there.count() >= MAX_SURVEYS or there.filter(status=CheckStatus.QUEUED).count() >= MAX_WAITING:
            raise Conflict(_("The topic has as many surveys as it can have. Delete one, or wait for one."))
        one = Survey.objects.create(topic=topic, by=by, description=description, rows=dict(rows))
        transaction.on_commit(hint, robust=True)
    return one


def hint() -> None:
    """Have a classifier look. Beat looks too, where the broker is away."""
    send_hint(settings.KB_SURVEY_TASK, expires=60.0)


def are_waiting() -> bool:
    return Survey.objects.filter(is_waiting()).exists()


def run_next() -> bool:
    """Make the next survey. Returns False where none waits."""
    one = _claimed()
    if one is None:
        return False
    claim = one.claim
    try:
        report = survey(one, on_progress=_Progress(one.pk, claim))
    except ClaimLost:
        return True
    except ApiError as refusal:
        _record(one, claim, status=CheckStatus.FAILED, error=refusal.detail)
    except DatabaseError:
        raise  # it is begun anew when it has stalled
    except Exception:
        log.exception("The survey %s failed", one.pk)
        _record(one, claim, status=CheckStatus.FAILED, error=_("The survey failed. The log of the service says why."))
    else:
        _record(one, claim, status=CheckStatus.DONE, report=report)
    return True


@transaction.atomic
def _claimed() -> Survey | None:
    waiting = Survey.objects.filter(is_waiting())
    one = waiting.select_for_update(skip_locked=True, of=("self",)).order_by("at", "pk").first()
    if one is None:
        return None
    one.claim = uuid4()
    if one.attempts >= MAX_ATTEMPTS:
        error = _("The program that made this survey ended each time.")
        Survey.objects.filter(pk=one.pk).update(status=CheckStatus.FAILED.value, error=error, claim=None)
        return None
    changed = {"status": CheckStatus.RUNNING.value, "claim": one.claim, "progress_at": Now()}
    Survey.objects.filter(pk=one.pk).update(**changed, attempts=F("attempts") + 1)
    return one


class _Progress:
    """Notes how many documents were read, every second or so."""

    def __init__(self, pk: UUID, claim: UUID | None) -> None:
        self._mine, self._noted = Survey.objects.filter(pk=pk, claim=claim), 0.0

    def __call__(self, done: int, total: int) -> None:
        if time.monotonic() - self._noted >= PROGRESS_EVERY_S:
            if not self._mine.update(done=done, total=total, progress_at=Now()):
                raise ClaimLost
            self._noted = time.monotonic()


def _record(one: Survey, claim: UUID | None, **values: Any) -> None:
    Survey.objects.filter(pk=one.pk, claim=claim).update(**values, claim=None, progress_at=Now())
