"""App configuration of sources."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class SourcesConfig(AppConfig):
    name = "sources"
    verbose_name = _("Sources")

    def ready(self) -> None:
        from sources.kinds import SourceKind
        from sources.models import Source, TrashedSource, Work
        from topics.edit import RESERVED_SLUGS
        from topics.guard import guard

        guard("source_id", lambda source_id: Source.objects.filter(pk=source_id))
        guard("source_id", lambda source_id: TrashedSource.objects.filter(pk=source_id))
        guard("work_id", lambda work_id: Work.objects.filter(pk=work_id))
        RESERVED_SLUGS.update(SourceKind.values)
