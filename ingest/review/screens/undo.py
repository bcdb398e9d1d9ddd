"""`/review/undo/`: taking back what one did last, in the review or in the library."""

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from ingest.review import undo as undoing
from ingest.review.screens.batch import warn_of_skipped
from kb_project.screens.access import StaffRequest, staff_may
from kb_project.screens.dialogs import next_url
from topics.scoping import limits


@staff_may(POST="ingest.view_job")
def undo(request: StaffRequest) -> HttpResponse:
    """Take an act back, which the form names, and go to where that can be seen."""
    act = undoing.take_out(request.session, request.POST.get("act", ""))
    if act is None:
        messages.warning(request, _("That was undone already, or cannot be undone any more."))
        return redirect(next_url(request, default=reverse("review-batches")))
    if not request.user.has_perm(act.how.needs):
        raise PermissionDenied(_("Your account may not do this. Ask a manager for the right role."))
    within = limits(request, right=act.how.needs)
    outcome = undoing.undo(act, by=request.user.get_username(), within=within)
    if outcome.done:
        messages.success(request, act.how.undone % outcome.done)
    warn_of_skipped(request, outcome)
    return redirect(act.to)
