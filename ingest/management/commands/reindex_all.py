"""`manage.py reindex_all [--topic SLUG] [--without-provisions]`: read, cut and index the stored files again."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from ingest.library.reindex import reindex
from kb_project.errors import Refusal
from sources.models import Source
from topics.models import Topic


class Command(BaseCommand):
    """Queues a job for each source; searches find its old passages until the worker has done it."""

    help = "Have every document read, cut and indexed again from its stored file, by the worker."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--topic", metavar="SLUG", help="only the documents of this topic")
        parser.add_argument(
            "--without-provisions", action="store_true", help="only those indexed before provisions had addresses"
        )

    def handle(self, *, topic: str | None, without_provisions: bool, **options: Any) -> None:
        sources = Source.objects.order_by("pk")
        if topic is not None:
            if not Topic.objects.filter(slug=topic).exists():
                raise CommandError(f"There is no topic {topic!r}.")
            sources = sources.filter(topic__slug=topic)
        if without_provisions:
            sources = sources.filter(provisions__isnull=True)
        ids = list(sources.values_list("pk", flat=True))
        refused = 0
        for source_id in tqdm(ids, desc="queueing", unit="document", file=self.stderr, leave=False):
            try:
                reindex(source_id, by="manage.py reindex_all")
            except Refusal as refusal:
                refused += 1
                self.stdout.write(f"refused  source {source_id}: {refusal.detail}")
        self.stdout.write(f"{len(ids) - refused} queued, {refused} refused.")
        if refused:
            raise CommandError(f"{refused} could not be queued.")
