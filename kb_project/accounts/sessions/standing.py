"""What acts as a person without their password, as a key does. A new password ends none of it unless they say so."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django import forms
from django.contrib.auth.models import User
from django.utils.translation import gettext_lazy

END, KEEP = "end", "keep"
MAX_SHOWN = 50  # of each kind


@dataclass(frozen=True, slots=True)
class AccountStanding:
    """One of them, for its person to recognise."""

    kind: str
    name: str
    made_at: datetime
    last_used_at: datetime | None


@dataclass(frozen=True, slots=True)
class StandingKind:
    """`of` gives what acts as a person now, the newest first, and `end_all` ends it, by the name for the audit."""

    of: Callable[[User], list[AccountStanding]]
    end_all: Callable[..., Any]


kinds: list[StandingKind] = []  # apps add theirs when set up


def standing_of(user: User) -> list[AccountStanding]:
    return [one for kind in kinds for one in kind.of(user)[:MAX_SHOWN]]


def end_all_of(user: User, *, by: str) -> None:
    for kind in kinds:
        kind.end_all(user, by=by)


class AsksOfStanding:
    """Mixin for views with a form for a password of `form.user`: it asks what becomes of what acts as them."""

    def get_form(self, *args: Any, **options: Any) -> Any:
        form = super().get_form(*args, **options)  # type: ignore[misc]  # of the view that it is mixed into
        form.acting = standing_of(form.user) if form.user is not None else []
        if form.acting:
            form.fields["standing"] = forms.ChoiceField(
                choices=[(END, gettext_lazy("End them all")), (KEEP, gettext_lazy("Keep them"))],
                widget=forms.RadioSelect,
                error_messages={"required": gettext_lazy("Say what becomes of them.")},
            )
        return form

    @staticmethod
    def settle_standing(form: Any) -> None:
        """End what the person does not keep, in the caller's transaction."""
        if form.cleaned_data.get("standing") == END:
            end_all_of(form.user, by=form.user.get_username())
