"""Runs: every question asked one after another, kept as it goes, and held against the last accepted run."""

import hashlib
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict
from datetime import timedelta

from django.conf import settings
from django.db.models import F, Func, IntegerField, JSONField, QuerySet, Value
from django.db.models.expressions import CombinedExpression
from django.db.models.functions import Now
from django.utils import timezone
from django.utils.translation import gettext as _

from answers.evaluation.figures import Pair, RunComparison, compare
from answers.evaluation.judging import judge
from answers.evaluation.questions import expected
from answers.models import EvaluationQuestion, EvaluationRun
from answers.writing.answerers.prompts import PROMPT_VERSION as ANSWER_PROMPT
from kb_project.errors import Invalid
from kb_project.llm.roles import ANSWERS, CHECKING, EXPANSION, ModelRole, is_paid
from search.embedders.spaces import space_in_use
from search.expansion.variants import PROMPT_VERSION as EXPANSION_PROMPT
from search.synonyms.base import base_in_use
from search.synonyms.known import current_version
from topics.models import Topic

POINTS = 1.0  # of the score, by which an accepted run may be worse than the one before it
MAX_KEPT = 20  # runs of a topic; the last accepted one besides
FORGOTTEN_AFTER = timedelta(hours=1)  # without progress
FOR_EVER = float("inf")
_DONE = Func(F("outcomes"), function="jsonb_array_length", output_field=IntegerField())


def present(topic: Topic) -> dict[str, str]:
    """What a topic's answers are made with, as texts to be compared. Of prompts and synonyms, versions."""
    return {
        "answers": _chain(ANSWERS),
        "expansion": _chain(EXPANSION),
        "checking": _chain(CHECKING),
        "answer_prompt": ANSWER_PROMPT,
        "expansion_prompt": EXPANSION_PROMPT,
        "built_in_synonyms": _hash(repr(base_in_use())),
        "reranker": f"{settings.KB_RERANKER} {settings.KB_RERANKER_MODEL}".strip(),
        "embedder": str(space_in_use() or ""),
        "synonyms": str(current_version() or ""),
        "topic_prompt": _hash(topic.system_prompt_addendum) if topic.system_prompt_addendum else "",
    }


def _chain(role: ModelRole) -> str:
    return ", ".join(f"{name} {role.model(name).name}" if is_paid(name) else name for name in role.chain)


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def begin(
    topic: Topic, *, by: str, questions: Sequence[EvaluationQuestion] | None = None, origin: str = ""
) -> EvaluationRun:
    """A run about to ask the topic's questions, or those given from the file `origin`. Raises Invalid for none.

    Runs that were killed are forgotten.
    """
    if questions is None:
        questions = list(EvaluationQuestion.objects.filter(topic=topic))
    if not questions:
        raise Invalid(_("The topic has no evaluation questions yet."))
    unfinished = EvaluationRun.objects.filter(topic=topic, finished_at=None)
    unfinished.filter(progress_at__lt=timezone.now() - FORGOTTEN_AFTER).delete()
    return EvaluationRun.objects.create(
        topic=topic,
        by=by,
        origin=origin,
        configuration=present(topic),
        questions=[expected(question) for question in questions],
    )


def resume(run_id: int, *, for_s: float = FOR_EVER, on_progress: Callable[[int], object] | None = None) -> bool:
    """Ask the next questions of a run for so many seconds. Returns whether there is no more to do.

    Each outcome is kept at once. Where another process goes on with the run too, one of both stops.
    """
    ends = time.monotonic() + for_s
    run = EvaluationRun.objects.select_related("topic").filter(pk=run_id, finished_at=None).first()
    while run is not None and len(run.outcomes) < len(run.questions):
        if time.monotonic() >= ends:
            return False
        question = EvaluationQuestion(topic=run.topic, **run.questions[len(run.outcomes)])
        if not _keep(run, asdict(judge(question))):
            return True
        if on_progress:
            on_progress(1)
    if run is not None:
        _finish(run)
    return True


def _keep(run: EvaluationRun, outcome: dict[str, object]) -> bool:
    """Add an outcome, which alone is sent. Returns False where the run is not as it was read."""
    mine = EvaluationRun.objects.alias(done=_DONE).filter(pk=run.pk, finished_at=None, done=len(run.outcomes))
    run.outcomes.append(outcome)
    one_more = CombinedExpression(F("outcomes"), "||", Value([outcome], JSONField()), output_field=JSONField())
    return bool(mine.update(outcomes=one_more, progress_at=Now()))


def _finish(run: EvaluationRun) -> None:
    """Hold the run against the accepted one, and forget those that are too many."""
    baseline = accepted(run.topic_id)
    run.baseline = baseline.pk if baseline else None
    comparison = compare(pairs(baseline), pairs(run)) if baseline else None
    run.worse_by = comparison.worse_by if comparison else None
    run.accepted = not run.origin and (comparison is None or not is_worse(comparison))
    run.finished_at = timezone.now()
    run.save(update_fields=["baseline", "worse_by", "accepted", "finished_at"])
    last = accepted(run.topic_id)
    kept = [*finished(run.topic_id).values_list("pk", flat=True)[:MAX_KEPT], *([last.pk] if last else [])]
    finished(run.topic_id).exclude(pk__in=kept).delete()


def is_worse(comparison: RunComparison) -> bool:
    """Whether more points of the score were lost, or fewer findings of checks stand, than may be."""
    return comparison.worse_by > POINTS or comparison.stands_less_by > POINTS


def accept(run: EvaluationRun) -> None:
    """Take a run as the one that later ones are held against, however bad it is."""
    run.accepted = True
    run.save(update_fields=["accepted"])


def finished(topic_id: int) -> QuerySet[EvaluationRun]:
    """The finished runs of a topic, the newest first."""
    return EvaluationRun.objects.filter(topic_id=topic_id, finished_at__isnull=False).order_by("-pk")


def accepted(topic_id: int) -> EvaluationRun | None:
    """The run that others are held against."""
    return finished(topic_id).filter(accepted=True).first()


def under_way(topic_id: int) -> EvaluationRun | None:
    """The run that is asking questions now: it got on within the time that an answer may take."""
    since = timezone.now() - timedelta(seconds=settings.KB_ANSWER_TIMEOUT_S + 60)
    return EvaluationRun.objects.filter(topic_id=topic_id, finished_at=None, progress_at__gte=since).first()


def compare_with_previous(run: EvaluationRun) -> tuple[EvaluationRun | None, RunComparison | None]:
    """The finished run of the same questions before this one, and what changed since."""
    last = finished(run.topic_id).filter(origin=run.origin, pk__lt=run.pk).first()
    return last, compare(pairs(last), pairs(run)) if last else None


def pairs(run: EvaluationRun) -> list[Pair]:
    """The questions of a run with their outcomes."""
    return list(zip(run.questions, run.outcomes, strict=False))


def verdict(run: EvaluationRun) -> str:
    """A sentence about a run that was not accepted, empty for any other."""
    if run.accepted or run.origin or run.worse_by is None:
        return ""
    if run.worse_by <= POINTS:
        return _worse_by_checks(run)
    names = {"points": f"{run.worse_by:g}", "run": run.baseline}
    return _("It is %(points)s points worse than run %(run)s, the last that was accepted.") % names


def _worse_by_checks(run: EvaluationRun) -> str:
    baseline = EvaluationRun.objects.filter(pk=run.baseline or 0).first()
    points = compare(pairs(baseline), pairs(run)).stands_less_by if baseline else 0.0
    names = {"points": f"{points:g}", "run": run.baseline}
    return _("Checks hold %(points)s points less of it right than of run %(run)s, the last that was accepted.") % names
