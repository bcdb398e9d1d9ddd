"""`/labels/`: every label, with its other names and its use."""

from __future__ import annotations

from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import render

from kb_project.screens.access import StaffRequest, staff_may
from labels.models import Label
from labels.near_duplicates import near_duplicates
from labels.screens.label_table import ORDERS, LabelRow, found_labels, label_rows, use_by_topic
from labels.slugs import MAX_NAME_LENGTH, clean_name

LABELS_A_PAGE = 50
MOST_PAIRS = 20


@staff_may(GET="labels.view_label")
def labels(request: StaffRequest) -> HttpResponse:
    """The labels that fit what is searched for, a page of them."""
    typed = clean_name(request.GET.get("q", ""))[:MAX_NAME_LENGTH]
    order = request.GET.get("sort", "")
    page = Paginator(found_labels(typed, order=order), LABELS_A_PAGE).get_page(request.GET.get("page"))
    rows = label_rows(page.object_list)
    context = {
        "section": "labels",
        "typed": typed,
        "order": order if order in ORDERS else "",
        "page": page,
        "rows": rows,
        "uncounted": [row.label.pk for row in rows if row.use is None],
    }
    return render(request, "labels/labels.html", context)


@staff_may(GET="labels.view_label")
def use(request: StaffRequest) -> HttpResponse:
    """In which topics the labels of an open page are used: `ids`, at most a page of them."""
    ids = [int(text) for text in request.GET.getlist("ids") if text.isascii() and text.isdecimal() and len(text) < 19]
    labels = Label.objects.in_bulk(ids[:LABELS_A_PAGE])
    counted = use_by_topic(labels)
    rows = [LabelRow(label, (), counted.get(pk, ())) for pk, label in labels.items()]
    return render(request, "labels/_use.html", {"rows": rows})


@staff_may(GET="labels.delete_label")
def pairs(request: StaffRequest) -> HttpResponse:
    """Labels that are nearly the same, the less used of each pair to be merged into the other."""
    context = {"pairs": near_duplicates(MOST_PAIRS), "section": "labels"}
    return render(request, "labels/_pairs.html" if request.htmx else "labels/pairs.html", context)
