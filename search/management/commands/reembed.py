"""`manage.py reembed`: embed everything with the model that the settings name, then switch to it."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from answers.evaluation import gate
from kb_project.errors import Conflict
from search.index import reembed
from search.models import EmbeddingSpace


class Command(BaseCommand):
    """Searches use the old model until the new one has every chunk; an interrupted run goes on where it stopped."""

    help = "Embed all chunks with the model that the settings name, then make searches use it."

    def handle(self, *args: Any, **options: Any) -> None:
        space = reembed.target_space()
        with tqdm(total=reembed.missing(space), unit="chunk", disable=not self.stderr.isatty()) as bar:
            reembed.embed_missing(space, on_progress=bar.update)
            reembed.complete_codes(space)  # before the switch: no search has to compare all
            if not space.active:
                self._require_not_worse(space)
            while not reembed.switch_to(space):  # something was published meanwhile
                reembed.embed_missing(space, on_progress=bar.update)
        reembed.drop_inactive()
        self.stdout.write(f"Searches use {space}.")

    def _require_not_worse(self, space: EmbeddingSpace) -> None:
        """Raise CommandError where `KB_EVALUATION_GATE` keeps the space out of use; what was embedded stays."""
        try:
            gate.require_not_worse(space, by="manage.py reembed")
        except Conflict as worse:
            raise CommandError(f"Searches go on with the model that they use. {worse.detail}") from worse
