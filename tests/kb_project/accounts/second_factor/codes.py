"""What a person's app would show."""

import base64
import time

from cryptography.hazmat.primitives.hashes import SHA1
from cryptography.hazmat.primitives.twofactor.totp import TOTP
from django.contrib.auth.models import User

from kb_project.accounts.second_factor import factors


def code_of(secret: str, *, ahead: int = 0) -> str:
    """The code of the running time step, or of one some steps ahead."""
    totp = TOTP(base64.b32decode(secret), 6, SHA1(), 30, enforce_key_length=False)
    return totp.generate(int(time.time()) + ahead * 30).decode()


def with_app(user: User) -> tuple[str, list[str]]:
    """Give the person an app. Its secret, and their recovery codes."""
    secret = factors.new_secret()
    codes = factors.add_app(user, secret=secret, code=code_of(secret, ahead=-1))
    assert codes
    return secret, codes
