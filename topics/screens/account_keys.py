"""`/account/keys/`: the keys that act as whoever is signed in. Making one, which is shown once, and revoking one."""

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from kb_project.errors import NotFound
from kb_project.screens.access import StaffRequest, signed_in
from kb_project.screens.dialogs import done, settle
from topics.keys import keys_of, live, revoke
from topics.screens.keys import KeyForm, make_from

MOST_SHOWN = 200


class PersonalKeyForm(KeyForm):
    class Meta(KeyForm.Meta):
        fields = ["name", "admin", "expires_at"]
        help_texts = {"name": gettext_lazy("The program or agent that acts as you.")}


@signed_in
def keys(request: StaffRequest) -> HttpResponse:
    found = keys_of(request.user).filter(live())[:MOST_SHOWN]
    return render(request, "keys/own.html", {"section": "account", "keys": found})


@signed_in
def make(request: StaffRequest) -> HttpResponse:
    return make_from(PersonalKeyForm(request.POST or None), request, back=reverse("account-keys"), personal=True)


@signed_in
def end(request: StaffRequest, key_id: int) -> HttpResponse:
    """Revoke a key of one's own, after asking once."""
    key = keys_of(request.user).filter(pk=key_id).first()
    if key is None:
        raise NotFound(_("There is no such key."))
    back = reverse("account-keys")

    def act() -> HttpResponse:
        revoke(key, by=request.user.get_username())
        return done(request, back, _("The key %(key)s was revoked."), key=key)

    return settle(request, "keys/_revoke.html", {"key": key, "next": back}, act)
