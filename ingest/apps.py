"""App configuration of ingest."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class IngestConfig(AppConfig):
    name = "ingest"
    verbose_name = _("Ingest")

    def ready(self) -> None:
        from ingest.models import Job
        from topics.guard import guard

        guard("job_id", lambda job_id: Job.objects.filter(pk=job_id))
        guard("batch_id", lambda batch_id: Job.objects.filter(batch_id=batch_id))
