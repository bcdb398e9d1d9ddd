"""The project's paths, and screens that fail in every way."""

from django.core.exceptions import PermissionDenied, TooManyFieldsSent
from django.db import OperationalError
from django.http import HttpRequest, HttpResponse
from django.urls import path

from kb_project import urls
from kb_project.errors import Conflict, Throttled
from kb_project.screens.access import staff_may

handler400, handler403, handler404, handler500 = urls.handler400, urls.handler403, urls.handler404, urls.handler500


@staff_may(POST="labels.add_label")
def form(request: HttpRequest) -> HttpResponse:
    return HttpResponse("taken")


def fail(request: HttpRequest, how: str) -> HttpResponse:
    raise {
        "unforeseen": RuntimeError("a secret"),
        "database": OperationalError("connection refused"),
        "denied": PermissionDenied("Ask Miri."),
        "large": TooManyFieldsSent(),
        "throttled": Throttled("Wait.", wait_s=7),
        "conflict": Conflict("Somebody else was first."),
    }[how]


urlpatterns = [path("fail/<str:how>/", fail), path("form/", form), *urls.urlpatterns]
