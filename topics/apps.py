"""The app of topics and API keys."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class TopicsConfig(AppConfig):
    name = "topics"
    verbose_name = _("Topics")

    def ready(self) -> None:
        from kb_project.accounts.sessions import standing
        from topics import guard, keys  # need models

        guard.begin()
        standing.kinds.append(standing.StandingKind(keys.standing_keys, keys.end_keys))
