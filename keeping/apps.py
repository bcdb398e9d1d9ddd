"""App configuration of keeping."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class KeepingConfig(AppConfig):
    name = "keeping"
    verbose_name = _("Notebooks")

    def ready(self) -> None:
        from ingest import webhook_events  # needs models
        from keeping import integrity  # noqa: F401  it registers its checks
        from keeping.notebooks import looking
        from keeping.watches import metrics  # noqa: F401  they register themselves

        webhook_events.listeners.append(lambda _source: looking.hint())
