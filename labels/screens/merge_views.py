"""Merging one label into another: what would happen is shown before it does."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _

from kb_project.errors import NotFound, Refusal
from kb_project.screens.access import StaffRequest, staff_may
from kb_project.screens.dialogs import ask, leave, way_back
from kb_project.screens.messages import telling
from labels import merge as merging
from labels.models import Label
from labels.near_duplicates import like
from labels.screens.change_views import gone
from labels.screens.one_label import named_label
from labels.slugs import clean_name


@staff_may(GET="labels.delete_label", POST="labels.delete_label")
def merge(request: StaffRequest, label_id: int) -> HttpResponse:
    """Choose the target and see the preview; then merge."""
    back = way_back(request, default=reverse("labels"))
    label = Label.objects.filter(pk=label_id).first()
    if label is None:
        return gone(request, label_id, back=back)
    sent = request.POST if request.method == "POST" else request.GET
    typed, slug = clean_name(sent.get("target_name", "")), sent.get("target", "")
    target = named_label(slug, typed)
    context: dict[str, Any] = {
        "label": label,
        "target": target,
        "typed": target.name if target else typed,
        "next": back,
    }
    try:
        if target is not None:
            context["preview"] = merging.preview(label_id, target.pk)
            if request.method == "POST":
                return _merged(request, label, merging.merge(label_id, target.pk, by=request.user.get_username()), back)
    except NotFound:
        return gone(request, label_id, back=back)
    except Refusal as refusal:
        return ask(request, "labels/_merge.html", {**context, "refused": refusal.detail}, status=refusal.status)
    if target is None:
        context["alike"] = [other for other in like(label.name) if other.pk != label_id]
        if slug or typed:
            refused = _("There is no such label any more.") if slug else _("There is no label of this name.")
            return ask(request, "labels/_merge.html", {**context, "refused": refused}, status=404)
    return ask(request, "labels/_merge.html", context)


def _merged(request: StaffRequest, label: Label, target: Label, back: str) -> HttpResponse:
    messages.success(
        request, telling(_("“%(label)s” was merged into “%(target)s”."), label=label.name, target=target.name)
    )
    return leave(request, back)
