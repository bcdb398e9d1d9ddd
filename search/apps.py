"""App configuration of search."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class SearchConfig(AppConfig):
    name = "search"
    verbose_name = _("Search index")

    def ready(self) -> None:
        from search.models import Synonym
        from topics.guard import guard

        guard("synonym_id", lambda synonym_id: Synonym.objects.filter(pk=synonym_id))
