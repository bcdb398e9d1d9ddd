"""App configuration of sources."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class SourcesConfig(AppConfig):
    name = "sources"
    verbose_name = _("Sources")

    def ready(self) -> None:
        from kb_project.operations.integrity.registry import register
        from sources import integrity  # noqa: F401  they register themselves, which needs models
        from sources.changes import integrity as changes
        from sources.kinds import SourceKind
        from sources.models import Source, TrashedSource, Work
        from sources.references import integrity as references
        from topics.edit import RESERVED_SLUGS
        from topics.guard import guard

        guard("source_id", lambda source_id: Source.objects.filter(pk=source_id))
        guard("source_id", lambda source_id: TrashedSource.objects.filter(pk=source_id))
        guard("work_id", lambda work_id: Work.objects.filter(pk=work_id))
        RESERVED_SLUGS.update(SourceKind.values)
        for check in [*references.CHECKS, *changes.CHECKS]:
            register(check)
