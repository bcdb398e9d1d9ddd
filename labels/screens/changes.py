"""Making, renaming, merging and deleting a label: each a form in a dialog of `/labels/`."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from kb_project.errors import ApiError, NotFound
from kb_project.isolates import safe_message
from kb_project.models import AuditEntry
from kb_project.screens.access import StaffRequest, staff_may
from kb_project.screens.dialogs import done, next_url, of_entry, redirect_from_dialog, render_dialog, settle
from labels import naming
from labels.label_set import LabelSet
from labels.models import Label
from labels.near_duplicates import like
from labels.topic_labels import known_among
from law.words.slugs import MAX_NAME_LENGTH, clean_name
from topics.access import Topics
from topics.scoping import limits


@staff_may(GET="labels.add_label", POST="labels.add_label")
def create(request: StaffRequest) -> HttpResponse:
    """A new label. Labels that are nearly the same are shown first, and it is made when the person is sure."""
    back = _back(request)
    name = clean_name(request.POST.get("name", "") or request.GET.get("name", ""))
    context = {"name": name, "next": back, **_alike(name, limits(request))}
    sent = request.method == "POST"
    if sent and context["existing"]:
        return render_dialog(request, "labels/_create.html", context, status=409)
    if sent and context["alike"] and request.POST.get("sure") != name:
        return render_dialog(request, "labels/_create.html", {**context, "unsure": True})

    def act() -> HttpResponse:
        by, within = request.user.get_username(), limits(request)
        if within is None:
            label, made = naming.get_or_create(name, by=by)
        else:
            label, made = naming.get_or_create_within(within, name, by=by)
        if made:
            return done(request, back, _("The label “%(label)s” was made."), label=label.name)
        messages.info(request, safe_message(_("There is such a label already: “%(label)s”."), label=label.name))
        return redirect_from_dialog(request, back)

    return settle(request, "labels/_create.html", context, act)


@staff_may(GET="labels.add_label")
def alike(request: StaffRequest) -> HttpResponse:
    """What is there already of the name that is being typed."""
    return render(
        request,
        "labels/_alike.html",
        _alike(clean_name(request.GET.get("name", ""))[:MAX_NAME_LENGTH], limits(request)),
    )


def _alike(name: str, within: Topics) -> dict[str, object]:
    existing = LabelSet(names=[name], within=within).resolve("", name) if name else None
    alike = like(name) if name and existing is None else []
    known = known_among([label.pk for label in alike], within=within)
    return {"existing": existing, "alike": [label for label in alike if label.pk in known]}


def _gone(request: StaffRequest, label_id: int) -> HttpResponse:
    """Say who took the label away."""
    entries = AuditEntry.objects.filter(object_type="label", object_id=str(label_id))
    entry = entries.filter(action__in=("label.merge", "label.delete")).first()
    return render_dialog(request, "labels/_gone.html", {"entry": entry, "next": _back(request)}, status=404)


def _back(request: StaffRequest) -> str:
    return next_url(request, default=reverse("labels"))


_of_label = of_entry("label_id", get=lambda label_id: naming.get(label_id, Label.objects.all()), gone=_gone)


@staff_may(GET="labels.change_label", POST="labels.change_label")
@_of_label
def rename(request: StaffRequest, label: Label) -> HttpResponse:
    name = clean_name(request.POST.get("name", "")) if request.method == "POST" else label.name
    back = _back(request)

    def act() -> HttpResponse:
        renamed = naming.rename(label.pk, name, by=request.user.get_username())
        return done(request, back, _("“%(old)s” is now called “%(new)s”."), old=label.name, new=renamed.name)

    def refused(_refusal: ApiError) -> dict[str, Any]:
        holder = naming.find_named(name) if name else None
        return {"clash": holder if holder and holder.pk != label.pk else None}

    context = {"label": label, "name": name, "next": back}
    return settle(request, "labels/_rename.html", context, act, refused=refused)


@staff_may(GET="labels.delete_label", POST="labels.delete_label")
@_of_label
def merge(request: StaffRequest, label: Label) -> HttpResponse:
    """Choose the target and see the preview. Then merge."""
    back = _back(request)
    sent = request.POST if request.method == "POST" else request.GET
    typed, slug = clean_name(sent.get("target_name", "")), sent.get("target", "")
    target = LabelSet([slug], names=[typed]).resolve(slug, typed)
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
            return render_dialog(request, "labels/_merge.html", {**context, "refused": refused}, status=404)
        return render_dialog(request, "labels/_merge.html", context)
    try:
        context["preview"] = naming.preview(label.pk, target.pk)
        if request.method != "POST":
            return render_dialog(request, "labels/_merge.html", context)
        merged = naming.merge(label.pk, target.pk, by=request.user.get_username())
    except NotFound:
        raise
    except ApiError as refusal:
        return render_dialog(
            request, "labels/_merge.html", {**context, "refused": refusal.detail}, status=refusal.status
        )
    return done(request, back, _("“%(label)s” was merged into “%(target)s”."), label=label.name, target=merged.name)


@staff_may(GET="labels.delete_label", POST="labels.delete_label")
@_of_label
def delete(request: StaffRequest, label: Label) -> HttpResponse:
    back = _back(request)

    def act() -> HttpResponse:
        naming.delete(label.pk, by=request.user.get_username())
        return done(request, back, _("The label “%(label)s” was deleted."), label=label.name)

    def refused(refusal: ApiError) -> dict[str, Any]:
        count = refusal.extra["usage_count"]
        carried = ngettext("By now %d source carries it.", "By now %d sources carry it.", count) % count
        return {"refused": f"{carried} {_('Merge it into another label instead.')}"}

    context = {"label": label, "aliases": list(label.aliases.values_list("name", flat=True)), "next": back}
    return settle(request, "labels/_delete.html", context, act, refused=refused)
