"""`/labels/`: every label, with its other names and its use."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.core.paginator import Paginator
from django.db.models import Count
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from kb_project.screens.access import StaffRequest, staff_may
from labels.models import Label, LabelAlias, SourceLabel
from labels.near_duplicates import near_duplicates
from labels.topic_labels import aliases_told, labels_within, matching
from law.words.slugs import MAX_NAME_LENGTH, clean_name, slugify
from topics.access import Topics
from topics.models import Topic
from topics.scoping import limits, narrowed, topics_to_choose

LABELS_A_PAGE = 50
MAX_PAIRS = 20
ORDERS = {
    "name": ("name", "id"),
    "-name": ("-name", "-id"),
    "count": ("usage_count", "name", "id"),
    "-count": ("-usage_count", "name", "id"),
}
"""The orders that a person may ask for; without one, what fits best comes first, or else the name."""
ORDER_NAMES = {
    "name": format_lazy("{} ↑", _("Name")),
    "-name": format_lazy("{} ↓", _("Name")),
    "-count": format_lazy("{} ↓", _("Sources")),
    "count": format_lazy("{} ↑", _("Sources")),
}
COUNTED_AT_ONCE = 20_000
"""Assignments whose topics are counted while the page is made; of more, the open page asks for the counts."""
MAX_OPTIONS = 12


@staff_may(GET="labels.view_label")
def labels(request: StaffRequest) -> HttpResponse:
    """The labels that fit what is searched for, of all topics or those that are known in one. A page of them."""
    typed = clean_name(request.GET.get("q", ""))[:MAX_NAME_LENGTH]
    order = request.GET.get("sort", "")
    topics = topics_to_choose(request)
    topic = next((one for one in topics if str(one.pk) == request.GET.get("topic")), None)
    within = limits(request)
    found = labels_within(narrowed(request, topic)).prefetch_related("aliases")
    found = matching(typed, queryset=found, counted_in=within) if typed else found.order_by(*ORDERS["name"])
    found = found.order_by(*ORDERS[order]) if order in ORDERS else found
    page = Paginator(found, LABELS_A_PAGE).get_page(request.GET.get("page"))
    rows = label_rows(page.object_list, topics, within=within)
    context = {
        "section": "labels",
        "typed": typed,
        "topics": topics,
        "topic": topic,
        "order": order if order in ORDERS else "",
        "orders": [(value, name, value == order) for value, name in ORDER_NAMES.items()],
        "page": page,
        "rows": rows,
        "uncounted": [row.label.pk for row in rows if row.use is None],
    }
    return render(request, "labels/labels.html", context)


@staff_may(GET="labels.view_label")
def use(request: StaffRequest) -> HttpResponse:
    """In which topics the labels of an open page are used: `ids`, at most a page of them."""
    ids = [int(text) for text in request.GET.getlist("ids") if text.isascii() and text.isdecimal() and len(text) < 19]
    labels = labels_within(limits(request)).in_bulk(ids[:LABELS_A_PAGE])
    counted = use_by_topic(labels, topics_to_choose(request))
    rows = [LabelRow(label, counted.get(pk, ())) for pk, label in labels.items()]
    return render(request, "labels/_use.html", {"rows": rows})


@staff_may(GET="labels.delete_label")
def pairs(request: StaffRequest) -> HttpResponse:
    """Labels that are nearly the same, the less used of each pair to be merged into the other."""
    context = {"pairs": near_duplicates(MAX_PAIRS), "section": "labels"}
    return render(request, "labels/_pairs.html" if request.htmx else "labels/pairs.html", context)


@dataclass(frozen=True, slots=True)
class TopicUse:
    topic_id: int
    topic: str
    sources: int


@dataclass(frozen=True, slots=True)
class LabelRow:
    """One label. `use` has the topic with the most sources first, and is None while it is still to be counted."""

    label: Label
    use: tuple[TopicUse, ...] | None
    aliases: Sequence[LabelAlias] = ()


def label_rows(labels: Iterable[Label], topics: Iterable[Topic], *, within: Topics = None) -> list[LabelRow]:
    """The rows of one page, with one query for any number of labels. `topics` are all that the reader sees.

    Who is limited to topics is told the uses there alone.
    """
    found = list(labels)
    if within is not None:
        return _limited_rows(found, topics, within=within)
    few = sum(label.usage_count for label in found) <= COUNTED_AT_ONCE
    use = use_by_topic([label.pk for label in found], topics) if few else {}
    return [LabelRow(one, use.get(one.pk, ()) if few else None, aliases_told(one, within=None)) for one in found]


def _limited_rows(labels: Sequence[Label], topics: Iterable[Topic], *, within: Topics) -> list[LabelRow]:
    use = use_by_topic([label.pk for label in labels], topics)
    for label in labels:
        label.usage_count = sum(one.sources for one in use.get(label.pk, ()))
    return [LabelRow(label, use.get(label.pk, ()), aliases_told(label, within=within)) for label in labels]


def use_by_topic(label_ids: Iterable[int], topics: Iterable[Topic]) -> dict[int, tuple[TopicUse, ...]]:
    """In which of the topics the labels are used, by label."""
    names = {topic.pk: topic.name for topic in topics}
    counted = (
        SourceLabel.objects.filter(label_id__in=label_ids, source__topic_id__in=names)
        .values_list("label_id", "source__topic_id")
        .annotate(sources=Count("pk"))
        .order_by("-sources", "source__topic_id")
    )
    use: dict[int, list[TopicUse]] = defaultdict(list)
    for label_id, topic_id, sources in counted:
        use[label_id].append(TopicUse(topic_id, names.get(topic_id, ""), sources))
    return {label_id: tuple(found) for label_id, found in use.items()}


@dataclass(frozen=True, slots=True)
class Option:
    """`alias` is the other name by which the label was found."""

    slug: str
    name: str
    count: int
    alias: str = ""


@staff_may(GET="labels.view_label")
def options(request: HttpRequest) -> HttpResponse:
    typed = clean_name(request.GET.get("q", ""))[:MAX_NAME_LENGTH]
    found, exact = find_options(typed, within=limits(request))
    create = typed if typed and not exact else ""
    return render(request, "labels/_options.html", {"options": found, "create": create, "typed": typed})


def find_options(typed: str, *, within: Topics = None) -> tuple[list[Option], bool]:
    """The labels that the text is part of, by name, slug or alias, best first, and whether one of them is just it."""
    known = labels_within(within).prefetch_related("aliases")
    found = list(matching(typed, queryset=known, counted_in=within)[:MAX_OPTIONS])
    options = [
        Option(label.slug, label.name, getattr(label, "uses", label.usage_count), _found_by(label, typed, within))
        for label in found
    ]
    slugs = {label.slug for label in found}
    slugs |= {alias.slug for label in found for alias in aliases_told(label, within=within) if alias.keeps_slug}
    return options, bool(typed) and slugify(typed) in slugs


def _found_by(label: Label, typed: str, within: Topics) -> str:
    """The alias that the text is part of, when the label's own name does not show it."""
    if typed.casefold() in label.name.casefold():
        return ""
    slug = slugify(typed)
    told = aliases_told(label, within=within)
    names = [alias for alias in told if typed.casefold() in alias.name.casefold() or slug in alias.slug]
    return names[0].name if names else ""
