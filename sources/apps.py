"""App configuration of sources."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class SourcesConfig(AppConfig):
    name = "sources"
    verbose_name = _("Sources")

    def ready(self) -> None:
        from sources import integrity  # noqa: F401  register their checks, which needs models
