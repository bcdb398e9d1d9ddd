"""Who sees a survey: whoever sees its topic. Who changes it: whoever made it, or may change documents of the topic."""

from uuid import UUID

from django.http import HttpRequest
from django.utils.translation import gettext as _
from rest_framework.request import Request

from kb_project.errors import NotFound, PermissionDenied
from keeping.models import Survey
from keeping.tables.visibility import may_change
from topics.scoping import within_topics


def find(request: Request | HttpRequest, survey_id: UUID, *, with_report: bool = True) -> Survey:
    """Raises NotFound."""
    found = Survey.objects.select_related("topic").defer(*(() if with_report else ("report",)))
    one = within_topics(found, request).filter(pk=survey_id).first()
    if one is None:
        raise NotFound(_("There is no such survey."))
    return one


def find_to_change(request: Request | HttpRequest, survey_id: UUID) -> Survey:
    """Raises NotFound and PermissionDenied."""
    one = find(request, survey_id)
    if not may_change(one, request):
        raise PermissionDenied(_("Only who made the survey, or may change documents of its topic, changes it."))
    return one
