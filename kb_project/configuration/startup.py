"""No process of the service starts while the system checks find an error. What they warn of stops nothing."""

from collections.abc import Sequence

from django.core.checks import Tags
from django.core.checks.registry import registry
from django.core.exceptions import ImproperlyConfigured


def run_startup_checks(*, databases: Sequence[str] | None = None, urls: bool = False) -> None:
    """Raise ImproperlyConfigured with the sentence of each error, one to a line. Django's apps must be set up.

    Nothing outside is asked but the databases given. For whoever is started without a command of Django's that checks.
    The addresses are looked at by who serves them: that imports every view, a quarter of what other processes need to
    start.
    """
    checks = [check for check in registry.get_checks() if urls or Tags.urls not in check.tags]
    found = [one for check in checks for one in check(app_configs=None, databases=databases)]
    if errors := [one for one in found if one.is_serious() and not one.is_silenced()]:
        raise ImproperlyConfigured("\n".join(f"{error.msg} ({error.id})" for error in errors))
