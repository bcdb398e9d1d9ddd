"""The page on which a file is chosen, what it changes is shown, and it is taken over, and files to download."""

import base64
from collections.abc import Callable, Mapping
from typing import Any

from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from kb_project.database.imports import Import
from kb_project.errors import ApiError, Invalid
from kb_project.screens.access import StaffRequest

SHOWN = 200  # changes of a preview


def import_page(
    request: StaffRequest,
    template: str,
    context: Mapping[str, Any],
    *,
    read: Callable[[bytes], Import[Any, Any]],
    largest: int,
    said: Callable[[int], str],
) -> HttpResponse:
    """Choose a file of at most `largest` bytes, see what it changes, take it over.

    The page carries the file from the second step to the third. `context` names the page to go `back` to, `said` is
    the sentence about so many changes that were made.
    """
    if request.method != "POST":
        return render(request, template, dict(context))
    by = request.user.get_username()
    try:
        content = _chosen_file(request, largest=largest)
        file = read(content)
        if "sure" in request.POST:
            messages.success(request, said(len(file.take_over(by=by))))
            return redirect(context["back"])
        preview = _preview(file, content=content, by=by)
    except ApiError as refusal:
        return render(request, template, {**context, "refused": refusal.detail}, status=refusal.status)
    return render(request, template, {**context, **preview})


def _chosen_file(request: HttpRequest, *, largest: int) -> bytes:
    """At most `largest` + 1 bytes of the field `file`, or what a preview carries. Raises Invalid for neither."""
    file = request.FILES.get("file")
    if isinstance(file, UploadedFile):
        return file.read(largest + 1)
    try:
        content = base64.b64decode(request.POST.get("carried", ""), validate=True)
    except ValueError as error:
        raise Invalid(_("Choose a file.")) from error
    if not content:
        raise Invalid(_("Choose a file."))
    return content


def _preview(file: Import[Any, Any], *, content: bytes, by: str) -> dict[str, Any]:
    """What `import.html` shows of the changes that a file makes, and the file for the next step."""
    changes = file.checked(by=by)
    return {
        "changes": changes[:SHOWN],
        "new": sum(change.before is None for change in changes),
        "changed": sum(change.before is not None for change in changes),
        "same": len(file.rows) - len(changes),
        "more": max(0, len(changes) - SHOWN),
        "carried": base64.b64encode(content).decode(),
        "previewed": True,
    }


def download(text: str, *, name: str, content_type: str) -> HttpResponse:
    """A text as a file to be saved under the name."""
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(text, content_type=f"{content_type}; charset=utf-8", headers=headers)
