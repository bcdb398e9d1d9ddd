"""No process of the service starts while the system checks find an error. What they warn of stops nothing."""

import logging
from collections.abc import Sequence

from django.core.checks import Tags
from django.core.checks.registry import registry
from django.core.exceptions import ImproperlyConfigured
from django.core.management.base import BaseCommand

SETTINGS = "settings"  # the tag of the checks of ours that look at them
OF_SCREENS = frozenset({Tags.urls, Tags.admin, Tags.templates})
MAX_NAMED = 20  # variables in a line of the log
log = logging.getLogger(__name__)


def run_startup_checks(*, databases: Sequence[str] | None = None, urls: bool = False, of: str = "") -> None:
    """Raise ImproperlyConfigured with the sentence of each error, one to a line. Django's apps must be set up.

    Nothing outside is asked but the databases given. For whoever is started without a command of Django's that checks.
    Addresses, templates and the admin are looked at by who serves them, with `urls`: that imports every view, which
    takes longer than all else that a command needs to start. `of` names the tag of those that are wanted, if not all.
    A line of the log names the variables that are no settings.
    """
    _name_unknown_variables()
    checks = [check for check in registry.get_checks() if urls or OF_SCREENS.isdisjoint(check.tags)]
    checks = [check for check in checks if not of or of in check.tags]
    found = [one for check in checks for one in check(app_configs=None, databases=databases)]
    if errors := [one for one in found if one.is_serious() and not one.is_silenced()]:
        raise ImproperlyConfigured("\n".join(f"{error.msg} ({error.id})" for error in errors))


def _name_unknown_variables() -> None:
    from kb_project.configuration.environment import env  # when imported it reads where the data are

    if unknown := env.unknown_names():
        named = [f"{name} (is {like} meant?)" if like else name for name, like in [*unknown.items()][:MAX_NAMED]]
        log.warning("Nothing reads %d variables of the environment: %s", len(unknown), ", ".join(named))


class ServiceCommand(BaseCommand):
    """A command of the service. It looks at the settings, not at every view and template as those of Django do."""

    requires_system_checks = (SETTINGS,)
