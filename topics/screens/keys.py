"""`/keys/`: the API keys, live or ended, and `/account/keys/`: those that act as whoever is signed in.

Making one, which is shown once, and revoking one.
"""

from datetime import date, datetime
from typing import Any

from django import forms
from django.conf import settings
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from kb_project.accounts.second_look import recently
from kb_project.errors import NotFound
from kb_project.screens.access import StaffRequest, signed_in, staff_may
from kb_project.screens.dialogs import done, gone_to, next_url, of_entry, render_dialog, settle
from topics.keys import BOOTSTRAP_NAME, TooManyKeys, expiry_of, issue_key, keys_of, listed_keys, live, revoke
from topics.models import ApiKey

KEYS_A_PAGE = 50
MAX_OWN_SHOWN = 200


class KeyForm(forms.ModelForm):
    """What is decided when a key is made, and never changed."""

    expires_at = forms.DateField(
        label=gettext_lazy("Last day"),
        required=False,
        help_text=gettext_lazy("Without one it works until it is revoked."),
        widget=forms.DateInput({"type": "date"}),
    )

    class Meta:
        model = ApiKey
        fields = ["name", "admin", "topic", "expires_at"]
        labels = {"name": gettext_lazy("Name"), "topic": gettext_lazy("Topic")}
        help_texts = {"name": gettext_lazy("The program, or who holds it: it stands in the history of what it does.")}
        widgets = {"name": forms.TextInput({"dir": "auto", "autofocus": True})}

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        if "topic" in self.fields:
            self.fields["topic"].empty_label = _("All topics")  # type: ignore[attr-defined]
        self.fields["expires_at"].widget.attrs["min"] = timezone.localdate().isoformat()
        if days := settings.KB_ADMIN_KEY_DAYS:
            sentence = _("Without one it works until it is revoked, with rights to change things %(days)d days.")
            self.fields["expires_at"].help_text = sentence % {"days": days}

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        if name == BOOTSTRAP_NAME:
            raise forms.ValidationError(_("This name is kept for the first key of the installation."))
        return name

    def clean_expires_at(self) -> datetime | None:
        day: date | None = self.cleaned_data["expires_at"]
        try:
            return expiry_of(day) if day else None
        except OverflowError as error:
            raise forms.ValidationError(_("This day is too far ahead.")) from error


@staff_may(GET="topics.view_apikey")
def keys(request: StaffRequest) -> HttpResponse:
    shown = "ended" if request.GET.get("show") == "ended" else "live"
    found = listed_keys().order_by("-id")
    found = found.filter(live()) if shown == "live" else found.exclude(pk__in=ApiKey.objects.filter(live()))
    page = Paginator(found, KEYS_A_PAGE).get_page(request.GET.get("page"))
    return render(request, "keys/keys.html", {"section": "keys", "page": page, "show": shown})


@staff_may(GET="topics.add_apikey", POST="topics.add_apikey")
@recently
def make(request: StaffRequest) -> HttpResponse:
    return make_from(KeyForm(request.POST or None), request, back=reverse("keys"))


def make_from(form: KeyForm, request: StaffRequest, *, back: str, personal: bool = False) -> HttpResponse:
    """A new key. What follows shows it, this once: nothing keeps the answer."""
    context = {"form": form, "next": back, "personal": personal}
    if request.method != "POST" or not form.is_valid():
        return render_dialog(request, "keys/_make.html", context, status=400 if form.errors else 200)
    values = {name: form.cleaned_data[name] for name in form.fields}
    try:
        key, plaintext = issue_key(**values, by=request.user.get_username(), personal=personal)
    except TooManyKeys as refusal:
        form.add_error(None, refusal.detail)
        return render_dialog(request, "keys/_make.html", context, status=refusal.status)
    response = render_dialog(request, "keys/_key.html", {**context, "key": key, "plaintext": plaintext})
    response["Cache-Control"] = "no-store"
    return response


@staff_may(GET="topics.change_apikey", POST="topics.change_apikey")
@of_entry(
    "key_id",
    get=lambda key_id: ApiKey.objects.get(pk=key_id),
    gone=gone_to("keys", said=gettext_lazy("There is no such key."), to=gettext_lazy("To the keys")),
)
def end(request: StaffRequest, key: ApiKey) -> HttpResponse:
    return _end(request, key, back=next_url(request, default=reverse("keys")))


def _end(request: StaffRequest, key: ApiKey, *, back: str) -> HttpResponse:
    """Revoke a key, after asking once."""

    def act() -> HttpResponse:
        revoke(key, by=request.user.get_username())
        return done(request, back, _("The key %(key)s was revoked."), key=key)

    return settle(request, "keys/_revoke.html", {"key": key, "next": back}, act)


class PersonalKeyForm(KeyForm):
    class Meta(KeyForm.Meta):
        fields = ["name", "admin", "expires_at"]
        help_texts = {"name": gettext_lazy("The program or agent that acts as you.")}


@signed_in
def own_keys(request: StaffRequest) -> HttpResponse:
    found = keys_of(request.user).filter(live())[:MAX_OWN_SHOWN]
    return render(request, "keys/own.html", {"section": "account", "keys": found})


@signed_in
@recently
def make_own(request: StaffRequest) -> HttpResponse:
    return make_from(PersonalKeyForm(request.POST or None), request, back=reverse("account-keys"), personal=True)


@signed_in
def end_own(request: StaffRequest, key_id: int) -> HttpResponse:
    """A key of one's own."""
    key = keys_of(request.user).filter(pk=key_id).first()
    if key is None:
        raise NotFound(_("There is no such key."))
    return _end(request, key, back=reverse("account-keys"))
