"""What a person did last on the screens of review and library, and how it is taken back.

It is kept in their session, the newest last. Whether it can still be taken back, the verbs decide.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

from django.contrib import messages
from django.contrib.sessions.backends.base import SessionBase
from django.http import HttpRequest
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext_lazy

from ingest.decide.discard import TAKEN_BACK_WITHIN
from ingest.decide.reopen import withdraw
from ingest.decide.retry import take_back
from ingest.documents.trash import restore
from ingest.jobs.claims import WORKER
from ingest.models import Job, JobEvent
from ingest.review.bulk import BulkResult, SkippedJob
from kb_project.errors import ApiError
from kb_project.isolates import safe_message
from sources.models import TrashedSource
from topics.access import Topics

KEY = "undo"
MAX_ACTS = 20
MAX_THINGS = 1000  # of all acts: a session is read with every request
WHILE_HERE = timedelta(minutes=30)


@dataclass(frozen=True, slots=True)
class UndoVerb:
    """How acts of one kind are told and taken back. `one` is the sentence of a single thing, which it names."""

    needs: str
    within: timedelta
    back: Callable[..., object]
    one: str | Promise
    many: Promise
    undone: Promise


VERBS = {
    "confirm": UndoVerb(
        needs="ingest.change_job",
        within=WHILE_HERE,
        back=withdraw,
        one=gettext_lazy("Confirmed: %(name)s"),
        many=ngettext_lazy("%d file was confirmed.", "%d files were confirmed."),
        undone=ngettext_lazy(
            "Undone: %d file awaits review again. No search finds it.",
            "Undone: %d files await review again. No search finds them.",
        ),
    ),
    "discard": UndoVerb(
        needs="ingest.change_job",
        within=TAKEN_BACK_WITHIN,
        back=take_back,
        one=gettext_lazy("Discarded: %(name)s"),
        many=ngettext_lazy("%d file was discarded.", "%d files were discarded."),
        undone=ngettext_lazy("Undone: %d file was taken back.", "Undone: %d files were taken back."),
    ),
    "delete": UndoVerb(
        needs="sources.delete_source",
        within=WHILE_HERE,
        back=restore,
        one=gettext_lazy("Deleted: %(name)s"),
        many=ngettext_lazy("%d source was deleted.", "%d sources were deleted."),
        undone=ngettext_lazy(
            "Undone: %d source was put back. It can be searched again in a moment.",
            "Undone: %d sources were put back. They can be searched again in a moment.",
        ),
    ),
}


@dataclass(frozen=True, slots=True)
class UndoableAct:
    """What was done at once to jobs or sources. `to` is the page that undoing it leads to."""

    key: str
    verb: str
    things: list[str]
    name: str
    to: str
    at: float

    @property
    def how(self) -> UndoVerb:
        return VERBS[self.verb]

    @property
    def said(self) -> str:
        """What was done, in a sentence."""
        if len(self.things) == 1:
            return safe_message(str(self.how.one), name=self.name)
        return str(self.how.many % len(self.things))

    @property
    def is_old(self) -> bool:
        return not 0 <= time.time() - self.at < self.how.within.total_seconds()


def tell(request: HttpRequest, verb: str, things: Iterable[object], *, name: str, to: str) -> None:
    """Say what was just done, and note it so that it can be taken back. Too many things are not noted."""
    act = UndoableAct(uuid4().hex, verb, [str(thing) for thing in things], str(name), to, time.time())
    if not act.things:
        return
    messages.success(request, act.said)
    acts = [*_acts(request.session), act][-MAX_ACTS:]
    while sum(len(one.things) for one in acts) > MAX_THINGS:
        acts = acts[1:]
    _keep(request.session, acts)


def undoable(request: HttpRequest, *, within: str) -> UndoableAct | None:
    """What the reader did last and may take back, of what was done on the pages whose path begins with `within`."""
    acts = (act for act in reversed(_acts(request.session)) if act.to.startswith(within))
    return next((act for act in acts if request.user.has_perm(act.how.needs)), None)


def take_out(session: SessionBase, key: str) -> UndoableAct | None:
    """The act of that key, which is then not remembered any more."""
    acts = _acts(session)
    act = next((one for one in acts if one.key == key), None)
    if act is not None:
        _keep(session, [one for one in acts if one is not act])
    return act


def undo(act: UndoableAct, *, by: str, within: Topics = None) -> BulkResult:
    """Take each part of the act back that lies in the topics. What others have decided since is left as it is."""
    outcome = BulkResult()
    names = _names(act)
    for thing in _in_topics(act, within):
        try:
            if act.verb != "delete" and (other := _decided_since(UUID(thing), by=by)):
                outcome.skipped.append(SkippedJob(names[thing], _("%(name)s has decided it since.") % {"name": other}))
                continue
            act.how.back(thing, by=by)
        except ApiError as refusal:
            outcome.skipped.append(SkippedJob(names[thing], refusal.detail))
        else:
            outcome.done += 1
    return outcome


def _in_topics(act: UndoableAct, within: Topics) -> list[str]:
    """The parts of an act that lie where its maker may still take them back."""
    if within is None:
        return act.things
    rows: Any = TrashedSource.objects if act.verb == "delete" else Job.objects
    return [str(pk) for pk in rows.filter(pk__in=act.things, topic_id__in=within).values_list("pk", flat=True)]


def _names(act: UndoableAct) -> dict[str, str]:
    rows: Iterable[tuple[Any, str]] = (
        TrashedSource.objects.filter(pk__in=act.things).values_list("pk", "title")
        if act.verb == "delete"
        else Job.objects.filter(pk__in=act.things).values_list("pk", "filename")
    )
    return dict.fromkeys(act.things, act.name) | {str(pk): name for pk, name in rows}


def _decided_since(job_id: UUID, *, by: str) -> str:
    """Who moved the job last, if that was another person."""
    last = JobEvent.objects.filter(job=job_id).exclude(by=WORKER).order_by("-id").values_list("by", flat=True).first()
    return last if last and last != by else ""


def _acts(session: SessionBase) -> list[UndoableAct]:
    acts = [UndoableAct(**kept) for kept in session.get(KEY, ())]
    return [act for act in acts if not act.is_old]


def _keep(session: SessionBase, acts: list[UndoableAct]) -> None:
    session[KEY] = [asdict(act) for act in acts]
