"""What settings of a service that others reach must not be, and which of its paths are for programs."""

import re

from django.core.exceptions import ImproperlyConfigured

MIN_SECRET_KEY_LENGTH = 50
MIN_CHARACTERS = 5
INSECURE_PREFIX = "django-insecure-"
# Below these paths every answer is for a program, also where no view of ours was reached.
API_PATHS = (
    *("/kb", "/mcp", "/admin/kb", "/scan-inbox", "/api", "/healthz", "/readyz", "/metrics"),
    *("/.well-known", "/oauth/register", "/oauth/token", "/oauth/revoke"),
)


def api_path_pattern() -> str:
    """What the paths for programs match, without their first slash, as `SECURE_REDIRECT_EXEMPT` has it."""
    return rf"^({'|'.join(re.escape(path.removeprefix('/')) for path in API_PATHS)})(/|$)"


def refuse_unsafe(*, secret_key: str, debug: bool) -> None:
    """Raise ImproperlyConfigured, with a sentence that does not show the key."""
    if debug:
        raise ImproperlyConfigured("DEBUG shows settings and source to whoever meets an error: not with KB_HTTPS.")
    if is_weak(secret_key):
        raise ImproperlyConfigured(
            f"SECRET_KEY can be guessed. With KB_HTTPS it must have {MIN_SECRET_KEY_LENGTH} random characters or more; "
            "left empty, one is made and kept in the data directory."
        )


def is_weak(secret_key: str) -> bool:
    """By the measure of Django's own security.W009."""
    return (
        len(secret_key) < MIN_SECRET_KEY_LENGTH
        or len(set(secret_key)) < MIN_CHARACTERS
        or secret_key.startswith(INSECURE_PREFIX)
    )
