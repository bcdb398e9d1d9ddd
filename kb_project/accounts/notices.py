"""Mail to a person of what was done to what opens their account: whoever did not do it is to know at once."""

from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.db import models, transaction
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from kb_project.hints import send_hint

TASK = "kb_project.accounts.tasks.mail_notice"
EXPIRES_S = 24 * 3600


class Notice(models.TextChoices):
    """What was done."""

    KEY = "key", _("A key was made with your account.")
    FACTOR = "factor", _("The second factors of your account were changed.")
    ADDRESS = "address", _("The e-mail address of your account was changed.")
    PASSWORD = "password", _("The password of your account was changed.")  # a name


def send_notice(user: User, notice: Notice, *, address: str = "") -> None:
    """Have it mailed when the caller's transaction is over, to the person's address or to the one they had before.

    Nothing is sent where the service sends no mail, or there is no address. What was done is in the audit in any case.
    """
    if settings.EMAIL_URL and (to := address or user.email):
        given: tuple[Any, ...] = (user.get_username(), to, notice.value, get_language() or settings.LANGUAGE_CODE)
        transaction.on_commit(lambda: send_hint(TASK, *given, expires=EXPIRES_S))
