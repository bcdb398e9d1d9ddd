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
        from sources.references import integrity as references
        from topics.edit import RESERVED_SLUGS

        RESERVED_SLUGS.update(SourceKind.values)
        for check in [*references.CHECKS, *changes.CHECKS]:
            register(check)
