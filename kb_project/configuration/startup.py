"""No process of the service starts while the system checks find an error; what they warn of stops nothing."""

from django.core.checks import run_checks
from django.core.exceptions import ImproperlyConfigured


def refuse_mistakes() -> None:
    """Raise ImproperlyConfigured with the sentence of each error, one to a line; Django's apps must be set up.

    Nothing outside is asked. For whoever is started without a command of Django's that checks.
    """
    if errors := [found for found in run_checks() if found.is_serious() and not found.is_silenced()]:
        raise ImproperlyConfigured("\n".join(f"{error.msg} ({error.id})" for error in errors))
