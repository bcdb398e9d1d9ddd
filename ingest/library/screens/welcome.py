"""`/welcome/`: from an empty installation to the first answer in four steps, with invented documents as an example."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.conf import settings
from django.contrib import messages
from django.db.models import QuerySet
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from answers.models import AnswerTrace
from ingest.documents.trash import throw_away
from ingest.intake import demo
from ingest.job_states import UNFINISHED, JobStatus
from ingest.models import Job
from ingest.review.undo import tell, undoable
from kb_project.errors import NotFound
from kb_project.screens.access import StaffRequest, staff_may
from sources.models import Source
from topics.models import INITIAL_TOPIC_ID
from topics.scoping import topic_of_path, topics_to_choose, within_topics


@dataclass(frozen=True, slots=True)
class WelcomeStep:
    """`says` what there is by now. `way` leads to the screen of the step, if this person may see it."""

    title: str
    about: str
    says: str
    is_done: bool
    verb: str
    way: str


@staff_may(GET="ingest.add_job")
def welcome(request: StaffRequest) -> HttpResponse:
    """The steps, each done or not, and what there is of the example."""
    steps = list(_steps(request))
    context = {
        "section": "welcome",
        "steps": steps,
        "now": next((step for step in steps if not step.is_done), None),
        "examples": _examples(request).count(),
        "coming": within_topics(
            Job.objects.filter(content_sha256__in=demo.fingerprints(), status__in=UNFINISHED), request
        ).count(),
        "of": len(demo.manifest()),
        "undoes": undoable(request, within=reverse("welcome")),
    }
    return render(request, "library/welcome.html", context)


@staff_may(POST="ingest.add_job")
def add_example(request: StaffRequest) -> HttpResponse:
    """Queue the documents of the example that are not here."""
    topic = topic_of_path(request, INITIAL_TOPIC_ID)
    queued = [
        job for entry in demo.manifest() if (job := demo.queue(entry, topic=topic, by=request.user.get_username()))
    ]
    if queued:
        said = ngettext("%(n)d document is being read.", "%(n)d documents are being read.", len(queued))
        messages.success(request, said % {"n": len(queued)})
    return redirect("welcome")


@staff_may(POST="sources.delete_source")
def remove_example(request: StaffRequest) -> HttpResponse:
    """Put the documents of the example into the trash, from which Undo brings them back."""
    removed = []
    for source in _examples(request):
        try:
            throw_away(source.pk, by=request.user.get_username())
        except NotFound:  # somebody else was faster
            continue
        removed.append(source)
    if removed and settings.KB_TRASH_DAYS:
        tell(request, "delete", [source.pk for source in removed], name=str(removed[0]), to=reverse("welcome"))
    elif removed:
        messages.success(request, _("The example is removed."))
    return redirect("welcome")


def _examples(request: StaffRequest) -> QuerySet[Source]:
    examples = Source.objects.filter(topic_id=INITIAL_TOPIC_ID, content_sha256__in=demo.fingerprints())
    return within_topics(examples, request)


def _steps(request: StaffRequest) -> Iterator[WelcomeStep]:
    topics = [topic.name for topic in topics_to_choose(request)]
    uploads = within_topics(Job.objects.exclude(content_sha256__in=demo.fingerprints()).filter(reindex=False), request)
    waiting = uploads.filter(status=JobStatus.AWAITING_REVIEW).count()
    own = within_topics(Source.objects.exclude(content_sha256__in=demo.fingerprints()), request)
    asked = within_topics(AnswerTrace.objects.all(), request)
    yield WelcomeStep(
        _("A topic"),
        _("Documents of a topic are searched together. Members and keys open topics, not documents."),
        _("There is: %s.") % ", ".join(topics),
        bool(topics),
        _("Name it, or add another"),
        reverse("topic-list") if request.user.has_perm("topics.change_topic") else "",
    )
    yield WelcomeStep(
        _("The files"),
        _("Drop what you have, whole folders too. Each file is read, and what it is gets proposed."),
        "",
        uploads.exists(),
        _("Upload files"),
        reverse("review-upload"),
    )
    yield WelcomeStep(
        _("The review"),
        _("Look at each proposal beside its page, then confirm it. Nothing is searchable before that."),
        ngettext("%(n)d file awaits review.", "%(n)d files await review.", waiting) % {"n": waiting} if waiting else "",
        own.exists() and not waiting,
        _("To the review"),
        reverse("review-batches"),
    )
    yield WelcomeStep(
        _("A question"),
        _("Ask in your own words. The answer quotes the sections it rests on, or says that it found none."),
        "",
        own.exists() and asked.exists(),
        _("Ask"),
        reverse("home"),
    )
