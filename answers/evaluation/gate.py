"""With `KB_EVALUATION_GATE=1` no change is taken into use that makes answers more than a point worse.

Each change is held up where it is made: settings and prompts by `manage.py prepare`, the embedder by `reembed`, and
synonyms when they are edited. A topic without an accepted run holds nothing up (docs/adr/0015).
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext as _

from answers.evaluation import runs
from answers.evaluation.judging import rank_of, scope_of, targets_of
from answers.evaluation.runs import POINTS
from answers.models import EvaluationQuestion, EvaluationRun
from kb_project.errors import Conflict
from law.words.analysis import terms
from search.embedders.spaces import on_trial
from search.models import EmbeddingSpace
from search.retrieval import retrieve
from search.synonyms.known import find_meanings, find_version, is_current
from topics.models import Topic

FOUND_AMONG = 10  # passages
MOST_ASKED = 200  # questions of one change of synonyms, so that who makes it need not wait for long

T = TypeVar("T")


def held_topics() -> list[Topic]:
    """The topics with an accepted run; none while the gate is open."""
    if not settings.KB_EVALUATION_GATE:
        return []
    with_run = EvaluationRun.objects.filter(accepted=True, finished_at__isnull=False).values("topic_id")
    return list(Topic.objects.filter(pk__in=with_run).order_by("pk"))


# --- settings and prompts ---------------------------------------------------------------------------------------------


def not_accepted() -> Iterator[str]:
    """A sentence for each topic for which no run has accepted what the settings and the code say now."""
    present = runs.of_settings()
    for topic in held_topics():
        last = runs.accepted(topic.pk)
        changed = _changed(last, present) if last else ""
        if not changed:
            continue
        tried = next((run for run in runs.finished(topic.pk).filter(origin="") if not _changed(run, present)), None)
        tried = tried if tried and last and tried.pk > last.pk else None
        why = runs.verdict(tried) if tried else "It has not been evaluated."
        yield (
            f"The configuration ({changed}) is not taken into use for the topic {topic.slug!r}. {why} Evaluate it with"
            f" manage.py evaluate --topic {topic.slug}, or set KB_EVALUATION_GATE=0."
        )


def _changed(run: EvaluationRun, present: Mapping[str, str]) -> str:
    """The names of what differs from a run's."""
    return ", ".join(name for name, value in present.items() if run.configuration.get(name) != value)


# --- the embedder -----------------------------------------------------------------------------------------------------


def require_not_worse(space: EmbeddingSpace, *, by: str, on_progress: Callable[[int], object] | None = None) -> None:
    """Ask the questions of every topic with another embedding space than the active one.

    Raises Conflict where a topic's answers are worse with it.
    """
    for topic in held_topics():
        with on_trial(space):
            run = runs.begin(topic, by=by)
            runs.go_on(run.pk, on_progress=on_progress)
        run.refresh_from_db()
        if not run.accepted:
            raise Conflict(f"{topic}: {runs.verdict(run)}", code="wrong_state")


# --- synonyms ---------------------------------------------------------------------------------------------------------


def synonyms_changed(change: Callable[[], T]) -> T:
    """Make a change of synonyms, unless questions lose by it that an answer for them is found.

    Only questions whose words have another meaning after it are looked at, by what is found for them, without a model.
    Raises Conflict.
    """
    topics = held_topics()
    if not topics:
        return change()
    with transaction.atomic():
        held = list(EvaluationQuestion.objects.filter(topic__in=topics).select_related("topic"))
        asked = [question for question in held if not question.nothing_answers]
        before = _meanings(asked)
        place = transaction.savepoint()
        change()
        after = _meanings(asked)
        differing = [question for question in asked if before[question.pk] != after[question.pk]][:MOST_ASKED]
        found_after = _found(differing)
        transaction.savepoint_rollback(place)
        found_before = _found(differing)
        for topic in topics:
            _require_found([one for one in asked if one.topic_id == topic.pk], found_before, found_after)
        return change()


def _meanings(asked: Sequence[EvaluationQuestion]) -> dict[int, Any]:
    """What the words of each question mean at this moment."""
    version = find_version().fetch()
    for topic_id in {question.topic_id for question in asked}:
        is_current(topic_id, version)
    return {
        question.pk: find_meanings(question.question, terms(question.question), topic_id=question.topic_id)
        for question in asked
    }


def _found(asked: Sequence[EvaluationQuestion]) -> set[int]:
    """The ids of those for which a right passage is among the first."""
    return {question.pk for question in asked if _is_found(question)}


def _is_found(question: EvaluationQuestion) -> bool:
    found = retrieve(question.question, scope=scope_of(question), limit=FOUND_AMONG)
    return rank_of(found.hits, question, targets_of(question)) is not None


def _require_found(asked: Sequence[EvaluationQuestion], before: set[int], after: set[int]) -> None:
    ids = {question.pk for question in asked}
    lost = len(ids & before) - len(ids & after)
    if not ids or 100 * lost / len(ids) <= POINTS:
        return
    one = next(question for question in asked if question.pk in before - after)
    sentence = _("It loses what answers %(lost)d of %(all)d evaluation questions of “%(topic)s”, such as: %(question)s")
    names = {"lost": lost, "all": len(ids), "topic": one.topic, "question": one}
    raise Conflict(sentence % names, code="wrong_state")
