"""`manage.py reembed`: embed everything with the model that the settings name, then switch to it."""

from typing import Any

from django.core.management.base import BaseCommand
from tqdm import tqdm

from search.index import reembed


class Command(BaseCommand):
    """Searches use the old model until the new one has every chunk. An interrupted run goes on where it stopped."""

    help = "Embed all chunks with the model that the settings name, then make searches use it."

    def handle(self, *args: Any, **options: Any) -> None:
        space = reembed.target_space()
        with tqdm(total=reembed.missing(space), unit="chunk", disable=not self.stderr.isatty()) as bar:
            reembed.embed_missing(space, on_progress=bar.update)
            reembed.complete_codes(space)  # before the switch: no search has to compare all
            while not reembed.activate_space(space):  # something was published meanwhile
                reembed.embed_missing(space, on_progress=bar.update)
        reembed.drop_inactive()
        self.stdout.write(f"Searches use {space}. Compare the answers: manage.py evaluate --topic SLUG.")
