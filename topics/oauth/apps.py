"""App configuration of agents' connections."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class OAuthConfig(AppConfig):
    name = "topics.oauth"
    label = "oauth"
    verbose_name = _("Connected agents")
