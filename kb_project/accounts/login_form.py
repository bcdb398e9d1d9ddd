"""The form of the login page: as Django's admin has it, with a limit on failures and a line in the log."""

from __future__ import annotations

import logging
import math
from typing import Any

from django import forms
from django.contrib.admin.forms import AdminAuthenticationForm
from django.utils.translation import ngettext

from kb_project.accounts.login_throttle import Attempt, TooManyLogins, address_of

log = logging.getLogger("kb.security")


class LoginForm(AdminAuthenticationForm):
    """`wait_s` is set when too many attempts had failed: the password was then not looked at."""

    wait_s: int | None = None

    def clean(self) -> dict[str, Any]:
        name, password = self.cleaned_data.get("username"), self.cleaned_data.get("password")
        if not name or not password or self.request is None:
            return super().clean()
        address = address_of(self.request)
        try:
            attempt = Attempt(account=name, address=address)
        except TooManyLogins as refusal:
            log.warning("sign-in from %s: not looked at, too many have failed", address)
            self.wait_s = refusal.wait_s
            minutes = math.ceil(refusal.wait_s / 60)
            sentence = ngettext(
                "Too many attempts to log in have failed. Try again in %d minute.",
                "Too many attempts to log in have failed. Try again in %d minutes.",
                minutes,
            )
            raise forms.ValidationError(sentence % minutes, code="throttled") from refusal
        try:
            cleaned = super().clean()
        except forms.ValidationError:
            # Without the name: a password typed into the wrong box would stand in the log.
            log.warning("sign-in from %s: failed", address)
            raise
        attempt.succeeded()
        log.info("sign-in from %s: %s", address, name)
        return cleaned
