"""App configuration of keeping."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class KeepingConfig(AppConfig):
    name = "keeping"
    verbose_name = _("Notebooks")
