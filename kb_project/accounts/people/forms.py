"""The forms of `/people/`. What they take is checked once more in `editing`, as for every caller."""

import re
from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from kb_project.accounts.people.editing import LONGEST_ADDRESS, MOST_AT_ONCE
from kb_project.accounts.rights import Role


class RoleField(forms.ChoiceField):
    """Radio buttons, which the template shows with what each role may do."""

    def __init__(self, **options: Any) -> None:
        super().__init__(label=_("Role"), widget=forms.RadioSelect, **options)


class InviteForm(forms.Form):
    """`roles` are those that may be given."""

    addresses = forms.CharField(
        label=_("E-mail addresses"),
        help_text=_("One or more, with spaces or commas between them. The address is the user name."),
        max_length=MOST_AT_ONCE * (LONGEST_ADDRESS + 2),
        widget=forms.Textarea({"rows": 2, "dir": "ltr", "autofocus": True}),
    )
    role = RoleField(initial=Role.REVIEWER)

    def __init__(self, *args: Any, roles: Sequence[Role], **options: Any) -> None:
        super().__init__(*args, **options)
        self.roles = roles
        self.fields["role"].choices = [(role.value, role.label) for role in roles]  # type: ignore[attr-defined]

    def typed(self) -> list[str]:
        return [address for address in re.split(r"[\s,;]+", self.cleaned_data["addresses"]) if address]


class PersonForm(forms.Form):
    """Of a person with this `role`, who may be given one of `roles`; without any it stays."""

    role = RoleField(required=False)
    email = forms.EmailField(
        label=_("E-mail address"), required=False, max_length=254, widget=forms.EmailInput({"dir": "ltr"})
    )
    first_name = forms.CharField(
        label=_("First name"), required=False, max_length=150, widget=forms.TextInput({"dir": "auto"})
    )
    last_name = forms.CharField(
        label=_("Last name"), required=False, max_length=150, widget=forms.TextInput({"dir": "auto"})
    )

    def __init__(self, *args: Any, role: Role | None, roles: Sequence[Role], **options: Any) -> None:
        super().__init__(*args, **options)
        self.present_role, self.roles = role, roles
        if roles:
            self.fields["role"].choices = [(one.value, one.label) for one in roles]  # type: ignore[attr-defined]
        else:
            del self.fields["role"]

    def clean(self) -> dict[str, Any]:
        values = super().clean() or {}
        return {**values, "role": values.get("role") or self.present_role or ""}
