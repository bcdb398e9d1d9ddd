"""Making, changing and deleting an evaluation question, by hand or from the trace of an answer; questions as files."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any
from uuid import UUID

from django import forms
from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from answers.evaluation import questions
from answers.evaluation.questions import questions_within
from answers.evaluation.screens.runs import chosen_topic
from answers.evaluation.transfer import QuestionImport, written
from answers.models import EvaluationQuestion
from kb_project.api.openapi_files import describe
from kb_project.errors import Invalid
from kb_project.isolates import isolated
from kb_project.screens.access import StaffRequest, staff_may
from kb_project.screens.dialogs import done, gone_to, next_url, of_entry, settle
from kb_project.screens.imports import download, import_page
from search.retrieval import MAX_QUERY_LENGTH
from sources.provisions import parse_address
from topics.scoping import limits, topics_to_choose

_of_question = of_entry(
    "question_id",
    get=questions.get,
    gone=gone_to(
        "evaluation", said=gettext_lazy("This question is not there any more."), to=gettext_lazy("To the evaluation")
    ),
)
describe(
    name="evaluation-export",
    media_type="application/x-ndjson",
    description="The evaluation questions of a topic, the first one where none is named, each a line of JSON.",
    fields=lambda: {"topic": forms.IntegerField(required=False)},
)


@staff_may(GET="answers.add_evaluationquestion", POST="answers.add_evaluationquestion")
def create(request: StaffRequest) -> HttpResponse:
    """A new question. `trace` of the address names the answer that it is made from, `question` gives its words."""
    topics = topics_to_choose(request)
    suggested = _of_trace(request)
    topic = (suggested.topic if suggested and suggested.topic_id else None) or chosen_topic(request, topics)
    context = {"topics": topics, "topic": topic, **_initial(suggested)}
    context["question"] = context["question"] or request.GET.get("question", "").replace("\0", " ")[:MAX_QUERY_LENGTH]

    def make(values: Mapping[str, Any]) -> HttpResponse:
        if topic is None:
            raise Invalid(_("There is no such topic."))
        entry = questions.create(topic=topic, values=values, by=request.user.get_username())
        return done(request, _back(request), _("The question “%(entry)s” was made."), entry=entry)

    return _form(request, context, save=make)


def _of_trace(request: StaffRequest) -> EvaluationQuestion | None:
    try:
        answer_id = UUID(request.GET.get("trace", ""))
    except ValueError:
        return None
    if not request.user.has_perm("answers.view_answertrace"):
        return None
    return questions.of_trace(answer_id, within=limits(request, right="answers.view_answertrace"))


@staff_may(GET="answers.change_evaluationquestion", POST="answers.change_evaluationquestion")
@_of_question
def change(request: StaffRequest, entry: EvaluationQuestion) -> HttpResponse:
    def save(values: Mapping[str, Any]) -> HttpResponse:
        changed = questions.change(entry.pk, values, by=request.user.get_username())
        return done(request, _back(request), _("The question “%(entry)s” was changed."), entry=changed)

    return _form(request, {"entry": entry, **_initial(entry)}, save=save)


def _initial(entry: EvaluationQuestion | None) -> dict[str, Any]:
    """What the form begins with."""
    if entry is None:
        return {"question": "", "provisions": "", "words": "", "nothing_answers": False}
    addresses = [
        f"{one['source_id']}#{one['eid']}" if one["eid"] else str(one["source_id"]) for one in entry.provisions
    ]
    return {
        "question": entry.question,
        "provisions": "\n".join(addresses),
        "words": entry.words,
        "nothing_answers": entry.nothing_answers,
    }


def _form(
    request: StaffRequest, context: dict[str, Any], *, save: Callable[[Mapping[str, Any]], HttpResponse]
) -> HttpResponse:
    context["next"] = _back(request)
    if request.method == "POST":
        context |= {name: request.POST.get(name, "").replace("\0", " ") for name in ("question", "provisions", "words")}
        context["nothing_answers"] = "nothing_answers" in request.POST
    return settle(request, "evaluation/_form.html", context, lambda: save(_values(context)))


def _back(request: StaffRequest) -> str:
    return next_url(request, default=reverse("evaluation"))


def _values(context: Mapping[str, Any]) -> dict[str, Any]:
    """What was typed, as `questions` takes it. Raises Invalid for a line that is no address."""
    lines = [line.strip() for line in context["provisions"].splitlines() if line.strip()]
    provisions = []
    for line in lines[: questions.MAX_PROVISIONS + 1]:
        found = parse_address(line)
        if found is None:
            sentence = _("“%s” is not the address of a provision, such as 12#sec_7.") % isolated(line[:100])
            raise Invalid(sentence, errors={"provisions": [sentence]})
        provisions.append({"source_id": found[0], "eid": found[1]})
    values = {name: context[name] for name in ("question", "words", "nothing_answers")}
    return {**values, "provisions": provisions}


@staff_may(GET="answers.delete_evaluationquestion", POST="answers.delete_evaluationquestion")
@_of_question
def delete(request: StaffRequest, entry: EvaluationQuestion) -> HttpResponse:
    def act() -> HttpResponse:
        questions.delete(entry.pk, by=request.user.get_username())
        return done(request, _back(request), _("The question “%(entry)s” was deleted."), entry=entry)

    return settle(request, "evaluation/_delete.html", {"entry": entry, "next": _back(request)}, act)


@staff_may(GET="answers.view_evaluationquestion")
def export(request: StaffRequest) -> HttpResponse:
    """The questions of a topic."""
    topic = chosen_topic(request, topics_to_choose(request))
    text = written(questions_within([topic.pk])) if topic else ""
    name = f"evaluation-{topic.slug if topic else ''}.jsonl"
    return download(text, name=name, content_type="application/x-ndjson")


@staff_may(GET="answers.add_evaluationquestion", POST="answers.change_evaluationquestion")
def import_file(request: StaffRequest) -> HttpResponse:
    topics = topics_to_choose(request)
    topic = chosen_topic(request, topics)
    back = reverse("evaluation") + (f"?topic={topic.pk}" if topic else "")
    context = {"section": "evaluation", "back": back, "topics": topics, "topic": topic}
    if topic is None:
        return render(request, "evaluation/import.html", context)
    return import_page(
        request,
        "evaluation/import.html",
        context,
        read=partial(QuestionImport, topic=topic),
        largest=QuestionImport.largest,
        said=lambda n: ngettext("%d question was taken over.", "%d questions were taken over.", n) % n,
    )
