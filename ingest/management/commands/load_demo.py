"""`manage.py load_demo`: queue the demo documents, as an upload would, into the topic that is seeded."""

import time
from argparse import ArgumentParser
from typing import Any
from uuid import UUID

from django.core.management.base import CommandError

from ingest.intake.demo import manifest, queue
from ingest.job_states import JobStatus
from ingest.models import Job
from kb_project.configuration.startup import ServiceCommand
from topics.models import INITIAL_TOPIC_ID, Topic

POLL_S = 0.3


class Command(ServiceCommand):
    help = "Queue the six fictional demo documents; what is there already stays as it is."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--wait", type=int, default=0, metavar="S", help="stay until they are read, at most S seconds"
        )

    def handle(self, *, wait: int, **options: Any) -> None:
        topic = Topic.objects.filter(pk=INITIAL_TOPIC_ID).first()
        if topic is None:
            raise CommandError(f"There is no topic {INITIAL_TOPIC_ID}: run the migrations first.")
        queued: list[UUID] = []
        for entry in manifest():
            job = queue(entry, topic=topic, by="load_demo")
            self.stdout.write(f"{entry['file']}: {f'queued as job {job.pk}' if job else 'already there'}")
            if job:
                queued.append(job.pk)
        if queued and wait:
            self._follow(queued, ends=time.monotonic() + wait)

    def _follow(self, queued: list[UUID], *, ends: float) -> None:
        """Say how many of the jobs have come to their end, whenever that number changes."""
        at_rest = Job.objects.filter(pk__in=queued, status__in=[JobStatus.DONE, JobStatus.FAILED])
        said = -1
        while said < len(queued):
            if (read := at_rest.count()) != said:
                self.stdout.write(f"{read} of {len(queued)} read")
                said = read
            elif time.monotonic() > ends:
                self.stdout.write("The rest is read in the background.")
                return
            else:
                time.sleep(POLL_S)
