"""App configuration of keeping."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class KeepingConfig(AppConfig):
    name = "keeping"
    verbose_name = _("Notebooks")

    def ready(self) -> None:
        from ingest import webhook_events  # needs models

        def look(_source: object) -> None:
            from keeping.notebooks import looking

            looking.hint()

        webhook_events.listeners.append(look)
