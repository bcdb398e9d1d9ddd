"""`/account/sessions/`: where one is signed in and what acts as one, and ending all of it."""

from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from kb_project import audit
from kb_project.accounts.sessions.ending import end_sessions, sessions_of
from kb_project.accounts.sessions.standing import MAX_SHOWN, end_all_of, standing_of
from kb_project.screens.access import StaffRequest, signed_in
from kb_project.screens.dialogs import done, settle


@never_cache
@require_safe
@signed_in
def sessions(request: StaffRequest) -> HttpResponse:
    context = {
        "section": "sessions",
        "sessions": sessions_of(request.user, this=request.session.session_key)[:MAX_SHOWN],
        "acting": standing_of(request.user),
    }
    return render(request, "accounts/sessions.html", context)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def end_all(request: StaffRequest) -> HttpResponse:
    """End them, after asking once. This browser stays signed in: whoever sits at it asked."""
    back = reverse("account-sessions")

    def act() -> HttpResponse:
        name = request.user.get_username()
        with transaction.atomic():
            end_sessions(request.user, but=request.session.session_key)
            end_all_of(request.user, by=name)
            audit.record(by=name, action="user.edit", thing=request.user, after={"sessions": "ended"})
        return done(
            request, back, _("Other browsers have been signed out. Keys and agents that acted as you are ended.")
        )

    return settle(request, "accounts/_end_all.html", {"next": back}, act)
