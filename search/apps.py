"""App configuration of search."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class SearchConfig(AppConfig):
    name = "search"
    verbose_name = _("Search index")

    def ready(self) -> None:
        # They register themselves, which needs models. Checks run in this order: what a repair changes is looked at by
        # those after it.
        from search import metrics  # noqa: F401
        from search.index.postgres.checks import chunks, codes, impacts, segments, statistics  # noqa: F401
