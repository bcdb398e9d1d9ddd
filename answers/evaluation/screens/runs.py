"""The questions of a topic, the figures of its last run, and a run that is under way."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from kombu.exceptions import OperationalError

from answers.evaluation import runs
from answers.evaluation.figures import RunComparison, figures
from answers.evaluation.questions import expected, questions_within
from answers.evaluation.tasks import go_on_with_evaluation
from answers.models import EvaluationQuestion, EvaluationRun
from kb_project.errors import ApiError
from kb_project.screens.access import StaffRequest, staff_may
from sources.models import Source
from sources.provisions import address
from topics.models import Topic
from topics.scoping import topics_to_choose

QUESTIONS_A_PAGE = 50
MAX_TYPED_LENGTH = 200
CHANGES_SHOWN = 50
SHARES = {
    "found_at_1": gettext_lazy("Right text first"),
    "found_at_10": gettext_lazy("Right text among ten"),
    "mrr": gettext_lazy("Mean reciprocal rank"),
    "answered": gettext_lazy("Answered"),
    "cited": gettext_lazy("Right provision cited"),
    "silent": gettext_lazy("Silent where nothing answers"),
    "stands": gettext_lazy("Right when checked against the law"),
}
NUMBERS = {
    "unsupported": gettext_lazy("Unsupported sentences"),
    "failed": gettext_lazy("Failed"),
    "wrong": gettext_lazy("Wrong when checked against the law"),
    "score": gettext_lazy("Score"),
}


@dataclass(frozen=True)
class ShownQuestion:
    """A question with its provisions as title, eid and address, and its outcome in the last run."""

    entry: EvaluationQuestion
    places: list[tuple[str, str, str]]
    outcome: Mapping[str, Any] | None


def chosen_topic(request: HttpRequest, topics: Iterable[Topic]) -> Topic | None:
    """The topic that the request names, the first where it names none, or None where there is no such topic."""
    named = request.POST.get("topic") or request.GET.get("topic")
    return next((topic for topic in topics if not named or str(topic.pk) == named), None)


@staff_may(GET="answers.view_evaluationquestion")
def evaluation(request: StaffRequest) -> HttpResponse:
    """The page. While a run is under way its figures come anew every few seconds."""
    topics = topics_to_choose(request)
    topic = chosen_topic(request, topics)
    typed = " ".join(request.GET.get("q", "").replace("\0", " ").split())[:MAX_TYPED_LENGTH]
    found = questions_within([topic.pk]).order_by("-pk") if topic else EvaluationQuestion.objects.none()
    page = Paginator(found.filter(question__icontains=typed), QUESTIONS_A_PAGE).get_page(request.GET.get("page"))
    last = runs.finished(topic.pk).filter(origin="").first() if topic else None
    context = {
        "section": "evaluation",
        "typed": typed,
        "topic": topic,
        "topics": topics,
        "page": page,
        "shown": list(shown_questions(page.object_list, last)),
        "under_way": runs.under_way(topic.pk) if topic else None,
        **(_of_run(last) if last else {}),
    }
    return render(request, "evaluation/evaluation.html", context)


def shown_questions(entries: Iterable[EvaluationQuestion], last: EvaluationRun | None) -> Iterator[ShownQuestion]:
    """The questions as the page has them."""
    entries = list(entries)
    ids = {one["source_id"] for entry in entries for one in entry.provisions}
    titles = {source.pk: source.title or source.identifier for source in Source.objects.filter(pk__in=ids)}
    outcomes = {question["question"]: (question, outcome) for question, outcome in runs.pairs(last)} if last else {}
    for entry in entries:
        places = [
            (titles.get(one["source_id"], ""), one["eid"], address(one["source_id"], one["eid"]))
            for one in entry.provisions
        ]
        asked, outcome = outcomes.get(entry.question, (None, None))
        yield ShownQuestion(entry, places, outcome if asked == expected(entry) else None)


def _of_run(run: EvaluationRun) -> dict[str, Any]:
    """The figures of a run, and what changed since the one before."""
    last, comparison = runs.compare_with_previous(run)
    changes = comparison.changes if comparison else ()
    return {
        "run": run,
        "last": last,
        "figures": list(_figures(run, comparison)),
        "compared": comparison.after.questions if comparison else 0,
        "changes": changes[:CHANGES_SHOWN],
        "more": max(0, len(changes) - CHANGES_SHOWN),
        "verdict": runs.verdict(run),
    }


def _figures(run: EvaluationRun, comparison: RunComparison | None) -> Iterator[tuple[str, str, str, str]]:
    """Name, value, and the values before and now over the questions that both runs asked."""
    now = asdict(figures(runs.pairs(run)))
    before, after = (asdict(comparison.before), asdict(comparison.after)) if comparison else ({}, {})
    for name, title in {**SHARES, **NUMBERS}.items():
        yield str(title), _shown(name, now[name]), _shown(name, before.get(name)), _shown(name, after.get(name))


def _shown(name: str, value: float | None) -> str:
    if value is None:
        return "–"
    return f"{100 * value:.0f} %" if name in SHARES and name != "mrr" else f"{value:.2f}".rstrip("0").rstrip(".")


@staff_may(POST="answers.add_evaluationrun")
def begin_run(request: StaffRequest) -> HttpResponse:
    """Have a worker ask all questions of the topic, unless they are being asked already."""
    topic = chosen_topic(request, topics_to_choose(request))
    if topic is None:
        return redirect("evaluation")
    try:
        if not runs.under_way(topic.pk):
            go_on_with_evaluation.delay(runs.begin(topic, by=request.user.get_username()).pk)
    except ApiError as refusal:
        messages.error(request, refusal.detail)
    except OperationalError:
        messages.error(request, _("The workers cannot be reached. Try again later."))
    return redirect(f"{reverse('evaluation')}?topic={topic.pk}")
