"""Changing one's password, and a forgotten one: by mail where the service can send any, else by whom to ask."""

from typing import Any
from urllib.parse import urlsplit

from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.mixins import LoginRequiredMixin
from django.contrib.auth.views import PasswordChangeView, PasswordResetConfirmView
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.urls import reverse_lazy
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _
from django.views.generic import FormView

from kb_project.accounts import sign_in_options
from kb_project.accounts.links import invitations
from kb_project.accounts.login_throttle import Attempt, TooManyLogins, address_of
from kb_project.accounts.passwords.validators import noting_password
from kb_project.accounts.second_factor import entering
from kb_project.accounts.sessions.standing import AsksOfStanding
from kb_project.accounts.tasks import mail_password_link
from kb_project.errors import Throttled
from kb_project.web.origins import origin_of


class OnlyWithPasswords:
    """Mixin for views: where the organisation alone signs people in, nobody has a password here."""

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if not sign_in_options.local_accounts():
            raise PermissionDenied(_("Passwords are not used here. Sign in with the organisation."))
        return super().dispatch(request, *args, **kwargs)  # type: ignore[misc]  # of the view that it is mixed into


class PasswordChange(LoginRequiredMixin, OnlyWithPasswords, AsksOfStanding, PasswordChangeView):
    """For whoever has one. The other sessions of the account end with it."""

    template_name = "accounts/password.html"
    success_url = reverse_lazy("password")
    extra_context = {"section": "account"}

    def form_valid(self, form: Any) -> HttpResponse:
        with noting_password(self.request.user.pk, by=self.request.user.get_username()):
            response = super().form_valid(form)
            self.settle_standing(form)
        messages.success(self.request, _("Your password was changed. Other browsers have been signed out."))
        return response


class ForgottenForm(forms.Form):
    email = forms.EmailField(
        label=gettext_lazy("E-mail address"), max_length=254, widget=forms.EmailInput({"autocomplete": "email"})
    )


class PasswordForgotten(OnlyWithPasswords, FormView):
    """Sends a link to the address, if an account has it. The answer is the same if none has."""

    template_name = "accounts/forgotten.html"
    form_class = ForgottenForm
    extra_context = {"section": "sign-in"}

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return super().get_context_data(**kwargs) | {"sends_mail": bool(settings.EMAIL_URL)}

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not settings.EMAIL_URL:
            raise PermissionDenied(_("This service sends no mail. Ask a manager for another password."))
        return super().post(request, *args, **kwargs)

    def form_valid(self, form: ForgottenForm) -> HttpResponse:
        email = form.cleaned_data["email"]
        try:
            Attempt(account=f"forgotten {email}", address=address_of(self.request))
        except TooManyLogins as refusal:
            sentence = _("Too many requests came from your address. Try again in a moment.")
            raise Throttled(sentence, wait_s=refusal.wait_s) from refusal
        # By a worker: how long it takes would tell whether there is such an account.
        here = urlsplit(origin_of(self.request))
        secure = here.scheme == "https"
        mail_password_link.delay(email=email, host=here.netloc, secure=secure, language=get_language())
        return self.render_to_response(self.get_context_data(form=form, sent_to=email))


class PasswordNew(OnlyWithPasswords, AsksOfStanding, PasswordResetConfirmView):
    """Where such a link leads."""

    template_name = "accounts/new_password.html"
    success_url = reverse_lazy("sign-in")
    extra_context = {"section": "sign-in"}
    said = gettext_lazy("Your password was changed. Sign in with it.")

    def form_valid(self, form: Any) -> HttpResponse:
        response = self.save(form)
        messages.success(self.request, self.said)
        return response

    def save(self, form: Any) -> HttpResponse:
        user = form.user  # of the link
        with noting_password(user.pk, by=user.get_username()):
            response = super().form_valid(form)
            self.settle_standing(form)
        return response


class InvitationAccepted(PasswordNew):
    """Where the link of an invitation leads: to a first password, and in."""

    template_name = "accounts/invitation.html"
    token_generator = invitations
    success_url = reverse_lazy("home")
    said = gettext_lazy("Your password is set, and you are signed in.")

    def form_valid(self, form: Any) -> HttpResponse:
        self.save(form)
        response = entering.enter(self.request, form.user, then=str(self.success_url))
        if self.request.user.is_authenticated:
            messages.success(self.request, self.said)
        return response
