"""The app of topics and API keys."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class TopicsConfig(AppConfig):
    name = "topics"
    verbose_name = _("Topics")

    def ready(self) -> None:
        from topics import guard  # needs models

        guard.begin()
