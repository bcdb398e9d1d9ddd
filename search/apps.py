"""App configuration of search."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class SearchConfig(AppConfig):
    name = "search"
    verbose_name = _("Search index")

    def ready(self) -> None:
        from search import integrity, integrity_segments, metrics  # noqa: F401  register themselves, which needs models
