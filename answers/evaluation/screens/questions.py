"""Making, changing and deleting an evaluation question, by hand or from the trace of an answer."""

from collections.abc import Callable, Mapping
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _

from answers.evaluation import questions
from answers.evaluation.screens.runs import chosen_topic
from answers.models import EvaluationQuestion
from kb_project.errors import Invalid, NotFound, Refusal
from kb_project.screens.access import StaffRequest, staff_may
from kb_project.screens.dialogs import ask, leave, way_back
from kb_project.screens.messages import telling
from search.retrieval import LONGEST_QUERY
from sources.provisions import parse_address
from topics.models import Topic

Save = Callable[[Mapping[str, Any]], EvaluationQuestion]


@staff_may(GET="search.add_evaluationquestion", POST="search.add_evaluationquestion")
def create(request: StaffRequest) -> HttpResponse:
    """A new question; `trace` of the address names the answer that it is made from, `question` gives its words."""
    topics = list(Topic.objects.order_by("id"))
    suggested = _of_trace(request)
    topic = (suggested.topic if suggested and suggested.topic_id else None) or chosen_topic(request, topics)
    context = {"topics": topics, "topic": topic, **_initial(suggested)}
    context["question"] = context["question"] or request.GET.get("question", "").replace("\0", " ")[:LONGEST_QUERY]

    def make(values: Mapping[str, Any]) -> EvaluationQuestion:
        if topic is None:
            raise Invalid(_("There is no such topic."))
        return questions.create(topic=topic, values=values, by=request.user.get_username())

    return _form(request, context, save=make, said=_("The question “%(entry)s” was made."))


def _of_trace(request: StaffRequest) -> EvaluationQuestion | None:
    try:
        answer_id = UUID(request.GET.get("trace", ""))
    except ValueError:
        return None
    return questions.of_trace(answer_id) if request.user.has_perm("search.view_answertrace") else None


@staff_may(GET="search.change_evaluationquestion", POST="search.change_evaluationquestion")
def change(request: StaffRequest, question_id: int) -> HttpResponse:
    try:
        entry = questions.get(question_id)
    except NotFound:
        return _gone(request)

    def save(values: Mapping[str, Any]) -> EvaluationQuestion:
        return questions.change(question_id, values, by=request.user.get_username())

    return _form(
        request, {"entry": entry, **_initial(entry)}, save=save, said=_("The question “%(entry)s” was changed.")
    )


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


def _form(request: StaffRequest, context: dict[str, Any], *, save: Save, said: str) -> HttpResponse:
    """The form of a question; what is sent is saved."""
    context["next"] = way_back(request, default=reverse("evaluation"))
    if request.method != "POST":
        return ask(request, "evaluation/_form.html", context)
    context |= {name: request.POST.get(name, "").replace("\0", " ") for name in ("question", "provisions", "words")}
    context["nothing_answers"] = "nothing_answers" in request.POST
    try:
        entry = save(_values(context))
    except NotFound:
        return _gone(request)
    except Refusal as refusal:
        context |= {"refused": refusal.detail, "errors": refusal.errors}
        return ask(request, "evaluation/_form.html", context, status=refusal.status)
    messages.success(request, telling(said, entry=entry))
    return leave(request, context["next"])


def _values(context: Mapping[str, Any]) -> dict[str, Any]:
    """What was typed, as `questions` takes it. Raises Invalid for a line that is no address."""
    lines = [line.strip() for line in context["provisions"].splitlines() if line.strip()]
    provisions = []
    for line in lines[: questions.MOST_PROVISIONS + 1]:
        found = parse_address(line)
        if found is None:
            sentence = _("“%s” is no address of a provision, such as 12#sec_7.") % line[:100]
            raise Invalid(sentence, errors={"provisions": [sentence]})
        provisions.append({"source_id": found[0], "eid": found[1]})
    values = {name: context[name] for name in ("question", "words", "nothing_answers")}
    return {**values, "provisions": provisions}


@staff_may(GET="search.delete_evaluationquestion", POST="search.delete_evaluationquestion")
def delete(request: StaffRequest, question_id: int) -> HttpResponse:
    back = way_back(request, default=reverse("evaluation"))
    try:
        entry = questions.get(question_id)
        if request.method != "POST":
            return ask(request, "evaluation/_delete.html", {"entry": entry, "next": back})
        questions.delete(question_id, by=request.user.get_username())
    except NotFound:
        return _gone(request)
    messages.success(request, telling(_("The question “%(entry)s” was deleted."), entry=entry))
    return leave(request, back)


def _gone(request: StaffRequest) -> HttpResponse:
    context = {"next": way_back(request, default=reverse("evaluation"))}
    return ask(request, "evaluation/_gone.html", context, status=404)
