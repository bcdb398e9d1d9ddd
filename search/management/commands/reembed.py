"""`manage.py reembed`: embed everything with the model that the settings name, then switch to it."""

from __future__ import annotations

import time
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from search import reembed, vector_indexes
from search.models import EmbeddingSpace
from search.tasks import INDEX_TIME_LIMIT_S

LOOK_AGAIN_S = 2.0


class Command(BaseCommand):
    """Searches use the old model until the new one has every chunk; an interrupted run goes on where it stopped."""

    help = "Embed all chunks with the model that the settings name, then make searches use it."

    def handle(self, *args: Any, **options: Any) -> None:
        space = reembed.target_space()
        with tqdm(total=reembed.missing(space), unit="chunk", disable=not self.stderr.isatty()) as bar:
            reembed.embed_missing(space, on_progress=bar.update)
            self._index(space)  # before the switch: no search has to do without
            while not reembed.switch_to(space):  # something was published meanwhile
                reembed.embed_missing(space, on_progress=bar.update)
        reembed.drop_inactive()
        # Drops the indexes of what went; where another process is at it, beat's next run does.
        vector_indexes.maintain(space)
        self.stdout.write(f"Searches use {space}.")

    def _index(self, space: EmbeddingSpace) -> None:
        """Build the indexes, when whoever is at it has ended.

        It asks again and again: Postgres would count a statement that waits for the lock as one whose end the other's
        CREATE INDEX CONCURRENTLY has to await.
        """
        began = time.monotonic()
        told_at = began - 60
        while vector_indexes.maintain(space) is None:
            waited_s = time.monotonic() - began
            if waited_s > INDEX_TIME_LIMIT_S:
                raise CommandError(
                    f"Another process has been building indexes of the embeddings for {waited_s:.0f} s. Searches still"
                    " use the old model; run this again when it has ended."
                )
            if time.monotonic() - told_at >= 60:
                told_at = time.monotonic()
                self.stderr.write(f"Another process builds indexes of the embeddings; waiting for {waited_s:.0f} s.")
            time.sleep(LOOK_AGAIN_S)
