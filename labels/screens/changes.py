"""Making, renaming, merging and deleting a label: each a form in a dialog of `/labels/`."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from kb_project.errors import NotFound, Refusal
from kb_project.models import AuditEntry
from kb_project.screens.access import StaffRequest, staff_may
from kb_project.screens.dialogs import ask, leave, way_back
from kb_project.screens.messages import telling
from labels import naming
from labels.models import Label
from labels.naming import LabelInUse, named_label
from labels.near_duplicates import like
from law.words.slugs import MAX_NAME_LENGTH, clean_name


@staff_may(GET="labels.add_label", POST="labels.add_label")
def create(request: StaffRequest) -> HttpResponse:
    """A new label; labels that are nearly the same are shown first, and it is made when the person is sure."""
    back = way_back(request, default=reverse("labels"))
    name = clean_name(request.POST.get("name", "") or request.GET.get("name", ""))
    context = {"name": name, "next": back, **_alike(name)}
    if request.method != "POST":
        return ask(request, "labels/_create.html", context)
    if context["existing"]:
        return ask(request, "labels/_create.html", context, status=409)
    if context["alike"] and request.POST.get("sure") != name:
        return ask(request, "labels/_create.html", {**context, "unsure": True})
    try:
        label, made = naming.get_or_create(name, by=request.user.get_username())
    except Refusal as refusal:
        return ask(request, "labels/_create.html", {**context, "refused": refusal.detail}, status=refusal.status)
    if made:
        messages.success(request, telling(_("The label “%(label)s” was made."), label=label.name))
    else:
        messages.info(request, telling(_("There is such a label already: “%(label)s”."), label=label.name))
    return leave(request, back)


@staff_may(GET="labels.add_label")
def alike(request: StaffRequest) -> HttpResponse:
    """What is there already of the name that is being typed."""
    return render(request, "labels/_alike.html", _alike(clean_name(request.GET.get("name", ""))[:MAX_NAME_LENGTH]))


def _alike(name: str) -> dict[str, object]:
    existing = naming.find_named(name) if name else None
    return {"existing": existing, "alike": like(name) if name and existing is None else []}


def _of_label(view: Callable[[StaffRequest, Label, str], HttpResponse]) -> Callable[[StaffRequest, int], HttpResponse]:
    """Call the view with the label and the page to return to. For a label that is gone, say who took it away."""

    @wraps(view)
    def wrapper(request: StaffRequest, label_id: int) -> HttpResponse:
        back = way_back(request, default=reverse("labels"))
        try:
            return view(request, naming.get(label_id, Label.objects.all()), back)
        except NotFound:
            entries = AuditEntry.objects.filter(object_type="label", object_id=str(label_id))
            entry = entries.filter(action__in=("label.merge", "label.delete")).first()
            return ask(request, "labels/_gone.html", {"entry": entry, "next": back}, status=404)

    return wrapper


@staff_may(GET="labels.change_label", POST="labels.change_label")
@_of_label
def rename(request: StaffRequest, label: Label, back: str) -> HttpResponse:
    name = clean_name(request.POST.get("name", "")) if request.method == "POST" else label.name
    context = {"label": label, "name": name, "next": back}
    if request.method != "POST":
        return ask(request, "labels/_rename.html", context)
    try:
        renamed = naming.rename(label.pk, name, by=request.user.get_username())
    except NotFound:
        raise
    except Refusal as refusal:
        holder = naming.find_named(name) if name else None
        clash = holder if holder and holder.pk != label.pk else None
        context |= {"refused": refusal.detail, "clash": clash}
        return ask(request, "labels/_rename.html", context, status=refusal.status)
    messages.success(request, telling(_("“%(old)s” is now called “%(new)s”."), old=label.name, new=renamed.name))
    return leave(request, back)


@staff_may(GET="labels.delete_label", POST="labels.delete_label")
@_of_label
def merge(request: StaffRequest, label: Label, back: str) -> HttpResponse:
    """Choose the target and see the preview; then merge."""
    sent = request.POST if request.method == "POST" else request.GET
    typed, slug = clean_name(sent.get("target_name", "")), sent.get("target", "")
    target = named_label(slug, typed)
    context: dict[str, Any] = {
        "label": label,
        "target": target,
        "typed": target.name if target else typed,
        "next": back,
    }
    if target is None:
        context["alike"] = [other for other in like(label.name) if other.pk != label.pk]
        if slug or typed:
            refused = _("There is no such label any more.") if slug else _("There is no label of this name.")
            return ask(request, "labels/_merge.html", {**context, "refused": refused}, status=404)
        return ask(request, "labels/_merge.html", context)
    try:
        context["preview"] = naming.preview(label.pk, target.pk)
        if request.method != "POST":
            return ask(request, "labels/_merge.html", context)
        merged = naming.merge(label.pk, target.pk, by=request.user.get_username())
    except NotFound:
        raise
    except Refusal as refusal:
        return ask(request, "labels/_merge.html", {**context, "refused": refusal.detail}, status=refusal.status)
    messages.success(
        request, telling(_("“%(label)s” was merged into “%(target)s”."), label=label.name, target=merged.name)
    )
    return leave(request, back)


@staff_may(GET="labels.delete_label", POST="labels.delete_label")
@_of_label
def delete(request: StaffRequest, label: Label, back: str) -> HttpResponse:
    context: dict[str, object] = {"label": label, "next": back}
    context["aliases"] = list(label.aliases.values_list("name", flat=True))
    if request.method != "POST":
        return ask(request, "labels/_delete.html", context)
    try:
        naming.delete(label.pk, by=request.user.get_username())
    except LabelInUse as refusal:
        count = refusal.extra["usage_count"]
        context["refused"] = (
            ngettext("By now %d source carries it.", "By now %d sources carry it.", count) % count
            + " "
            + _("Merge it into another label instead.")
        )
        return ask(request, "labels/_delete.html", context, status=refusal.status)
    messages.success(request, telling(_("The label “%(label)s” was deleted."), label=label.name))
    return leave(request, back)
