"""`/design/`: every part of the screens once, in each language, for who develops."""

from typing import NamedTuple

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render


class SampleText(NamedTuple):
    """What the parts are shown with: a text of one language in a page of the same."""

    language: str
    direction: str
    title: str
    section: str
    number: str
    clauses: tuple[tuple[str, str], ...]
    definition: tuple[str, str]
    before: str
    after: str


SAMPLES = (
    SampleText(
        "en",
        "ltr",
        "Book Lending Act 2021",
        "Right to borrow",
        "2",
        (("(a)", "A resident may borrow nine books a month."), ("(b)", "The librarian may extend the time to return.")),
        ("“resident”", " means whoever lives where the library is."),
        "five",
        "nine",
    ),
    SampleText(
        "he",
        "rtl",
        'חוק השאלת ספרים, התשפ"א–2021',
        "זכות השאלה",
        "2",
        (("(א)", "תושב רשאי לשאול תשעה ספרים בחודש."), ("(ב)", "הספרן רשאי להאריך את מועד ההחזרה.")),
        ('"תושב"', " – מי שגר ביישוב שבו הספרייה."),
        "חמישה",
        "תשעה",
    ),
)
STATES = ("queued", "classifying", "awaiting_review", "embedding", "done", "failed", "discarded")


def design(request: HttpRequest) -> HttpResponse:
    """With `DEBUG` alone."""
    if not settings.DEBUG:
        raise Http404
    return render(request, "design/design.html", {"samples": SAMPLES, "states": STATES})
