"""App configuration of agents' connections."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class OAuthConfig(AppConfig):
    name = "topics.oauth"
    label = "oauth"
    verbose_name = _("Connected agents")

    def ready(self) -> None:
        from kb_project.accounts.sessions import standing
        from topics.oauth import connections  # needs models

        standing.kinds.append(standing.StandingKind(connections.standing_agents, connections.end_agents))
