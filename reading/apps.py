"""App configuration of reading, which has no tables."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ReadingConfig(AppConfig):
    name = "reading"
    verbose_name = _("Reading")
