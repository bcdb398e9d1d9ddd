"""`/account/keys/`: the keys that act as whoever is signed in. Making one, which is shown once, and revoking one."""

from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from kb_project.errors import Invalid, NotFound
from kb_project.screens.access import StaffRequest, to_sign_in
from kb_project.screens.dialogs import done, render_dialog, settle
from topics.keys import keys_of, live, make_personal_key, revoke

MOST_SHOWN = 200


class PersonalKeyForm(forms.Form):
    name = forms.CharField(
        label=gettext_lazy("Name"),
        max_length=200,
        help_text=gettext_lazy("The program or agent that acts as you."),
        widget=forms.TextInput({"dir": "auto", "autofocus": True}),
    )
    admin = forms.BooleanField(label=gettext_lazy("With all my rights"), required=False)
    last_day = forms.DateField(
        label=gettext_lazy("Last day"),
        required=False,
        help_text=gettext_lazy("Without one it works until it is revoked."),
        widget=forms.DateInput({"type": "date"}),
    )

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["last_day"].widget.attrs["min"] = timezone.localdate().isoformat()


def keys(request: HttpRequest) -> HttpResponse:
    if not request.user.is_authenticated:
        return to_sign_in(request)
    found = keys_of(request.user).filter(live())[:MOST_SHOWN]
    return render(request, "keys/own.html", {"section": "account", "keys": found})


def make(request: StaffRequest) -> HttpResponse:
    """A new key. What follows shows it, this once: nothing keeps the answer."""
    if not request.user.is_authenticated:
        return to_sign_in(request)
    form = PersonalKeyForm(request.POST or None)
    context: dict[str, Any] = {"form": form, "next": reverse("account-keys")}
    if request.method != "POST" or not form.is_valid():
        return render_dialog(request, "keys/_make_own.html", context, status=400 if form.errors else 200)
    given = form.cleaned_data
    try:
        key, plaintext = make_personal_key(
            request.user, given["name"], with_rights=given["admin"], last_day=given["last_day"]
        )
    except Invalid as refusal:
        form.add_error(None, refusal.detail)
        return render_dialog(request, "keys/_make_own.html", context, status=400)
    response = render_dialog(request, "keys/_key.html", {**context, "key": key, "plaintext": plaintext})
    response["Cache-Control"] = "no-store"
    return response


def end(request: StaffRequest, key_id: int) -> HttpResponse:
    """Revoke a key of one's own, after asking once."""
    if not request.user.is_authenticated:
        return to_sign_in(request)
    key = keys_of(request.user).filter(pk=key_id).first()
    if key is None:
        raise NotFound(_("There is no such key."))
    back = reverse("account-keys")

    def act() -> HttpResponse:
        revoke(key, by=request.user.get_username())
        return done(request, back, _("The key %(key)s was revoked."), key=key)

    return settle(request, "keys/_revoke.html", {"key": key, "next": back}, act)
