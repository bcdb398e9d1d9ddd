"""App configuration of search."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class SearchConfig(AppConfig):
    name = "search"
    verbose_name = _("Search index")

    def ready(self) -> None:
        from kb_project.operations import readiness
        from kb_project.operations.integrity.registry import register
        from search import metrics  # noqa: F401  they register themselves, which needs models
        from search.embedders import vector_progress
        from search.index import engine, register_health
        from search.models import Synonym
        from topics.guard import guard

        guard("synonym_id", lambda synonym_id: Synonym.objects.filter(pk=synonym_id))

        register_health()
        readiness.DETAILS["meaning"] = vector_progress.told
        for check in engine().check():
            register(check)
