"""What a new password must not be, besides what Django's own validators say."""

from __future__ import annotations

import string
from typing import Any

from django.contrib.auth.password_validation import CommonPasswordValidator
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

AROUND = string.digits + string.punctuation + string.whitespace


class CommonCoreValidator(CommonPasswordValidator):
    """Refuses a common password also with digits and signs around it, or twice: `Password2026!`, `dragondragon`."""

    def validate(self, password: str, user: Any = None) -> None:
        core = password.lower().strip(AROUND)
        half = core[: len(core) // 2]
        if {password.lower().strip(), core} & self.passwords or (half in self.passwords and core == half * 2):
            raise ValidationError(_("This is a common password with little added to it."))

    def get_help_text(self) -> str:
        return _("Your password can’t be a commonly used one, also not with digits or signs around it.")
