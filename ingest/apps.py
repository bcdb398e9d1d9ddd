"""App configuration of ingest."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class IngestConfig(AppConfig):
    name = "ingest"
    verbose_name = _("Ingest")

    def ready(self) -> None:
        from ingest.integrity import files, jobs  # noqa: F401  register themselves, which needs models
        from ingest.status import metrics  # noqa: F401  register themselves, which needs models
