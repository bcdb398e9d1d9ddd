"""App configuration of reading: it has no tables of its own label."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ReadingConfig(AppConfig):
    name = "reading"
    verbose_name = _("Reading")
